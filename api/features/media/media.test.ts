import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { addBoxes } from '#api/testing/media.ts'
import { type Call, readError, startWorld } from '#api/testing/world.ts'
import { listMedia } from './library-service.ts'
import { storeMedia } from './store-service.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-media-'))
afterAll(() => rmSync(folder, { recursive: true }))
const world = startWorld({ env: { DATA_DIR: folder } })
const owner = world.signIn(world.addOwner())

/** The start of a video, enough to detect its type, then ten bytes to request individually. */
const videoFile = new Blob([Uint8Array.from([0, 0, 0, 24]), 'ftypisom\0\0\x02\0isomiso2', '0123456789'])
const picture = new Blob([
  Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]),
  'IHDR',
  new Uint8Array(40),
])
const size = videoFile.size

const store = (content: Blob, isPublic: boolean, name = 'film.mp4') =>
  storeMedia(world.ctx, content, { name, isPublic })
const addressOf = (id: string) => listMedia(world.ctx).find((file) => file.id === id)?.address ?? ''
const refused = (promise: Promise<unknown>) =>
  promise.then(
    () => 'stored',
    ({ code }: { code: string }) => code,
  )

/** A video for these tiers that plays the file. Returns the file's URL. */
async function addVideo(tiers: string[], files: string[], isPublished = true) {
  const video = { videoType: 'wistia', videoId: 'abc123def4', category: 'Money', tierAccess: tiers, isPublished }
  const made = await (await owner('/api/admin/videos', { body: { title: `For ${tiers}`, ...video } })).json()
  const put = await owner(`/api/admin/videos/${made.id}`, {
    method: 'PATCH',
    body: { filmFiles: files, version: made.version },
  })
  return { response: put, id: String(made.id) }
}

test('the same bytes lie on the disk once; a public and a private row of them stay apart', async () => {
  const [hidden, shown] = [await store(videoFile, false), await store(videoFile, true)]
  expect([(await store(videoFile, true)).id, (await store(videoFile, false)).id]).toEqual([shown.id, hidden.id])
  expect(hidden.id).not.toBe(shown.id)
  expect(readdirSync(join(folder, 'media', hidden.sha256.slice(0, 2)))).toEqual([hidden.sha256])
  expect(readdirSync(join(folder, 'media/incoming'))).toEqual([])
  expect((await world.call(addressOf(shown.id))).status).toBe(200)
  for (const path of [
    `/media/${hidden.id}.mp4`,
    `/api/media/${shown.id}.mp4`,
    `/media/${shown.id}.webm`,
    `/media/${shown.id}`,
  ])
    expect([path, (await owner(path)).status]).toEqual([path, 404])
})

test('what a file is decides its content: what is none of the formats is refused, whatever its name', async () => {
  const text = 'You can upload mp4'
  expect((await store(picture, true, '../../etc/\0p<i>.exe')).name).toBe('pi.exe')
  for (const content of ['<script>alert(1)</script>', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'GIF89a'])
    expect(await refused(store(new Blob([content]), true, 'film.mp4'))).toBe('unsupported_media_type')
  await expect(store(new Blob(['<html>']), true)).rejects.toThrow(text)
  expect(await refused(store(new Blob([]), true))).toBe('invalid')
  // What an iPhone records.
  const quickTime = addBoxes([
    ['ftyp', 'qt  \0\0\0\0qt  '],
    ['wide', ''],
    ['moov', 'x'],
  ])
  expect(await store(new Blob([new Uint8Array(quickTime)]), true, 'IMG_2041.MOV')).toMatchObject({ format: 'mp4' })
  const huge = Object.defineProperty(new Blob(['x']), 'size', { value: 2 * 1024 ** 3 + 1 })
  expect(await refused(store(huge, true))).toBe('too_large')
})

test('a response names the type of the content, may run nothing, and only public ones may be cached', async () => {
  const [shown, hidden] = [await store(videoFile, true), await store(videoFile, false)]
  const both = [await world.call(addressOf(shown.id)), await owner(addressOf(hidden.id))]
  for (const { headers } of both) {
    expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual(['video/mp4', 'nosniff'])
    expect(headers.get('content-security-policy')).toMatch(/^sandbox;/)
    expect(headers.get('content-disposition')).toBe(`inline; filename*=UTF-8''film.mp4`)
  }
  expect(both.map(({ headers }) => headers.get('cache-control'))).toEqual([
    'public, max-age=300, stale-while-revalidate=86400',
    'private, no-store',
  ])
})

test('ROLE-04 a private file is served to the tiers that see a published video with it, as the videos list is', async () => {
  const file = await store(new Blob([videoFile, 'for xl']), false)
  const address = addressOf(file.id)
  const [lite, xl] = [world.signIn(world.addMember({ tier: 'lite' })), world.signIn(world.addMember({ tier: 'xl' }))]
  const seen = (...calls: Call[]) => Promise.all(calls.map(async (call) => (await call(address)).status))
  expect(await seen(world.call, world.signIn(world.addUser()), lite, xl, owner)).toEqual([401, 403, 404, 404, 200])
  const draft = await addVideo(['lite'], [file.id], false)
  expect((await draft.response.json()).files).toEqual([address])
  expect(await seen(lite, xl)).toEqual([404, 404])
  await addVideo(['xl'], [file.id])
  expect(await seen(lite, xl)).toEqual([404, 200])
  const listed = async (call: Call) => (await (await call('/api/member-videos')).json()).flatMap(filesOf)
  expect([await listed(lite), await listed(xl)]).toEqual([[], [address]])
})

