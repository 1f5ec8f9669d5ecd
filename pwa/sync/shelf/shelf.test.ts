import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { storeMedia } from '#api/features/media/store-service.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { etagName, refreshVideos, saveSnapshot } from '#pwa/sync/progress/snapshots.ts'
import type { SyncSession } from '#pwa/sync/session/session.ts'
import { createPhone, type Phone } from '#pwa/sync/testing/phone.ts'
import { createPhoneShelf, cutAfter, type PhoneShelf } from '#pwa/sync/testing/shelf.ts'
import { Shelf as ShelfWord } from '#shared/contract/shelf.ts'
import { pieceBytes } from '#shared/values/media.ts'
import { fetchFromServiceWorker } from './background.ts'
import { createShelf, type Shelf } from './shelf.ts'
import { readShelfRow } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-kept-'))
afterAll(() => rmSync(folder, { recursive: true }))

let world: World
let phone: Phone
let browser: PhoneShelf
let app: SyncSession
let shelf: Shelf
let member: { id: string; email: string }

const mp4 = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2')
/** Three pieces, the last of them short. */
const videoFileBytes = () => Buffer.concat([mp4, randomBytes(2 * pieceBytes + 1000)])
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

beforeEach(async () => {
  world = startWorld({ env: { DATA_DIR: folder } })
  member = world.addMember({ tier: 'lite' })
  phone = createPhone(world)
  phone.cookie = world.signIn(member).cookie
  browser = createPhoneShelf(phone)
  app = phone.openApp()
  await app.start()
  await app.enter(member.id)
  await showList()
  shelf = openShelf()
})

afterEach(async () => {
  shelf.stop()
  app.close()
  expect(phone.faults).toEqual([])
})

function storeNow() {
  const store = app.engine()?.store
  if (!store) throw new Error('Nobody is logged in.')
  return store
}

const openShelf = (): Shelf => createShelf({ store: storeNow(), platform: phone.platform, device: browser.device })

const ownerCall = () => world.signIn(world.addOwner())

async function addVideo(title: string, bytes = videoFileBytes(), tierAccess = ['lite', 'standard', 'xl']) {
  const owner = ownerCall()
  const { id: fileId } = await storeMedia(world.ctx, new Blob([bytes]), { name: `${title}.mp4`, isPublic: false })
  const video = { title, videoType: 'wistia', videoId: 'abc123def4', category: 'Money', tierAccess }
  const { id, version } = await (await owner('/api/admin/videos', { body: video })).json()
  await owner(`/api/admin/videos/${id}`, { method: 'PATCH', body: { filmFiles: [fileId], version } })
  return { id: String(id), fileId, bytes, sha256: sha256Of(bytes) }
}

async function changeVideo(id: string, change: Record<string, unknown>) {
  const owner = ownerCall()
  const videos = await (await owner('/api/admin/videos')).json()
  const { version } = videos.find((one: { id: string }) => one.id === id)
  expect((await owner(`/api/admin/videos/${id}`, { method: 'PATCH', body: { ...change, version } })).status).toBe(200)
}

const rows = async () => (await app.engine()?.store.kept.toArray()) ?? []
const rowOf = async (videoId: string) => (await rows()).find((row) => row.videoId === videoId)
const pauseNow = async () => (await readShelfRow(storeNow())).pause
const isVideo = (path: string) => /^\/api\/media\/[^/]+$/.test(path)
const ranges = () => phone.network.sent.filter(({ path }) => isVideo(path))

async function showList() {
  await refreshVideos(storeNow(), phone.platform.fetch, phone.platform.wall())
}

async function startAndSettle() {
  shelf.start()
  await shelf.settled()
}

async function keep(...videoIds: string[]) {
  await startAndSettle()
  await shelf.keep(videoIds, 'film')
  await shelf.settled()
}

/** A new opening of the app. */
async function reopen() {
  shelf.stop()
  await shelf.settled()
  shelf = openShelf()
  await startAndSettle()
}

async function videoHere(sha256: string): Promise<string> {
  const pieces = (await browser.device.files.read(sha256, 3)) ?? []
  return sha256Of(Buffer.from(await new Blob(pieces).arrayBuffer()))
}

async function toldKept() {
  const answer = await world.handle(
    new Request('http://localhost/api/shelf', { headers: { cookie: phone.cookie ?? '' } }),
  )
  return v.parse(ShelfWord, await answer.json()).kept
}

