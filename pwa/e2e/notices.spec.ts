import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { NoticeSettings } from '#shared/contract/notices.ts'
import { QuestionResponse } from '#shared/contract/questions.ts'
import { findViolations } from './axe.ts'
import { expect, inWholeChromium, phone, test, toastOf, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { joinOverHttp, logInOverHttp, newPerson, ownPassword } from './people.ts'
import { openDelivery, pressNotice, pushedTo, shownNotices, standInForPush } from './push-steps.ts'

test.use({ ...withServiceWorker, ...phone, ...inWholeChromium })

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

test('a phone that its push service has dropped says so, and has a new address at the next press or opening', {
  tag: '@full',
}, async ({ page, context }) => {
  await standInForPush(context)
  await joinOverHttp(context.request, newPerson('Gus', 'Gable'))
  await page.goto('/members/notices')
  await underServiceWorker(page)
  const isOn = page.getByText('Your notices come to this phone.')
  const send = page.getByRole('button', { name: 'Send a test notice' })
  const loseAddress = async () => {
    const endpoint = await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      return (await registration.pushManager.getSubscription())?.endpoint ?? ''
    })
    expect((await page.request.delete(new URL(endpoint).pathname)).status()).toBe(200)
    await send.click()
    await expect(toastOf(page)).toContainText('This phone has stopped taking our notices. Switch them on again.')
    await expect(page.getByText('Your notices don’t come to this phone.')).toBeVisible()
  }
  await page.getByLabel('Your coach has answered').check()
  await expect(isOn).toBeVisible()
  await loseAddress()
  await page.getByRole('button', { name: 'Get notices on this phone' }).click()
  await expect(isOn).toBeVisible()
  await loseAddress()
  const stored = page.waitForResponse((response) => response.url().endsWith('/api/members/notices/phone'))
  await page.reload()
  await stored
  await page.reload()
  await expect(isOn).toBeVisible()
  await send.click()
  await expect(toastOf(page)).toContainText('Sent.')
  expect(await pushedTo(page)).toHaveLength(1)
})

test('a browser that refuses notices, or has no service for them, says what to do', { tag: '@full' }, async ({
  page,
  context,
}) => {
  await standInForPush(context)
  await joinOverHttp(context.request, newPerson('Ned', 'Newel'))
  await page.goto('/members/notices')
  await underServiceWorker(page)
  const answer = page.getByLabel('Your coach has answered')
  // As a browser does whose maker's service is switched off.
  await page.evaluate(() => {
    PushManager.prototype.subscribe = async () => {
      throw new DOMException('Registration failed - push service error', 'AbortError')
    }
  })
  await answer.click()
  await expect(toastOf(page)).toContainText('Your browser couldn’t set notices up.')
  await expect(answer).not.toBeChecked()

  await page.goto('/members/ask')
  await page.getByLabel('What’s your question?').fill('Which valve?')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Want to know when it’s answered?')).toBeVisible()
  await expect(page.locator(':focus')).toContainText('Your coach has it')
  await page.getByRole('button', { name: 'Not now' }).press('Enter')
  await expect(page.locator(':focus')).toContainText('Switch it on in Profile, under Notices.')
  // Only a logout makes it ask again.
  await page.evaluate(() => localStorage.removeItem('asked-answer-notice'))
  await page.reload()
  await expect(page.getByText('Want to know when it’s answered?')).toBeVisible()
  await page.evaluate(() => Object.assign(Notification, { requestPermission: async () => 'denied' }))
  await page.getByRole('button', { name: 'Tell me' }).press('Enter')
  await expect(page.getByText('Notices are still off')).toBeVisible()
  await expect(page.locator(':focus')).toContainText('Switch them on in Profile, under Notices.')

  await context.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }))
  await page.goto('/members/notices')
  await expect(page.getByText('Notices are blocked on this phone')).toBeVisible()
  await expect(answer).toBeDisabled()
  expect(await findViolations(page)).toEqual([])
})

/** A UUIDv7, as a phone makes it. */
function newQuestionId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
