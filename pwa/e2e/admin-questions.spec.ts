import { type APIRequestContext, expect as expectOf, type LaunchOptions, type Page } from '@playwright/test'
import { uuidV7 } from '#shared/rules/id.ts'
import { desktop, expect, phone, test, toastOf } from './fixtures.ts'
import { joinOverHttp, logInOverHttp, newPerson } from './people.ts'
import { openPhone } from './shelf-steps.ts'
import { expectSound } from './sound.ts'
import { expectNothingStoredOf } from './stored-data.ts'

const newId = () => uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(10)))

/** A member asks from a video, over HTTP. */
async function askOverHttp(request: APIRequestContext, text: string, mayPublish = false) {
  const [video] = await (await request.get('/api/member-videos')).json()
  const id = newId()
  const about = { kind: 'video', videoId: video.id, seconds: 75 }
  const at = new Date().toISOString()
  const data = { id, at, text, origin: 'video', about, mayPublish }
  const response = await request.post('/api/members/questions', { data })
  expectOf(response.status()).toBe(200)
  return { id, video: video as { title: string; slug: string } }
}

for (const [size, screen] of Object.entries({ phone, desktop }))
  test.describe(size, () => {
    test.use(screen)

    test('a coach reads a question, answers it with a saved reply and a link, publishes it and closes it; members find it useful', {
      tag: '@full',
    }, async ({ page, browser, baseURL }) => {
      test.setTimeout(240_000)
      const person = newPerson('Robin', 'Ash')
      const phoneOf = await browser.newContext({ ...screen, ...(baseURL ? { baseURL } : {}) })
      await joinOverHttp(phoneOf.request, person)
      const words = `What goes on the quote for a swap at ${size}?`
      const { video } = await askOverHttp(phoneOf.request, words, true)
      await logInOverHttp(page.request, 'owner@alliance.test')
      await page.goto(`/admin/questions?q=${encodeURIComponent(person.email)}`)
      await expect(page.getByRole('button', { name: 'Open Robin Ash’s question' })).toBeVisible()
      await expectSound(page, 'the list of questions')
      await page.getByRole('button', { name: 'Open Robin Ash’s question' }).click()
      const thread = page.getByRole('list', { name: 'What was said' })
      await expect(thread).toContainText(words)
      await expect(page.getByText('Nothing open.')).toBeVisible()
      await expectSound(page, 'an open question')

      await page.getByRole('button', { name: 'Use a saved reply' }).click()
      const replies = page.getByRole('dialog', { name: 'Saved replies' })
      await replies.getByRole('button', { name: 'Write a new one' }).click()
      await replies.getByLabel('Title').fill(`Swap ${size}`)
      await replies.getByLabel('Text', { exact: false }).last().fill('Parts, labour and VAT on their own lines.')
      await expectSound(page, 'saved replies')
      await replies.getByRole('button', { name: 'Save the reply' }).click()
      await replies.getByRole('button', { name: `Use “Swap ${size}”` }).click()
      await page.getByRole('button', { name: 'Link a video or post' }).click()
      const links = page.getByRole('dialog', { name: 'Link a video or post' })
      await links.getByRole('button', { name: video.title }).click()
      await page.getByRole('button', { name: 'Send the answer' }).click()
      await expect(toastOf(page)).toContainText('Answer sent')
      await expect(thread).toContainText('Parts, labour and VAT on their own lines.')

      await page.getByRole('button', { name: 'Publish below a video' }).click()
      const publishing = page.getByRole('dialog', { name: 'Publish below a video' })
      await publishing.getByLabel('Question').fill(`What goes on a quote (${size})?`)
      // The message of the answer doesn't stand on the dialog's buttons.
      await publishing.getByRole('button', { name: 'Publish', exact: true }).click({ trial: true, timeout: 3_000 })
      await expectSound(page, 'publishing')
      await publishing.getByRole('button', { name: 'Publish', exact: true }).click()
      await expect(toastOf(page)).toContainText('Published')
      await page.getByRole('button', { name: 'Close the question' }).click()
      await expect(page.getByText('This question is closed')).toBeVisible()

      const member = await phoneOf.newPage()
      await member.goto(`/members/videos/${video.slug}`)
      const asked = member.getByRole('region', { name: 'Asked by members' })
      await expect(asked).toContainText(`What goes on a quote (${size})?`)
      const useful = asked.getByRole('listitem').filter({ hasText: size }).getByRole('button', { name: 'Useful' })
      await useful.click()
      await expect(useful).toHaveAttribute('aria-pressed', 'true')
      await expect(useful).toContainText('to 1')
      await expectSound(member, 'a published question')
      await member.reload()
      await expect(useful).toHaveAttribute('aria-pressed', 'true')
      await phoneOf.close()
    })
  })

