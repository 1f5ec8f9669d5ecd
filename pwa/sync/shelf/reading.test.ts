import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { addBoxes, videoFileOf } from '#api/testing/media.ts'
import { addOwnVideo, storeFile } from '#api/testing/own-videos.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { refreshTexts, refreshVideos, saveSnapshot } from '#pwa/sync/progress/snapshots.ts'
import type { MemberStore } from '#pwa/sync/progress/store.ts'
import type { SyncSession } from '#pwa/sync/session/session.ts'
import { createPhone, type Phone } from '#pwa/sync/testing/phone.ts'
import { createPhoneShelf, type PhoneShelf } from '#pwa/sync/testing/shelf.ts'
import { createShelf, type Shelf } from './shelf.ts'
import { readShelfRow } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-reading-'))
afterAll(() => rmSync(folder, { recursive: true }))

let world: World
let phone: Phone
let browser: PhoneShelf
let app: SyncSession
let store: MemberStore
let shelf: Shelf

beforeEach(async () => {
  world = startWorld({ env: { DATA_DIR: folder } })
  const member = world.addMember({ tier: 'lite' })
  phone = createPhone(world)
  phone.cookie = world.signIn(member).cookie
  browser = createPhoneShelf(phone)
  app = phone.openApp()
  await app.start()
  store = (await app.enter(member.id)).store
  shelf = createShelf({ store, platform: phone.platform, device: browser.device })
})

afterEach(() => {
  shelf.stop()
  app.close()
  expect(phone.faults).toEqual([])
})

/** A new opening of the app. */
async function reopen() {
  shelf.stop()
  await shelf.settled()
  const { fetch } = phone.platform
  const list = await refreshVideos(store, fetch, phone.platform.wall())
  if (typeof list === 'string') throw new Error(`The list is ${list}.`)
  await refreshTexts(store, fetch, list.texts, phone.platform.wall())
  shelf = createShelf({ store, platform: phone.platform, device: browser.device })
  shelf.start()
  await shelf.settled()
}

const owner = () => world.signIn(world.addOwner())
const soundOf = (seed: number) =>
  addBoxes([
    ['ftyp', 'M4A \0\0\x02\0isomiso2'],
    ['moov', `seed ${seed}`],
  ])

async function addVideo(title: string, seed: number, more: object = {}) {
  const videoFile = await storeFile(world, videoFileOf(3_000, seed), `${title}.mp4`)
  const video = await addOwnVideo(owner(), title, { filmFiles: [videoFile.id], ...more })
  return { id: video.id, videoFile, video }
}

const asked = () => phone.network.sent.filter(({ path }) => /^\/api\/media\/[^/]+$/.test(path)).map(({ path }) => path)
const handoutsHere = async (id: string) => (await store.kept.get(id))?.handouts.map(({ address }) => address)
const keptIds = async () => (await store.kept.orderBy('videoId').toArray()).map(({ videoId }) => videoId)

test('downloads come after the videos, under the same rules, each once, and a full phone loses no video to them', async () => {
  const [sheet, list] = [
    await storeFile(world, videoFileOf(2_000, 11), 'Sheet.mp4'),
    await storeFile(world, videoFileOf(2_500, 12), 'List.mp4'),
  ]
  const handoutFiles = [sheet, list].map(({ id }) => ({ file: id, title: id }))
  const [first, second] = [await addVideo('A', 1, { handoutFiles }), await addVideo('B', 2)]
  await reopen()
  browser.network = 'mobile'
  await shelf.keep([first.id, second.id], 'film')
  await shelf.settled()
  expect(asked()).toEqual([])
  const { write } = browser.device.files
  browser.network = 'wifi'
  browser.device.files.write = async (file, index, bytes) => {
    if (file === list.sha256) throw new DOMException('The store is full.', 'QuotaExceededError')
    await write(file, index, bytes)
  }
  await reopen()
  const [videos, downloads] = [
    [first.videoFile, second.videoFile],
    [sheet, list],
  ].map((files) => files.map(({ address }) => address))
  expect(new Set(asked().slice(0, 2))).toEqual(new Set(videos))
  expect(asked().slice(2)).toEqual(downloads)
  expect((await store.kept.toArray()).every(({ whole }) => whole !== null)).toBe(true)
  expect([await handoutsHere(first.id), (await readShelfRow(store)).pause]).toEqual([[sheet.address], 'room'])
  browser.device.files.write = write
  await shelf.choose({ isWifiOnly: true })
  shelf.fetchNow()
  await expect.poll(() => handoutsHere(first.id)).toEqual(downloads)
  const { version } = await (await owner()(`/api/admin/videos/${first.id}/lesson`)).json()
  await owner()(`/api/admin/videos/${first.id}`, { method: 'PATCH', body: { title: 'Another title', version } })
  await reopen()
  expect(asked().slice(4)).toEqual([list.address])
})