test('a kept video comes in checked pieces, each once, and the server hears of it', async () => {
  const [video, other] = [await addVideo('Pricing'), await addVideo('Quoting')]
  await keep(video.id, other.id)
  expect([await videoHere(video.sha256), await videoHere(other.sha256)]).toEqual([video.sha256, other.sha256])
  expect(ranges()).toHaveLength(6)
  expect((await rows()).map(({ whole, coming }) => [whole?.bytes, coming])).toEqual([
    [video.bytes.length, null],
    [other.bytes.length, null],
  ])
  expect(new Set(await toldKept())).toEqual(new Set([video.id, other.id]))
})

test.each(process.env.FULL ? [0.05, 0.5, 0.95] : [0.5])(
  'a line that is cut at %d of each answer costs nothing that has come',
  async (share) => {
    const video = await addVideo('Pricing')
    let served = 0
    browser.onTheWay = (response, path) => {
      const length = Number(response.headers.get('content-length'))
      if (!path.startsWith('/api/media/') || response.status !== 206 || length < 1000) return response
      const sent = Math.ceil(length * share)
      served += sent
      return cutAfter(response, sent)
    }
    await keep(video.id)
    expect(await videoHere(video.sha256)).toBe(video.sha256)
    expect(served).toBeLessThanOrEqual(video.bytes.length)
  },
)

test.each([
  ['goes on where the last was cut off', false],
  ['begins again where the browser has removed what had come', true],
])('the next opening %s', async (_where, isRemoved) => {
  const video = await addVideo('Pricing')
  await startAndSettle()
  browser.onTheWay = (response, path) => (isVideo(path) && browser.pieces.size > 0 ? Response.error() : response)
  await shelf.keep([video.id], 'film')
  await shelf.settled()
  expect([1, 2]).toContain(browser.pieces.size)
  if (isRemoved) browser.pieces.clear()
  const [before, had] = [ranges().length, browser.pieces.size]
  browser.onTheWay = (response) => response
  await reopen()
  expect(await videoHere(video.sha256)).toBe(video.sha256)
  expect(ranges().length - before).toBe(3 - had)
})

test.each<[string, (response: Response) => Response | Promise<Response>]>([
  ['the whole film instead of a range', (response) => new Response(response.body, { status: 200 })],
  [
    'another range',
    (response) => new Response(response.body, { status: 206, headers: { 'content-range': 'bytes 1-4194304/9999999' } }),
  ],
  [
    'bytes that are not the film’s',
    async (response) => {
      const bytes = new Uint8Array(await response.arrayBuffer())
      bytes[7] = (bytes[7] ?? 0) ^ 1
      return new Response(bytes, { status: 206, headers: response.headers })
    },
  ],
])('a line that answers %s leaves nothing on the phone', { tags: ['full'] }, async (_name, change) => {
  const video = await addVideo('Pricing')
  browser.onTheWay = (response, path) => (isVideo(path) ? change(response) : response)
  await keep(video.id)
  expect([browser.pieces.size, (await rowOf(video.id))?.coming?.have]).toEqual([0, []])
  browser.onTheWay = (response) => response
  await reopen()
  expect(await videoHere(video.sha256)).toBe(video.sha256)
})

test('PROG-01 nothing is kept: an opening asks only after a change, or after an hour', { tags: ['full'] }, async () => {
  const asks = () => phone.network.sent.filter(({ path }) => path === '/api/shelf').length
  const video = await addVideo('Pricing')
  await showList()
  await startAndSettle()
  expect(asks()).toBe(1)
  await reopen()
  expect(asks()).toBe(1)
  await addVideo('Quoting')
  await showList()
  await expect.poll(asks).toBe(2)
  shelf.stop()
  await phone.wait(60 * 60_000)
  await reopen()
  expect(asks()).toBe(3)
  await keep(video.id)
  await reopen()
  expect(asks()).toBe(4)
})

