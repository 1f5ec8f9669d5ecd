import '#pwa/testing/window.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fireEvent, screen, within } from '@testing-library/react'
import sharp from 'sharp'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { storeMedia } from '#api/features/media/store-service.ts'
import { rowsOf } from '#api/testing/enquiries.ts'
import { videoFileOf } from '#api/testing/media.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

const folder = mkdtempSync(join(tmpdir(), 'alliance-podcast-place-'))
afterAll(() => rmSync(folder, { recursive: true }))

let world: World
let browser: Browser
beforeEach(async () => {
  world = startWorld({ env: { DATA_DIR: folder } })
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

/** Two MP3 frames. On disk, because the server refuses jsdom’s own Blob. */
function mp3() {
  const path = join(folder, 'sound.mp3')
  writeFileSync(
    path,
    Uint8Array.from({ length: 834 }, (_, at) => [0xff, 0xfb, 0x90, 0x00][at % 417] ?? 0),
  )
  return Bun.file(path)
}
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const openNew = async () => {
  await press('New episode')
  await screen.findByRole('dialog')
}
const type = (label: RegExp, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } })

test('an episode is added out of the library, what was typed outlives a lost signal, and another owner’s change stands beside it', {
  tags: ['full'],
}, async () => {
  const { id } = await storeMedia(world.ctx, mp3(), { name: 'pricing.mp3', isPublic: true })
  await storeMedia(world.ctx, mp3(), { name: 'private.mp3', isPublic: false })
  await browser.open('/admin/podcast')
  await screen.findByText('No episodes yet')
  await openNew()
  await screen.findByRole('option', { name: 'pricing.mp3' })
  expect(screen.queryByRole('option', { name: 'private.mp3' })).toBeNull()
  type(/^Title/, 'Charging what it costs')
  await press('Save draft')
  await screen.findByText('Choose the audio.')
  fireEvent.change(screen.getByLabelText(/^Audio/), { target: { value: id } })
  type(/^Length/, '24:30')
  type(/^Summary/, 'Add up the van.')
  fireEvent.input(screen.getByLabelText('Publish'), { target: { value: 'now' } })
  browser.setSignal(false)
  await press('Publish now')
  await screen.findByText(/No signal/)
  browser.setSignal(true)
  await press('Publish now')
  await screen.findByText('24:30')
  expect(rowsOf(world, 'podcast_episodes')).toMatchObject([{ seconds: 1470, mediaId: id, isPublished: 1 }])

  await press('Charging what it costs')
  type(/^Summary/, 'Mine.')
  world.ctx.sqlite.exec(`update podcast_episodes set summary = 'Theirs.', version = 2`)
  await press('Save episode')
  const both = within(await screen.findByRole('table', { name: 'What’s different' }))
  expect(both.getByRole('row', { name: 'Summary Mine. Theirs.' })).toBeTruthy()
  await press('Save mine')
  await screen.findByText('Mine.')

  await press('More for Charging what it costs')
  await press('Delete: Charging what it costs')
  await press('Delete episode')
  await screen.findByText('No episodes yet')
  expect(rowsOf(world, 'podcast_episodes')).toEqual([])
})

test('the sound is uploaded in the form itself, and stays chosen; one that no app plays is named and not taken', {
  tags: ['full'],
}, async () => {
  const choose = (content: Uint8Array, name: string) =>
    fireEvent.change(screen.getByLabelText('Upload audio: file'), {
      target: { files: [new File([new Uint8Array(content)], name)] },
    })
  const chosen = () => screen.getByLabelText<HTMLSelectElement>(/^Audio/).selectedOptions[0]?.textContent
  await browser.open('/admin/podcast')
  await screen.findByText('No episodes yet')
  await openNew()
  type(/^Title/, 'Charging what it costs')
  // Named as audio, and a video inside.
  choose(videoFileOf(2000, 1), 'talk.m4a')
  await screen.findByText(/^talk\.m4a is in the library now\. Podcast apps can’t play this file/)
  expect(chosen()).toBe('No audio in the library yet')
  choose(new Uint8Array(await mp3().arrayBuffer()), 'talk.mp3')
  await expect.poll(chosen).toBe('talk.mp3')
  expect(screen.queryByRole('alert')).toBeNull()
  fireEvent.click(screen.getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
  await openNew()
  await expect.poll(chosen).toBe('talk.mp3')
  type(/^Length/, '24:30')
  type(/^Summary/, 'Add up the van.')
  await press('Save draft')
  await screen.findByText('24:30')
  const [sound] = world.ctx.sqlite.prepare(`select id from media where format = 'mp3' and isPublic = 1`).pluck().all()
  expect(rowsOf(world, 'podcast_episodes')).toMatchObject([{ mediaId: sound }])
})

test('an episode gets a picture of its own in the form; one that directories refuse is named at the field', {
  tags: ['full'],
}, async () => {
  const { id: mediaId } = await storeMedia(world.ctx, mp3(), { name: 'pricing.mp3', isPublic: true })
  const picture = async (side: number) => {
    const made = sharp({ create: { width: side, height: side, channels: 3, background: '#aa2211' } }).png()
    const path = join(folder, `${side}.png`)
    writeFileSync(path, await made.toBuffer())
    return (await storeMedia(world.ctx, Bun.file(path), { name: `${side}.png`, isPublic: true })).id
  }
  const [small, right] = [await picture(600), await picture(1400)]
  const field = () => screen.getByLabelText<HTMLSelectElement>(/^Its own picture/)
  await browser.open('/admin/podcast')
  await screen.findByText('No episodes yet')
  await openNew()
  await within(field()).findByRole('option', { name: '600.png' })
  type(/^Title/, 'Charging what it costs')
  fireEvent.change(screen.getByLabelText(/^Audio/), { target: { value: mediaId } })
  type(/^Length/, '24:30')
  type(/^Summary/, 'Add up the van.')
  fireEvent.change(screen.getByLabelText('Upload a picture: file'), {
    target: { files: [new File([new Uint8Array(videoFileOf(2000, 2))], 'talk.png')] },
  })
  await screen.findByText('talk.png is in the library now. Use a JPEG or PNG.')
  fireEvent.change(field(), { target: { value: small } })
  await press('Save draft')
  await screen.findByText(/has to be square, 1,400 to 3,000 pixels a side\. This one has 600 × 600/)
  fireEvent.change(field(), { target: { value: right } })
  await press('Save draft')
  await screen.findByText('24:30')
  expect(rowsOf(world, 'podcast_episodes')).toMatchObject([{ mediaId, pictureId: right }])
  await press('Charging what it costs')
  await expect.poll(() => field().selectedOptions[0]?.textContent).toBe('1400.png')
})
