import { type LaunchOptions, type Page, request } from '@playwright/test'
import * as v from 'valibot'
import { QuestionList } from '#shared/contract/questions.ts'
import { findViolations } from './axe.ts'
import { expect, phone, signIn, startApp, test, toastOf, underServiceWorker } from './fixtures.ts'
import { joinOverHttp, logInOverHttp, newPerson, ownPassword } from './people.ts'
import { openPhone } from './shelf-steps.ts'

/** A made-up microphone that beeps, and a person who allows it. */
const withMicrophone = (options: LaunchOptions): LaunchOptions => ({
  ...options,
  args: [...(options.args ?? []), '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
})

test('a question with a photo and a voice note is asked without signal at 390, goes once, and its answer is read', async ({
  launchOptions,
  baseURL,
}) => {
  const { context, page, close } = await openPhone(baseURL, withMicrophone(launchOptions))
  try {
    await joinOverHttp(context.request, newPerson('Ned', 'Olive'))
    await page.goto('/members')
    await underServiceWorker(page)
    await page.getByRole('link', { name: 'Ask your coach' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Ask your coach' })).toBeVisible()
    expect(await violationsOf(page)).toEqual([])
    const photo = await largePhoto(page)

    await context.setOffline(true)
    await page.reload()
    const text = page.getByLabel('What’s your question?')
    await text.fill('Which of these two valves goes on the return?')
    await page.getByLabel('Add photos').setInputFiles([
      { name: 'empty.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) },
      { name: 'valve.jpg', mimeType: 'image/jpeg', buffer: photo },
    ])
    await expect(page.getByText('empty.jpg: this file’s empty. Take the photo again.')).toBeVisible()
    await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: '1 photo added.' })).toBeAttached()
    await page.getByRole('button', { name: 'Record' }).click()
    await expect(page.getByRole('timer')).toHaveAccessibleName('2 seconds recorded')
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Carry on' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByRole('button', { name: 'Play your voice note' })).toBeFocused()
    await page.getByRole('button', { name: 'Play your voice note' }).click()
    await expect(page.getByRole('button', { name: 'Pause your voice note' })).toBeVisible()

    // A flat battery: all of it is still there.
    await page.reload()
    await expect(text).toHaveValue('Which of these two valves goes on the return?')
    await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Play your voice note' })).toBeVisible()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Saved on this phone')).toBeVisible()
    await expect(page.getByText('We’ll send it when you’re back in range').first()).toBeVisible()
    expect(await violationsOf(page)).toEqual([])

    await context.setOffline(false)
    const asked = async () => {
      const response = await context.request.get('/api/members/questions')
      return v.parse(QuestionList, await response.json()).questions
    }
    const statesOf = async () =>
      (await asked()).map(({ messages }) => messages[0]?.files.map((file) => `${file.kind} ${file.state}`).sort())
    await expect.poll(statesOf).toEqual([['photo ready', 'voice ready']])
    const [question] = await asked()

    const owner = await request.newContext({ ...(baseURL ? { baseURL } : {}) })
    await logInOverHttp(owner, 'owner@alliance.test')
    const data = {
      id: '01980000-0000-7000-8000-000000000001',
      text: 'The one on the left.',
      version: question?.version,
    }
    expect((await owner.post(`/api/admin/questions/${question?.id}/answers`, { data })).status()).toBe(200)
    await owner.dispose()

    await page.goto('/members/questions')
    await expect(page.getByText('New answer')).toBeVisible()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'Which of these two valves' }).click()
    await expect(page.getByText('The one on the left.')).toBeVisible()
    expect(await violationsOf(page)).toEqual([])
    await expect.poll(async () => (await asked())[0]?.isUnread).toBe(false)
    // As a pressed notice opens it, with none of our pages before it.
    await page.reload()
    await expect(page.getByText('The one on the left.')).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Account' })).toHaveCSS('justify-content', 'space-between')
  } finally {
    await close()
  }
})