test('the next two come by themselves, and go once they’re ticked and no longer playing', async () => {
  const videos = [await addVideo('A', 1), await addVideo('B', 2), await addVideo('C', 3)]
  await reopen()
  await shelf.choose({ keepsNext: true })
  await shelf.settled()
  const [first = '', second = ''] = videos.map(({ id }) => id)
  expect(new Set(await keptIds())).toEqual(new Set([first, second]))
  await app.engine()?.toggle(first, true)
  await app.engine()?.syncNow()
  browser.isKeptPlaying = true
  await reopen()
  expect(await keptIds()).toContain(first)
  browser.isKeptPlaying = false
  await reopen()
  expect(new Set(await keptIds())).toEqual(new Set(videos.slice(1).map(({ id }) => id)))
})

test('of the next two, one that the member deletes stays away until they switch it on again or keep it', async () => {
  const videos = [await addVideo('A', 1), await addVideo('B', 2), await addVideo('C', 3)]
  const [first = '', second = '', third = ''] = videos.map(({ id }) => id)
  await reopen()
  await shelf.choose({ keepsNext: true })
  await shelf.settled()
  await shelf.remove([first])
  await reopen()
  expect(new Set(await keptIds())).toEqual(new Set([second, third]))
  await shelf.choose({ keepsNext: false })
  await shelf.settled()
  expect(await keptIds()).toEqual([])
  await shelf.choose({ keepsNext: true })
  await shelf.settled()
  expect(new Set(await keptIds())).toEqual(new Set([first, second]))
})

test('where the browser says nothing of the network, “any network” holds for the next opening too', async () => {
  const video = await addVideo('A', 1)
  browser.network = 'unknown'
  await reopen()
  await shelf.choose({ isWifiOnly: false, hasChosen: true })
  await shelf.settled()
  await reopen()
  await shelf.keep([video.id], 'film')
  await shelf.settled()
  expect((await store.kept.get(video.id))?.whole?.sha256).toBe(video.videoFile.sha256)
})

test('a browser told to save data keeps the sound of the next two, until the member chooses a form', async () => {
  const video = await addVideo('A', 1)
  const sound = await storeFile(world, soundOf(1), 'A.m4a')
  await owner()(`/api/admin/videos/${video.id}/versions/sound`, { method: 'PUT', body: { file: sound.id } })
  browser.savesData = true
  await reopen()
  await shelf.choose({ mostBytes: null })
  await shelf.choose({ keepsNext: true })
  await shelf.settled()
  expect((await store.kept.get(video.id))?.whole?.form).toBe('sound')
  await shelf.choose({ form: 'film', hasChosen: true })
  await shelf.remove([video.id])
  await shelf.choose({ keepsNext: true })
  await shelf.settled()
  expect((await store.kept.get(video.id))?.whole?.form).toBe('film')
})

test('what stays locked for 30 days is deleted, though the server never said a word', async () => {
  const video = await addVideo('A', 1)
  await reopen()
  await shelf.keep([video.id], 'film')
  await shelf.settled()
  const user = await (await phone.platform.fetch('/api/auth/user', { credentials: 'include' })).json()
  await saveSnapshot(store, 'user', { value: user, savedAt: phone.platform.wall() })
  const openOffline = async () => {
    phone.isOnline = false
    shelf.stop()
    await shelf.settled()
    shelf = createShelf({ store, platform: phone.platform, device: browser.device })
    shelf.start()
    await shelf.settled()
  }
  world.forward(59 * 24 * 60 * 60_000)
  await openOffline()
  expect(browser.pieces.size).toBe(1)
  world.forward(2 * 24 * 60 * 60_000)
  await openOffline()
  expect([browser.pieces.size, await keptIds()]).toEqual([0, []])
})