const filesOf = ({ files }: { files?: string[] }) => files ?? []

test('VID-2 an owner gives a video private files alone, on the version that they saw; one that plays stays', async () => {
  const [hidden, shown, still] = [
    await store(videoFile, false),
    await store(videoFile, true),
    await store(picture, false),
  ]
  for (const { id } of [shown, still, { id: 'none' }])
    expect((await readError((await addVideo(['xl'], [id])).response)).code).toBe('invalid')
  const { id } = await addVideo(['xl'], [hidden.id])
  const again = await owner(`/api/admin/videos/${id}`, { method: 'PATCH', body: { filmFiles: [], version: 1 } })
  expect((await readError(again)).code).toBe('version_conflict')
  const remove = (file: string) => owner(`/api/admin/media/${file}`, { method: 'DELETE' })
  expect((await readError(await remove(hidden.id))).message).toMatch(/^This file is used in the video “For xl”\./)
  const file = join(folder, 'media', hidden.sha256.slice(0, 2), hidden.sha256)
  expect((await remove(shown.id)).status).toBe(200)
  expect(existsSync(file)).toBe(true)
  await owner(`/api/admin/videos/${id}`, { method: 'PATCH', body: { filmFiles: [], version: 2 } })
  expect([(await remove(hidden.id)).status, existsSync(file)]).toEqual([200, false])
  const recorded = world.ctx.sqlite.prepare(`select action from audit_entries`).pluck().all()
  expect(recorded).toEqual(expect.arrayContaining(['video.files', 'media.removed']))
})

test('parts of a file: ranges, suffixes, 416, the version that If-Range names, and If-None-Match before them all', async () => {
  const { id, sha256 } = await store(videoFile, true)
  // Over the network, where the runtime would apply ranges to files itself.
  const server = Bun.serve({ port: 0, development: false, fetch: (request) => world.handle(request) })
  const path = `http://localhost:${server.port}${addressOf(id)}`
  const ask = async (range: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(path, { method, headers: { range, ...headers } })
    return [response.status, response.headers.get('content-range'), (await response.text()).slice(-10)]
  }
  const whole = [200, null, '0123456789']
  try {
    const middle = [206, `bytes ${size - 8}-${size - 6}/${size}`, '234']
    expect(await ask(`bytes=${size - 8}-${size - 6}`)).toEqual(middle)
    expect(await ask(`bytes=${size - 2}-`)).toEqual([206, `bytes ${size - 2}-${size - 1}/${size}`, '89'])
    expect(await ask(`bytes=${size - 2}-9999`)).toEqual([206, `bytes ${size - 2}-${size - 1}/${size}`, '89'])
    expect(await ask('bytes=-3')).toEqual([206, `bytes ${size - 3}-${size - 1}/${size}`, '789'])
    expect(await ask('bytes=-9999')).toEqual([206, `bytes 0-${size - 1}/${size}`, '0123456789'])
    for (const beyond of [`bytes=${size}-`, 'bytes=-0']) expect(await ask(beyond)).toEqual([416, `bytes */${size}`, ''])
    for (const odd of ['bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-']) expect(await ask(odd)).toEqual(whole)
    const part = `bytes=${size - 8}-${size - 6}`
    expect(await ask(part, { 'if-range': `"${sha256}"` })).toEqual(middle)
    for (const other of ['"another"', `W/"${sha256}"`, new Date().toUTCString()])
      expect(await ask(part, { 'if-range': other })).toEqual(whole)
    expect(await ask(part, { 'if-none-match': `"${sha256}"` })).toEqual([304, null, ''])
    expect(await ask(part, {}, 'HEAD')).toEqual([200, null, ''])
  } finally {
    await server.stop(true)
  }
})

test('a file that has gone from the disk is not there, and the log says which', async () => {
  const { id, sha256 } = await store(new Blob([videoFile, 'gone']), true)
  rmSync(join(folder, 'media', sha256.slice(0, 2), sha256))
  expect((await world.call(addressOf(id))).status).toBe(404)
  expect(world.logged.join()).toContain('a stored file is missing')
})

test('a file of which the disk has lost the end is not sent for whole, and the log says which', async () => {
  const { id, sha256 } = await store(new Blob([videoFile, 'shortened']), true)
  truncateSync(join(folder, 'media', sha256.slice(0, 2), sha256), size)
  for (const headers of [undefined, { range: 'bytes=0-9' }])
    expect((await world.call(addressOf(id), headers && { headers })).status).toBe(404)
  expect(world.logged.join()).toContain('a stored file is not whole')
})
