import '#pwa/testing/window.ts'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addBoxes, officeFile, trackOf, videoFileOf } from '#api/testing/media.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { nextPieceBytes } from '#pwa/features/admin/kit/media/upload-store.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import type { MediaFile } from '#shared/contract/media.ts'

let folder: string
let world: World
let browser: Browser
let other: Call
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-media-page-'))
  world = startWorld({ env: { DATA_DIR: folder } })
  browser = createBrowser(world)
  const owner = world.addOwner()
  browser.signIn(owner)
  other = world.signIn(owner)
})
afterEach(async () => {
  await browser.close()
  rmSync(folder, { recursive: true })
})

const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))
const fileOf = (content: Uint8Array, name: string, type = '') => new File([new Uint8Array(content)], name, { type })
const choose = async (label: string, ...files: File[]) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { files } })
const stored = async (): Promise<MediaFile[]> => (await other('/api/admin/media')).json()
const bytesOf = (id: string) => {
  const sha256 = String(world.ctx.sqlite.prepare('select sha256 from media where id = ?').pluck().get(id))
  return readFileSync(join(folder, 'media', sha256.slice(0, 2), sha256))
}
const uploads = async () => within(await screen.findByRole('list', { name: 'Uploads' }))
const row = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }))

test('a video is sent in pieces, without signal it waits, and with it again it is stored to the byte', {
  tags: ['full'],
}, async () => {
  const videoFile = videoFileOf(900_000, 1)
  await browser.open('/admin/media')
  await screen.findByText('No files yet')
  browser.setDelivery('/api/admin/media/uploads', 'lose-response')
  await choose('Files to add', fileOf(videoFile, 'Hours.mp4'))
  await (await uploads()).findByText('No signal. We’ll carry on when you’re back online.')
  browser.setDelivery('/api/admin/media/uploads', 'deliver')
  fireEvent(window, new Event('online'))
  await (await uploads()).findByText('Stored')
  const [file] = await stored()
  expect([file?.name, file?.isPublic, file && bytesOf(file.id).equals(videoFile)]).toEqual(['Hours.mp4', false, true])
  const line = await row('Hours.mp4')
  expect([line.getByText('Video, MP4'), line.getByText('Members'), line.getByText('Not used yet')]).toHaveLength(3)
})

test('a video that doesn’t play everywhere says so before it’s sent, and one that plays nowhere isn’t sent', async () => {
  const videoFile = (codec: string) =>
    Buffer.concat([addBoxes([['ftyp', 'isom\0\0\0\0isom']]), addBoxes([['moov', trackOf('vide', codec)]])])
  await browser.open('/admin/media')
  await choose('Files to add', fileOf(videoFile('hvc1'), 'Phone.mov'), fileOf(videoFile('jpeg'), 'Old.mov'))
  const list = await uploads()
  await list.findByText(/^This video is HEVC \(H\.265\)\. .* Export it as MP4 with H\.264/)
  await list.findByText(/^This video is Motion-JPEG\. /)
  expect([list.getByText('Not sent yet'), list.getByText('Not stored')]).toHaveLength(2)
  expect(await (await other('/api/admin/media/uploads')).json()).toEqual([])
  await press('Upload Phone.mov anyway')
  await list.findByText('Stored')
  expect((await stored()).map(({ name }) => name)).toEqual(['Phone.mov'])
})

test('what is refused says why at its file; a paused upload goes on, also chosen anew on a page that was opened again', {
  tags: ['full'],
}, async () => {
  const videoFile = videoFileOf(700_000, 2)
  await browser.open('/admin/media')
  await choose('Files to add', fileOf(Buffer.from('<html><script>'), 'odd.mp4'))
  expect((await (await uploads()).findByRole('alert')).textContent).toMatch(/^You can upload mp4/)
  await choose('Files to add', fileOf(Buffer.alloc(0), 'empty.pdf'))
  await (await uploads()).findByText(/^This file is empty\. Save or export it again/)
  const elsewhere = await other('/api/admin/media/uploads', {
    body: { name: 'On the phone.mp4', bytes: 900, fingerprint: 'a'.repeat(64), isPublic: false },
  })
  expect(elsewhere.status).toBe(200)
  browser.setDelivery('/api/admin/media/uploads', 'lose-response')
  await choose('Files to add', fileOf(videoFile, 'Vans.mp4'))
  await (await uploads()).findByText('No signal. We’ll carry on when you’re back online.')
  await press('Pause Vans.mp4')
  await (await uploads()).findByText('Paused')
  browser.setDelivery('/api/admin/media/uploads', 'deliver')
  await browser.open('/admin/media')
  const unfinished = within(await screen.findByRole('region', { name: 'Unfinished uploads' }))
  unfinished.getByText('On the phone.mp4')
  unfinished.getByText('Vans.mp4')
  await choose('Files to add', fileOf(videoFile, 'Vans.mp4'))
  await (await uploads()).findByText('Stored')
  const [file] = await stored()
  expect(file && bytesOf(file.id).equals(videoFile)).toBe(true)
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel On the phone.mp4' }))
  await waitFor(async () => expect(await (await other('/api/admin/media/uploads')).json()).toEqual([]))
})

