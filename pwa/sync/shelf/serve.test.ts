import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { noteTime, readStoreLock } from '#pwa/sync/progress/phone-lock.ts'
import { saveSnapshot } from '#pwa/sync/progress/snapshots.ts'
import type { MemberStore } from '#pwa/sync/progress/store.ts'
import type { SyncSession } from '#pwa/sync/session/session.ts'
import { createPhone, type Phone } from '#pwa/sync/testing/phone.ts'
import { createPhoneShelf, type PhoneShelf } from '#pwa/sync/testing/shelf.ts'
import { keptPath } from '#shared/rules/kept-path.ts'
import { pieceBytes } from '#shared/values/media.ts'
import { createKeptServer } from './serve.ts'

const videoFile = randomBytes(pieceBytes + 1000)
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const sha256 = hashOf(videoFile)
const address = keptPath.ofVideo({ sha256, format: 'mp4' })
const videoId = '01940000-0000-7000-8000-0000000000aa'
const day = 24 * 60 * 60_000

let world: World
let phone: Phone
let browser: PhoneShelf
let app: SyncSession
let member: { id: string; email: string }
let server: ReturnType<typeof createKeptServer>

beforeEach(async () => {
  world = startWorld()
  member = world.addMember({ tier: 'lite' })
  phone = createPhone(world)
  phone.cookie = world.signIn(member).cookie
  browser = createPhoneShelf(phone)
  app = phone.openApp()
  await app.start()
  await keepVideo((await app.enter(member.id)).store)
  server = createKeptServer(phone.platform, browser.device.files)
})

afterEach(() => {
  app.close()
  expect(phone.faults).toEqual([])
})

/** As if it had been fetched, and the server had said at this moment who's there. */
async function keepVideo(store: MemberStore) {
  const response = await phone.platform.fetch('/api/auth/user', { credentials: 'include' })
  await saveSnapshot(store, 'user', { value: await response.json(), savedAt: phone.platform.wall() })
  await browser.device.files.write(sha256, 0, videoFile.buffer.slice(0, pieceBytes))
  await browser.device.files.write(sha256, 1, videoFile.buffer.slice(pieceBytes))
  const whole = {
    address: '/api/media/x.mp4',
    format: 'mp4' as const,
    bytes: videoFile.length,
    sha256,
    form: 'film' as const,
  }
  const reading = { captions: 'WEBVTT\n', handouts: [], readingOf: '' }
  await store.kept.put({ videoId, keptAt: 1, whole, coming: null, isAutomatic: false, ...reading })
}

const get = (path: string, range?: string) =>
  server(new Request(`http://localhost${path}`, { headers: range ? { range } : {} }))

async function part(range?: string) {
  const response = await get(address, range)
  const hash = hashOf(new Uint8Array(await response.arrayBuffer()))
  return { status: response.status, range: response.headers.get('content-range'), hash }
}

test('a kept video answers ranges as the server does: open, closed, from the end, across pieces, and 416', async () => {
  const size = videoFile.length
  expect(await part()).toEqual({ status: 200, range: null, hash: sha256 })
  const slices: [string, number, number][] = [
    ['bytes=0-', 0, size],
    ['bytes=10-19', 10, 20],
    ['bytes=-7', size - 7, size],
    [`bytes=${pieceBytes - 5}-${pieceBytes + 4}`, pieceBytes - 5, pieceBytes + 5],
    [`bytes=${pieceBytes}-99999999`, pieceBytes, size],
  ]
  for (const [range, first, end] of slices)
    expect(await part(range), range).toEqual({
      status: 206,
      range: `bytes ${first}-${end - 1}/${size}`,
      hash: hashOf(videoFile.subarray(first, end)),
    })
  expect(await part(`bytes=${size}-`)).toMatchObject({ status: 416, range: `bytes */${size}` })
  const { headers } = await get(address)
  expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual(['video/mp4', 'nosniff'])
  expect(await (await get(keptPath.ofCaptions(videoId))).text()).toBe('WEBVTT\n')
})

test('what is torn, unknown or of another format is not there', async () => {
  expect((await get(address.replace('.mp4', '.webm'))).status).toBe(404)
  expect((await get(`/kept/${'0'.repeat(64)}.mp4`)).status).toBe(404)
  expect((await get('/kept/..%2Fx.mp4')).status).toBe(404)
  browser.pieces.delete(`${sha256}/1`)
  expect((await get(address)).status).toBe(404)
})

test('a store nobody was shown in is locked, and not overdue for deletion', async () => {
  const store = app.engine()?.store
  await store?.snapshots.delete('user')
  expect((await get(address)).status).toBe(403)
  expect(store && (await readStoreLock(store, phone.platform.wall()))).toEqual({ isOpen: false, isOverdue: false })
})

test('a video that was deleted and kept again is read from its new files', async () => {
  const store = app.engine()?.store
  expect((await get(address)).status).toBe(200)
  const row = await store?.kept.get(videoId)
  browser.pieces.delete(`${sha256}/1`)
  if (row) await store?.kept.put({ ...row, keptAt: 2 })
  expect((await get(address)).status).toBe(404)
  await browser.device.files.write(sha256, 1, videoFile.buffer.slice(pieceBytes))
  expect(await part()).toMatchObject({ status: 200, hash: sha256 })
})

test('MEMB-05 after 30 days without a response it is locked, and a clock put back opens nothing', async () => {
  const store = app.engine()?.store
  app.engine()?.stop()
  world.forward(29 * day)
  expect((await get(address)).status).toBe(200)
  world.forward(day)
  expect((await get(address)).status).toBe(403)
  if (store) await noteTime(store, phone.platform.wall())
  phone.skew = -20 * day
  expect((await get(address)).status).toBe(403)
})

test('MEMB-10 nobody else gets it: not after a logout, nor another member, nor an owner who views as this one', async () => {
  const other = world.addMember({ tier: 'lite' })
  expect((await get(address)).status).toBe(200)
  await app.enter(member.id, { isReadOnly: true })
  expect((await get(address)).status).toBe(403)
  await keepVideo((await app.enter(member.id)).store)
  expect((await get(address)).status).toBe(200)
  phone.cookie = world.signIn(other).cookie
  await saveSnapshot((await app.enter(other.id)).store, 'user', {
    value: await (await phone.platform.fetch('/api/auth/user', { credentials: 'include' })).json(),
    savedAt: phone.platform.wall(),
  })
  expect((await get(address)).status).toBe(404)
  await app.logout()
  expect((await get(address)).status).toBe(403)
})