test('it waits while a video plays, on mobile data, while something is unsent, and where there is no room', async () => {
  const video = await addVideo('Pricing')
  const waits: unknown[] = []
  const meet = async (condition: Partial<PhoneShelf>) => {
    const before = { ...browser }
    Object.assign(browser, condition)
    await reopen()
    waits.push([await pauseNow(), ranges().length])
    Object.assign(browser, before)
  }
  await startAndSettle()
  browser.isVideoPlaying = true
  await shelf.keep([video.id], 'film')
  await shelf.settled()
  browser.isVideoPlaying = false
  await meet({ isVideoPlaying: true })
  await meet({ network: 'mobile' })
  await meet({ network: 'unknown' })
  await meet({ hasUnsentForms: true })
  await meet({ room: { usage: 799, quota: 1000, isSafe: true } })
  await meet({ room: { usage: 0, quota: 10 * pieceBytes - 1, isSafe: false } })
  expect(waits).toEqual(['film', 'wifi', 'ask', 'unsent', 'room', 'room'].map((pause) => [pause, 0]))
  await reopen()
  expect(await videoHere(video.sha256)).toBe(video.sha256)
})

test('a video beyond the member’s own limit comes once they raise it', { tags: ['full'] }, async () => {
  const [video, other] = [await addVideo('Pricing'), await addVideo('Quoting')]
  await startAndSettle()
  await shelf.choose({ mostBytes: 3 * pieceBytes })
  await shelf.keep([video.id, other.id], 'film')
  await shelf.settled()
  expect([await videoHere(video.sha256), (await rowOf(other.id))?.coming?.have, await pauseNow()]).toEqual([
    ...[video.sha256, [], 'limit'],
  ])
  await shelf.choose({ mostBytes: null })
  await shelf.settled()
  expect([await videoHere(other.sha256), await pauseNow()]).toEqual([other.sha256, null])
})

test('a full phone loses what was begun, keeps room for ticks, and waits to be asked', { tags: ['full'] }, async () => {
  const video = await addVideo('Pricing')
  const { write } = browser.device.files
  browser.device.files.write = async (file, index, bytes) => {
    if (browser.pieces.size > 0) throw new DOMException('The store is full.', 'QuotaExceededError')
    await write(file, index, bytes)
  }
  await keep(video.id)
  expect([await pauseNow(), browser.pieces.size, (await rowOf(video.id))?.coming?.have]).toEqual(['room', 0, []])
  const before = ranges().length
  await reopen()
  expect([await pauseNow(), ranges().length]).toEqual(['room', before])
  browser.device.files.write = write
  shelf.fetchNow()
  await expect.poll(() => videoHere(video.sha256)).toBe(video.sha256)
})

test('a video that begins to play gets the line at once; the shelf goes on after it', { tags: ['full'] }, async () => {
  const video = await addVideo('Pricing')
  await startAndSettle()
  phone.network.next('deliver', 'hang', 'hang')
  await shelf.keep([video.id], 'film')
  await expect.poll(() => ranges().length).toBe(2)
  browser.isVideoPlaying = true
  browser.change()
  await shelf.settled()
  expect([await pauseNow(), browser.pieces.size]).toEqual(['film', 0])
  browser.isVideoPlaying = false
  browser.change()
  await expect.poll(() => videoHere(video.sha256)).toBe(video.sha256)
})

test('a replaced video comes again; the old one stays until it’s whole', { tags: ['full'] }, async () => {
  const video = await addVideo('Pricing')
  await keep(video.id)
  const bytes = videoFileBytes()
  const { id } = await storeMedia(world.ctx, new Blob([bytes]), { name: 'new.mp4', isPublic: false })
  await changeVideo(video.id, { filmFiles: [id] })
  browser.isKeptPlaying = true
  await reopen()
  browser.isKeptPlaying = false
  browser.network = 'mobile'
  await reopen()
  expect(await rowOf(video.id)).toMatchObject({ whole: { sha256: video.sha256 }, coming: { sha256: sha256Of(bytes) } })
  expect(await videoHere(video.sha256)).toBe(video.sha256)
  browser.network = 'wifi'
  await reopen()
  expect(await rowOf(video.id)).toMatchObject({ whole: { sha256: sha256Of(bytes) }, coming: null })
  await reopen()
  expect([...(await browser.device.files.list()).keys()]).toEqual([sha256Of(bytes)])
})