/** A made-up microphone that beeps, and a person who allows it. */
const withMicrophone = (options: LaunchOptions): LaunchOptions => ({
  ...options,
  args: [...(options.args ?? []), '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
})

async function record(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Record a voice note' }).click()
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(page.getByRole('timer')).toHaveAccessibleName('2 seconds recorded')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'Play your voice note' })).toBeVisible()
}

test('an answer in words and voice that isn’t sent is there again after another device has logged this one out', {
  tag: '@full',
}, async ({ request, launchOptions, baseURL }) => {
  test.setTimeout(240_000)
  const own = await openPhone(baseURL, withMicrophone(launchOptions))
  try {
    const { context, page } = own
    const other = newPerson('Rowan', 'Elder')
    await joinOverHttp(request, other)
    const { id } = await askOverHttp(request, 'Which trap for a wet room?')
    await logInOverHttp(context.request, 'owner@alliance.test')
    await page.goto(`/admin/questions?entry=${id}`)
    await page.getByLabel('Your answer').fill('A bottle trap, and slope it.')
    await record(page)

    const logins = await (await context.request.get('/api/user/sessions')).json()
    const here = logins.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)
    await logInOverHttp(request, 'owner@alliance.test')
    const revoked = await request.post('/api/user/sessions/revoke', { data: { id: here.id } })
    expect(revoked.status()).toBe(200)
    await page.reload()
    await expect(page).toHaveURL(/\/login\?redirect=%2Fadmin%2Fquestions/)
    await expect(toastOf(page)).toContainText('What you hadn’t saved is safe on this device.')
    await expectNothingStoredOf(page, ['bottle trap', 'Rowan'])
    expect(await page.evaluate(() => caches.has('alliance-answer-voice'))).toBe(false)

    await logInOverHttp(context.request, 'owner@alliance.test')
    await page.goto(`/admin/questions?entry=${id}`)
    await expect(page.getByLabel('Your answer')).toHaveValue('A bottle trap, and slope it.')
    await page.getByRole('button', { name: 'Send the answer' }).click()
    await expect(toastOf(page)).toContainText('Answer sent')
    await expect(page.getByRole('list', { name: 'What was said' }).getByRole('button', { name: /^Play/ })).toBeVisible()
  } finally {
    await own.close()
  }
})

test('a voice note that couldn’t be sent outlives the next one, and is sent again or thrown away', {
  tag: '@full',
}, async ({ request, launchOptions, baseURL }) => {
  test.setTimeout(240_000)
  const own = await openPhone(baseURL, withMicrophone(launchOptions))
  try {
    const { context, page } = own
    await joinOverHttp(request, newPerson('Ivy', 'Flux'))
    const { id } = await askOverHttp(request, 'Which flux on old pipe?')
    await logInOverHttp(context.request, 'owner@alliance.test')
    const isPiece = (url: URL) => url.pathname.startsWith('/api/admin/question-files/')
    const lose = () => context.route(isPiece, (route) => route.abort())
    const draft = page.getByRole('button', { name: 'Play your voice note' })
    const heard = page.getByRole('list', { name: 'What was said' }).getByRole('button', { name: /^Play/ })
    const left = page.getByText('Only the voice note’s still on this device.')
    const send = () => page.getByRole('button', { name: 'Send the answer' }).click()

    await lose()
    await page.goto(`/admin/questions?entry=${id}`)
    await record(page)
    await send()
    await expect(left).toBeVisible()
    await record(page)
    await page.reload()
    await expect(left).toBeVisible()
    await expect(draft).toBeVisible()
    await context.unroute(isPiece)
    await page.getByRole('button', { name: 'Send it again' }).click()
    await expect(heard).toHaveCount(1)
    await expect(left).toBeHidden()
    await expect(draft).toBeVisible()
    await send()
    await expect(heard).toHaveCount(2)

    await lose()
    await record(page)
    await send()
    await expect(left).toBeVisible()
    await expectSound(page, 'a voice note that couldn’t be sent')
    await page.getByRole('button', { name: 'Throw it away' }).click()
    await expect(left).toBeHidden()
    await context.unroute(isPiece)
    await page.reload()
    await expect(heard).toHaveCount(2)
    await expect(left).toBeHidden()
    await expect(draft).toBeHidden()
  } finally {
    await own.close()
  }
})
