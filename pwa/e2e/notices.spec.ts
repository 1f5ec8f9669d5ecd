import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { NoticeSettings } from '#shared/contract/notices.ts'
import { QuestionResponse } from '#shared/contract/questions.ts'
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

test('each opening renews the address that the browser has changed, and closes what was read elsewhere', {
  tag: '@full',
}, async ({ page, context, playwright, baseURL }) => {
  await standInForPush(context)
  await joinOverHttp(context.request, newPerson('Ivo', 'Jamb'))
  await page.goto('/members/notices')
  await underServiceWorker(page)
  await page.getByLabel('Your coach has answered').check()
  await expect(page.getByText('Your notices come to this phone.')).toBeVisible()
  // The browser has moved to another address without a word.
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    await (await registration.pushManager.getSubscription())?.unsubscribe()
  })
  const stored = page.waitForResponse((response) => response.url().endsWith('/api/members/notices/phone'))
  await page.reload()
  expect((await stored).status()).toBe(200)
  await page.getByRole('button', { name: 'Send a test notice' }).click()
  await expect(toastOf(page)).toContainText('Sent.')
  const [payload] = await pushedTo(page)

  const at = new Date().toISOString()
  const data = {
    id: newQuestionId(),
    at,
    text: 'Which valve?',
    origin: 'header',
    about: null,
    mayPublish: false,
    files: [],
  }
  const asked = v.parse(QuestionResponse, await (await context.request.post('/api/members/questions', { data })).json())
  const owner = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  await logInOverHttp(owner, 'owner@alliance.test')
  const answer = { id: newQuestionId(), text: 'The left one.', version: asked.question.version }
  expect((await owner.post(`/api/admin/questions/${data.id}/answers`, { data: answer })).status()).toBe(200)
  await owner.dispose()
  const read = { data: { messageId: answer.id } }
  expect((await context.request.post(`/api/members/questions/${data.id}/read`, read)).status()).toBe(200)
  const { opened } = v.parse(NoticeSettings, await (await context.request.get('/api/members/notices')).json())
  expect(opened).toHaveLength(1)
  const deliver = await openDelivery(page)
  const notification = { ...payload?.notification, title: 'Your coach has answered', tag: 'answer' }
  await deliver({ ...payload, notification: { ...notification, data: { ...notification.data, id: opened[0] } } })
  await expect.poll(() => shownNotices(page)).toEqual(['Your coach has answered'])
  await page.reload()
  await expect.poll(() => shownNotices(page)).toEqual([])
})

/** A UUIDv7, as a phone makes it. */
function newQuestionId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