test('a file in use is not deleted and says where; replaced, it keeps its address; unused, it goes', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin/media')
  await choose('Files to add', fileOf(officeFile('xlsx'), 'Prices.xlsx'))
  await (await uploads()).findByText('Stored')
  const [file] = await stored()
  const video = { title: 'Pricing', videoType: 'wistia', videoId: 'abc123def4', category: 'Money' }
  const { id } = await (await other('/api/admin/videos', { body: video })).json()
  const handouts = (files: object[], version: number) =>
    other(`/api/admin/videos/${id}`, { method: 'PATCH', body: { handoutFiles: files, version } })
  await handouts([{ file: file?.id, title: 'Price sheet' }], 1)
  await browser.open('/admin/media?show=document')
  ;(await row('Prices.xlsx')).getByText('Download for: Pricing')
  await press('More for Prices.xlsx')
  await press('Delete: Prices.xlsx')
  await screen.findByText('Remove it from these first:')
  expect(screen.queryByRole('button', { name: 'Delete file' })).toBeNull()
  fireEvent.click(screen.getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
  await press('More for Prices.xlsx')
  await press('Replace: Prices.xlsx')
  await choose('The new file', fileOf(videoFileOf(5000, 3), 'film.mp4'))
  const dialog = within((await screen.findByText(/The address stays/)).closest('dialog') as HTMLElement)
  expect((await dialog.findByRole('alert')).textContent).toMatch(/This file is a \.xlsx and the new one is a \.mp4/)
  const newer = officeFile('xlsx')
  newer.writeUInt16LE(20, 4)
  await choose('The new file', fileOf(newer, 'Prices 2027.xlsx'))
  await waitFor(async () => expect((await stored())[0]?.name).toBe('Prices 2027.xlsx'))
  expect((await stored())[0]?.address).toBe(file?.address)
  await handouts([], 2)
  await browser.open('/admin/media')
  await press('More for Prices 2027.xlsx')
  await press('Delete: Prices 2027.xlsx')
  await press('Delete file')
  await waitFor(async () => expect(await stored()).toEqual([]))
})

test('pieces take about two seconds each, whatever the line', () => {
  expect(nextPieceBytes(256 * 1024, 100)).toBe(512 * 1024)
  expect(nextPieceBytes(256 * 1024, 60_000)).toBe(128 * 1024)
  expect(nextPieceBytes(1000, 60_000)).toBe(64 * 1024)
  expect(nextPieceBytes(4 * 1024 ** 2, 10)).toBe(4 * 1024 ** 2)
})

test('the same file under another name is there once, and the owner is told as what', { tags: ['full'] }, async () => {
  const videoFile = videoFileOf(2000, 3)
  await browser.open('/admin/media')
  await choose('Files to add', fileOf(videoFile, 'Hours.mp4'))
  await (await uploads()).findByText('Stored')
  expect((await uploads()).queryByText(/It’s in the library as/)).toBeNull()
  await choose('Files to add', fileOf(videoFile, 'Hours, final.mp4'))
  await (await uploads()).findByText('It’s in the library as “Hours.mp4”.')
  expect(await stored()).toHaveLength(1)
})

test('captions whose file is gone are said to be unreadable, and no error is shown in their place', {
  tags: ['full'],
}, async () => {
  world.ctx.sqlite
    .prepare(`insert into media (id, sha256, bytes, format, name, createdAt) values (?, ?, 2000, 'vtt', 'Gone.vtt', ?)`)
    .run(world.ctx.newId(), 'a'.repeat(64), '2026-06-12T07:40:00.000Z')
  await browser.open('/admin/media')
  await press('Gone.vtt')
  await screen.findByText('We couldn’t load the captions.')
})
