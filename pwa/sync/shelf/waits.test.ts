import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { videoFileOf } from '#api/testing/media.ts'
import { addOwnVideo, storeFile } from '#api/testing/own-videos.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { refreshVideos } from '#pwa/sync/progress/snapshots.ts'
import type { MemberStore } from '#pwa/sync/progress/store.ts'
import type { SyncSession } from '#pwa/sync/session/session.ts'
import { createPhone, type Phone } from '#pwa/sync/testing/phone.ts'
import { createPhoneShelf, type PhoneShelf } from '#pwa/sync/testing/shelf.ts'
import { createShelf, type Shelf } from './shelf.ts'
import { readShelfRow } from './store.ts'

// When the shelf tries again. The phone's usual dice take a quarter off each wait.

const folder = mkdtempSync(join(tmpdir(), 'alliance-waits-'))
afterAll(() => rmSync(folder, { recursive: true }))

let world: World
let phone: Phone
let browser: PhoneShelf
let app: SyncSession
let store: MemberStore
let shelf: Shelf
let videoId: string

beforeEach(async () => {
  world = startWorld({ env: { DATA_DIR: folder } })
  const member = world.addMember({ tier: 'lite' })
  phone = createPhone(world)
  phone.cookie = world.signIn(member).cookie
  browser = createPhoneShelf(phone)
  app = phone.openApp()
  await app.start()
  store = (await app.enter(member.id)).store
  const videoFile = await storeFile(world, videoFileOf(3_000, 1), 'A.mp4')
  videoId = (await addOwnVideo(world.signIn(world.addOwner()), 'A', { filmFiles: [videoFile.id] })).id
  await refreshVideos(store, phone.platform.fetch, phone.platform.wall())
  shelf = createShelf({ store, platform: phone.platform, device: browser.device })
  shelf.start()
  await shelf.settled()
})

afterEach(() => {
  shelf.stop()
  app.close()
  expect(phone.faults).toEqual([])
})

const isVideoFile = (path: string) => /^\/api\/media\/[^/]+$/.test(path)
const asked = (of: (path: string) => boolean) => phone.network.sent.filter(({ path }) => of(path)).length
const isHere = async () => (await store.kept.get(videoId))?.whole?.bytes === 3_000
const pauseNow = async () => (await readShelfRow(store)).pause

async function keep() {
  await shelf.keep([videoId], 'film')
  await shelf.settled()
}

async function wait(ms: number) {
  phone.wait(ms)
  await shelf.settled()
}

const busy = () => Response.json({ error: { code: 'busy', message: 'Busy.' } }, { status: 503 })
const withOtherBytes = async (response: Response) =>
  new Response(new Uint8Array(await response.arrayBuffer()).fill(1), { status: 206, headers: response.headers })

test.each([
  ['a server that’s busy', busy],
  ['bytes that aren’t the film’s', withOtherBytes],
])('after %s, each wait is twice as long as the one before', async (_what, change) => {
  browser.onTheWay = (response, path) => (isVideoFile(path) ? change(response) : response)
  await keep()
  const counts = [asked(isVideoFile)]
  for (const ms of [1_499, 1, 2_999, 1, 5_999, 1]) {
    await wait(ms)
    counts.push(asked(isVideoFile))
  }
  expect([counts, await pauseNow()]).toEqual([[1, 1, 2, 2, 3, 3, 4], 'server'])
  browser.onTheWay = (response) => response
  await wait(12_000)
  expect([await isHere(), await pauseNow()]).toEqual([true, null])
})

test('waiting for Wi-Fi, it looks again after ten minutes and not before', async () => {
  let looks = 0
  browser.device.network = () => {
    looks += 1
    return browser.network
  }
  browser.network = 'mobile'
  await keep()
  expect(await pauseNow()).toBe('wifi')
  const before = looks
  await wait(10 * 60_000 - 1)
  expect(looks).toBe(before)
  browser.network = 'wifi'
  await wait(1)
  expect(await isHere()).toBe(true)
})

test('after a 416 the shelf asks what may be kept again, then for the video', async () => {
  browser.onTheWay = (response, path) => (isVideoFile(path) ? new Response(null, { status: 416 }) : response)
  await keep()
  const before = asked((path) => path === '/api/shelf')
  browser.onTheWay = (response) => response
  await wait(1_500)
  expect([asked((path) => path === '/api/shelf') - before, await isHere()]).toEqual([1, true])
})

test('without signal nothing is sent, and the shelf says what it waits for', async () => {
  phone.isOnline = false
  const before = phone.network.sent.length
  await wait(60 * 60_000)
  await keep()
  expect([await pauseNow(), phone.network.sent.length - before]).toEqual(['signal', 0])
  phone.isOnline = true
  phone.wake('online')
  await shelf.settled()
  expect([await isHere(), await pauseNow()]).toEqual([true, null])
})
