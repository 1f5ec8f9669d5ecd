import type { LaunchOptions, Page } from '@playwright/test'
import sharp from 'sharp'
import * as v from 'valibot'
import { QuestionList } from '#shared/contract/questions.ts'
import { findViolations } from './axe.ts'
import { expect, test, underServiceWorker } from './fixtures.ts'
import { leaveRoomFor20kB } from './full-phone.ts'
import { openList, progressByTitle, tick } from './members-steps.ts'
import { joinOverHttp, newPerson } from './people.ts'
import { type OwnPhone, openPhone } from './shelf-steps.ts'

// What a phone does to someone who asks: a full disk, a call coming in, a refused microphone, files that are no photos.

const fakeMicrophone = '--use-fake-device-for-media-stream'
const allowed = [fakeMicrophone, '--use-fake-ui-for-media-stream']

const withArguments = (options: LaunchOptions, more: readonly string[]): LaunchOptions => ({
  ...options,
  args: [...(options.args ?? []), ...more],
})

async function openAsk({ context, page }: OwnPhone, firstName: string): Promise<void> {
  await joinOverHttp(context.request, newPerson(firstName, 'Rough'))
  await page.goto('/members/ask')
  await expect(page.getByLabel('What’s your question?')).toBeEnabled()
}

async function record(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Record' }).click()
  await expect(page.getByRole('timer')).toHaveAccessibleName(/^[2-9] seconds recorded$/)
}

test('a call coming in pauses a recording, and a microphone that goes ends it: what was said stays', {
  tag: '@full',
}, async ({ launchOptions, baseURL }) => {
  const own = await openPhone(baseURL, withArguments(launchOptions, allowed))
  const { context, page, close } = own
  try {
    // The phone tells a page of a call by its microphone's track.
    await context.addInitScript(() => {
      const devices = navigator.mediaDevices
      const open = devices.getUserMedia.bind(devices)
      devices.getUserMedia = async (wanted) => {
        const stream = await open(wanted)
        Object.assign(globalThis, { track: stream.getAudioTracks()[0] })
        return stream
      }
    })
    await openAsk(own, 'Cal')
    await record(page)
    await page.evaluate('track.dispatchEvent(new Event("mute"))')
    await expect(page.getByText('Paused for a call or another app.').first()).toBeVisible()
    await page.getByRole('button', { name: 'Carry on' }).click()
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
    await page.evaluate('track.stop()')
    await expect(page.getByText(/The microphone cut out. We’ve kept the \d+ seconds? before that/)).toBeAttached()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Play your voice note' })).toBeVisible()
  } finally {
    await close()
  }
})

test('two tabs at one question: nothing on screen is taken for sent that isn’t, and nothing typed is lost', {
  tag: '@full',
}, async ({ launchOptions, baseURL }) => {
  const own = await openPhone(baseURL, withArguments(launchOptions, allowed))
  const { context, page: first, close } = own
  try {
    await openAsk(own, 'Twotabs')
    const second = await context.newPage()
    const [text, send] = [(page: Page) => page.getByLabel('What’s your question?'), { name: 'Send', exact: true }]
    await first.bringToFront()
    await record(first)
    await second.goto('/members/ask')
    await text(second).fill('Hear this')
    await second.getByRole('button', send).click()
    await expect(second.getByText('You’re recording in another tab. Press Done there first.')).toBeVisible()
    await first.getByRole('button', { name: 'Done' }).click()
    await expect(first.getByRole('button', { name: 'Play your voice note' })).toBeVisible()
    await second.getByRole('button', { name: 'Throw it away' }).click()
    await expect(first.getByRole('button', { name: 'Play your voice note' })).toBeHidden()

    await text(first).fill('Which valve?')
    await expect(text(second)).toBeEnabled()
    await text(second).fill('Which valve? Serial 12345')
    await first.getByRole('button', send).click()
    await expect(first.getByText(/^(Sent|Saved on this phone)/).first()).toBeVisible()
    await second.getByRole('button', send).click()
    await expect(second.getByText('You’ve already sent this from another tab.')).toBeVisible()
    await second.reload()
    await expect(text(second)).toHaveValue('Which valve? Serial 12345')
  } finally {
    await close()
  }
})

test('a refused microphone says where it’s turned on, and a voice note this phone can’t play is given as a file', {
  tag: '@full',
}, async ({ launchOptions, baseURL }) => {
  const refused = await openPhone(baseURL, withArguments(launchOptions, [fakeMicrophone]))
  try {
    await openAsk(refused, 'Ref')
    await refused.page.getByRole('button', { name: 'Record' }).click()
    await expect(refused.page.getByText('The microphone’s off for this site')).toBeVisible()
  } finally {
    await refused.close()
  }
  const mute = await openPhone(baseURL, withArguments(launchOptions, allowed))
  const { context, page, close } = mute
  try {
    await context.addInitScript(() => {
      HTMLMediaElement.prototype.canPlayType = () => ''
    })
    await openAsk(mute, 'Mute')
    await record(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText('This phone can’t play it. Save the file and open it in another app.')).toBeVisible()
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save the file' }).click()
    expect((await saved).suggestedFilename()).toMatch(/^voice-note\.(m4a|webm)$/)
  } finally {
    await close()
  }
})

/** A PNG that says it has 900 megapixels, and ends there. */
function decoderBomb(): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452000075300000753008060000000000000000000049444154', 'hex')
  return Buffer.concat([head, Buffer.alloc(64)])
}