test('a second tab says that the first is recording, and who came from a public page gets a load before it, draft kept', async ({
  launchOptions,
  baseURL,
}) => {
  const { context, page, close } = await openPhone(baseURL, withMicrophone(launchOptions))
  try {
    await joinOverHttp(context.request, newPerson('Iris', 'Lath'))
    await page.goto('/')
    await startApp(page)
    const valve = { name: 'valve.jpg', mimeType: 'image/jpeg', buffer: await largePhoto(page) }
    await page.evaluate(() => history.pushState(null, '', '/members/ask'))
    await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')))
    await page.getByLabel('What’s your question?').fill('Kept through the load')
    // It waits for the photos, and for the person where one of them couldn't be added.
    const empty = { name: 'empty.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) }
    await page.getByLabel('Add photos').setInputFiles([valve, empty])
    await page.getByRole('button', { name: 'Record' }).click()
    await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible()
    await expect(page.getByText(/^empty.jpg: this file’s empty/)).toBeVisible()
    await page.getByLabel('Add another').setInputFiles(valve)
    await page.getByRole('button', { name: 'Record' }).click()
    await expect(page.getByText('Ready. Press Record and talk.')).toBeVisible()
    await expect(page.getByRole('img', { name: 'Photo 2' })).toBeVisible()
    await expect(page.getByLabel('What’s your question?')).toHaveValue('Kept through the load')
    await expect(page.getByRole('button', { name: 'Record' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('timer')).toBeVisible()
    const second = await context.newPage()
    await second.goto('/members/ask?call=01980000-0000-7000-8000-00000000000a')
    await second.getByRole('button', { name: 'Record' }).click()
    await expect(second.getByText('You’re recording in another tab')).toBeVisible()
    await page.bringToFront()
    await page.getByRole('button', { name: 'Throw it away' }).click()
    await expect(page.getByRole('button', { name: 'Record' })).toBeFocused()
  } finally {
    await close()
  }
})

test.describe('without what a worker keeps', () => {
  test.use({ serviceWorkers: 'block' })

  test('a logout that couldn’t load what names an unsent question deletes nothing: its member finds it again', async ({
    page,
    context,
  }) => {
    const person = newPerson('Una', 'Lintel')
    await joinOverHttp(context.request, person)
    await page.goto('/members/ask')
    const text = page.getByLabel('What’s your question?')
    await text.fill('Half a question')
    await page.reload()
    await expect(text).toHaveValue('Half a question')
    await page.goto('/members')
    await expect(page.getByRole('link', { name: 'Logout' })).toBeVisible()
    // Nor does the server say whether it has that file.
    const isMissing = (url: URL) => /\/assets\/open-questions[^/]*\.js$/.test(url.pathname)
    await context.route(
      () => true,
      (route, request) =>
        isMissing(new URL(request.url())) || request.method() === 'HEAD' ? route.abort() : route.fallback(),
    )
    await page.getByRole('link', { name: 'Logout' }).click()
    await expect(toastOf(page)).toContainText('Logged out')
    await context.unrouteAll()
    await signIn(page, person.email, ownPassword)
    await page.goto('/members/ask')
    await expect(text).toHaveValue('Half a question')
  })
})

/** Tall enough for all of it: where the dock happens to cover half a button, axe takes it for a small one. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 390, height: 2000 })
  const found = await findViolations(page)
  await page.setViewportSize(phone.viewport)
  return found
}

/** 12 megapixels, as a phone's camera takes them. */
async function largePhoto(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(4000, 3000)
    const context = canvas.getContext('2d')
    for (let index = 0; index < 4000; index += 1) {
      if (!context) break
      context.fillStyle = `hsl(${(index * 37) % 360} 50% ${30 + ((index * 13) % 50)}%)`
      context.fillRect((index * 811) % 4000, (index * 577) % 3000, 160, 120)
    }
    const bytes = new Uint8Array(
      await (await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 })).arrayBuffer(),
    )
    let text = ''
    for (const byte of bytes) text += String.fromCharCode(byte)
    return btoa(text)
  })
  return Buffer.from(base64, 'base64')
}