test('what the tier has no more goes at the server’s next answer, and everything once access is over', async () => {
  const [video, other] = [await addVideo('Pricing'), await addVideo('Quoting')]
  await keep(video.id, other.id)
  await changeVideo(video.id, { tierAccess: ['xl'] })
  await reopen()
  expect((await rows()).map(({ videoId }) => videoId)).toEqual([other.id])
  expect([...(await browser.device.files.list()).keys()]).toEqual([other.sha256])
  const refusal = { error: { code: 'forbidden', message: 'Your membership is over.' } }
  browser.onTheWay = (response, path) => (path === '/api/shelf' ? Response.json(refusal, { status: 403 }) : response)
  await reopen()
  expect([await rows(), browser.pieces.size]).toEqual([[], 0])
})

test('what the browser removed is named once, videos alone or everything', { tags: ['full'] }, async () => {
  const video = await addVideo('Pricing')
  await keep(video.id)
  browser.pieces.clear()
  await reopen()
  const store = app.engine()?.store
  if (!store) throw new Error('Nobody is logged in.')
  const removed = async () => (await readShelfRow(store)).removed
  expect([await rows(), await removed(), await toldKept()]).toEqual([[], [video.id], []])
  await shelf.keep([video.id], 'film')
  await shelf.settled()
  expect([await removed(), await toldKept()]).toEqual([[], [video.id]])
  browser.pieces.clear()
  await store.kept.clear()
  await store.meta.delete('shelf')
  await reopen()
  expect([await removed(), await toldKept()]).toEqual([[video.id], []])
  await shelf.forgetRemoved()
  await reopen()
  expect(await removed()).toEqual([])
})

test('a piece that arrives after a deletion or a logout is not written', { tags: ['full'] }, async () => {
  const video = await addVideo('Pricing')
  await startAndSettle()
  const begin = async () => {
    const gate = Promise.withResolvers<void>()
    const before = ranges().length
    browser.onTheWay = (response, path) => (isVideo(path) ? gate.promise.then(() => response) : response)
    await shelf.keep([video.id], 'film')
    await expect.poll(() => ranges().length - before).toBe(2)
    return gate.resolve
  }
  const arrive = await begin()
  await shelf.remove([video.id])
  arrive()
  await shelf.settled()
  expect(browser.pieces.size).toBe(0)
  const arriveLate = await begin()
  await app.engine()?.store.meta.put({ key: 'closed' })
  arriveLate()
  await shelf.settled()
  expect(browser.pieces.size).toBe(0)
})

test('once the app is closed the service worker goes on, while nothing speaks against it', async () => {
  const video = await addVideo('Pricing')
  const store = app.engine()?.store
  const answer = await phone.platform.fetch('/api/auth/user', { credentials: 'include' })
  if (store) await saveSnapshot(store, 'user', { value: await answer.json(), savedAt: phone.platform.wall() })
  await startAndSettle()
  const before = ranges().length
  phone.network.next('deliver', 'hang', 'hang')
  await shelf.keep([video.id], 'film')
  await expect.poll(() => ranges().length - before).toBe(2)
  expect(browser.isGoing).toBe(true)
  const wake = (signal = new AbortController().signal) => fetchFromServiceWorker(signal, phone.platform, browser.device)
  // A page that fetches isn't disturbed, and an update doesn't wait for it.
  const update = new AbortController()
  const waiting = wake(update.signal)
  update.abort()
  await expect(waiting).rejects.toThrow('Not every')
  shelf.stop()
  await shelf.settled()
  // As while a tick of a video that has left the list waits.
  if (store) await saveSnapshot(store, etagName, { value: null, savedAt: phone.platform.wall() })
  app.close()
  const asked = ranges().length
  for (const condition of [{ network: 'mobile' }, { isVideoPlaying: true }, { hasUnsentForms: true }] as const) {
    Object.assign(browser, condition)
    await expect(wake()).rejects.toThrow('Not every')
    Object.assign(browser, { network: 'wifi', isVideoPlaying: false, hasUnsentForms: false })
  }
  // The browser tries again for none of these: a person has to say something, or nobody is here.
  browser.network = 'unknown'
  await wake()
  browser.network = 'wifi'
  world.forward(31 * 24 * 60 * 60_000)
  await wake()
  expect(ranges().length).toBe(asked)
  world.forward(-31 * 24 * 60 * 60_000)
  await wake()
  expect(await videoHere(video.sha256)).toBe(video.sha256)
  await wake()
  expect(ranges().length - asked).toBe(3)
})
