import * as v from 'valibot'
import { NoticeSettings } from '#shared/contract/notices.ts'
import { findViolations } from './axe.ts'
import { expect, phone, test, toastOf, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { joinOverHttp, logInOverHttp, newPerson, ownPassword } from './people.ts'
import { openDelivery, pressNotice, pushedTo, shownNotices, standInForPush } from './push-steps.ts'

test.use({ ...withServiceWorker, ...phone })

test('a member switches notices on, tries one out, presses it, and none comes for them after a logout', async ({
  page,
  context,
  playwright,
  baseURL,
}) => {
  await standInForPush(context)
  const person = newPerson('Nia', 'Notch')
  await joinOverHttp(context.request, person)
  await page.goto('/members?tab=profile')
  await underServiceWorker(page)
  await page.getByRole('link', { name: 'Notices' }).click()
  const answer = page.getByLabel('Your coach has answered')
  await expect(answer).not.toBeChecked()
  // The whole page, without the tabs lying over its end.
  await page.setViewportSize({ ...phone.viewport, height: 2400 })
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize(phone.viewport)
  await answer.check()
  await expect(page.getByText('Your notices come to this phone.')).toBeVisible()
  await page.getByRole('button', { name: 'Send a test notice' }).click()
  await expect(toastOf(page)).toContainText('Sent.')
  const [payload] = await pushedTo(page)
  const deliver = await openDelivery(page)
  await deliver(payload)
  await expect.poll(() => shownNotices(page)).toEqual(['Notices reach this phone'])
  // Pressed while another page of ours is open, which goes there without a load.
  await page.getByRole('link', { name: 'Back to Profile' }).click()
  await page.evaluate(() => Object.assign(window, { isSameLoad: true }))
  await pressNotice(page, 'Notices reach this phone')
  await expect(page.getByRole('heading', { name: 'What your phone tells you' })).toBeVisible()
  expect(await page.evaluate(() => 'isSameLoad' in window)).toBe(true)
  expect(await shownNotices(page)).toEqual([])
  await expect.poll(() => new URL(page.url()).hash).toBe('')

  await page.getByRole('link', { name: 'Logout' }).first().click()
  await expect(toastOf(page)).toContainText('Logged out')
  expect(await pushedTo(page)).toEqual([])
  const elsewhere = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  await logInOverHttp(elsewhere, person.email, ownPassword)
  const settings = v.parse(NoticeSettings, await (await elsewhere.get('/api/members/notices')).json())
  expect([settings.phones, settings.isSubscribed]).toEqual([0, false])
  // One that was on its way names nothing.
  await deliver(payload)
  await expect.poll(() => shownNotices(page)).toEqual([expect.stringMatching(/^There’s news in /)])
  await elsewhere.dispose()
})