/** The head of an iPhone's photo, which no browser but Safari opens. */
const heic = Buffer.concat([Buffer.from('00000018667479706865696300000000', 'hex'), Buffer.alloc(2_000)])

test('twenty files chosen together: three are looked at, and each one that isn’t a photo says why', {
  tag: '@full',
}, async ({ launchOptions, baseURL }) => {
  const own = await openPhone(baseURL, launchOptions)
  const { page, close } = own
  try {
    await openAsk(own, 'Pip')
    const cmyk = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#aa2211' } })
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer()
    const files = [
      { name: 'bomb.png', mimeType: 'image/png', buffer: decoderBomb() },
      { name: 'iphone.heic', mimeType: 'image/heic', buffer: heic },
      { name: 'print.jpg', mimeType: 'image/jpeg', buffer: cmyk },
      ...Array.from({ length: 17 }, (_, at) => ({ name: `${at}.jpg`, mimeType: 'image/jpeg', buffer: cmyk })),
    ]
    await page.getByLabel('Add photos').setInputFiles(files)
    await expect(page.getByText('You can send up to 3 photos. We’ve left 17 photos out.')).toBeVisible()
    await expect(page.getByText('bomb.png: it’s too big for this phone.')).toBeVisible()
    await expect(page.getByText('iphone.heic: this phone can’t open it. On an iPhone')).toBeVisible()
    await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible()
    const rest = [
      { name: 'empty.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) },
      { name: 'note.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('This is a text.') },
    ]
    await page.getByLabel('Add another').setInputFiles(rest)
    await expect(page.getByText('empty.jpg: this file’s empty. Take the photo again.')).toBeVisible()
    await expect(
      page.getByText('note.jpg: this isn’t a photo we can read. Take a photo, or send a screenshot of it.'),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Your coach has it. The answer will be here.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Photo 1 of 1: see it larger' })).toBeVisible()
  } finally {
    await close()
  }
})

test('a phone that’s full in the middle says what it can’t keep: what’s typed and the ticks that wait stay, and all of it goes once', {
  tag: '@full',
}, async ({ launchOptions, baseURL }) => {
  const own = await openPhone(baseURL, launchOptions)
  const { context, page, close } = own
  const title = 'The year on one page'
  try {
    await openAsk(own, 'Fay')
    await underServiceWorker(page)
    await openList(page)
    await context.setOffline(true)
    await tick(page, title)
    await page.goto('/members/ask')
    const text = page.getByLabel('What’s your question?')
    await expect(text).toBeEnabled()
    const makeRoom = await leaveRoomFor20kB(page)
    await text.fill('Is this the valve?')
    const photo = await sharp({
      create: {
        width: 900,
        height: 700,
        channels: 3,
        background: '#555',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
      .jpeg()
      .toBuffer()
    await page.getByLabel('Add photos').setInputFiles({ name: 'valve.jpg', mimeType: 'image/jpeg', buffer: photo })
    await expect(page.getByText('There’s no room on this phone')).toBeVisible()
    await expect(page.getByText('What you write or record here stays while this page is open.')).toBeVisible()
    await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Not sent yet')).toBeVisible()
    await expect(page.getByText('This phone can’t save it, so keep this page open').first()).toBeVisible()
    // The battery is flat before there's signal: the photo has gone with the page, the text hasn't.
    await page.goto('/members/questions')
    await page.getByRole('link', { name: 'Is this the valve?' }).click()
    await expect(text).toHaveValue('Is this the valve?')
    await makeRoom()
    await page.reload()
    await expect(text).toHaveValue('Is this the valve?')
    await page.getByLabel('Add photos').setInputFiles({ name: 'valve.jpg', mimeType: 'image/jpeg', buffer: photo })
    await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Saved on this phone')).toBeVisible()
    await context.setOffline(false)
    const arrived = async () => {
      const { questions } = v.parse(QuestionList, await (await context.request.get('/api/members/questions')).json())
      return questions.map(({ messages }) => [messages[0]?.text, messages[0]?.files.map(({ state }) => state)])
    }
    await expect.poll(arrived).toEqual([['Is this the valve?', ['ready']]])
    await expect.poll(async () => (await progressByTitle(context.request))[title]).toBe(true)
  } finally {
    await close()
  }
})

test('a logout names what waits, each on a row that’s read and pressed at 320', { tag: '@full' }, async ({
  launchOptions,
  baseURL,
}) => {
  const own = await openPhone(baseURL, launchOptions)
  const { context, page, close } = own
  try {
    await openAsk(own, 'Loz')
    await underServiceWorker(page)
    await context.setOffline(true)
    await page.setViewportSize({ width: 320, height: 640 })
    await page.getByLabel('What’s your question?').fill('Is this the valve that goes on the return?')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Saved on this phone')).toBeVisible()
    await page.goto('/members')
    await page.getByRole('link', { name: 'Logout' }).click()
    const row = page.getByRole('dialog').getByRole('listitem')
    await expect(row).toHaveText(/Is this the valve that goes on the return\?” ?Waiting to send\./)
    for (const name of [/^Send /, /^Delete /]) {
      const box = await row.getByRole('button', { name }).boundingBox()
      expect(box?.width).toBeGreaterThan(box?.height ?? 0)
    }
    expect((await row.boundingBox())?.width).toBeGreaterThan(230)
    expect(await findViolations(page)).toEqual([])
    await row.getByRole('button', { name: /^Delete / }).click()
    await expect(page.getByText('Nothing’s left to send. You can log out now.')).toBeFocused()
  } finally {
    await close()
  }
})
