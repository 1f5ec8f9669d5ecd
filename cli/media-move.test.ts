import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordServing } from '#api/db/server-lock.ts'
import type { MediaRow } from '#api/features/media/queries.ts'
import { mediaStoreOf } from '#api/features/media/remote-service.ts'
import { mediaFile, storeMedia } from '#api/features/media/store-service.ts'
import { builtProgram } from '#api/testing/built-program.ts'
import { startStore, type TestStore } from '#api/testing/s3-store.ts'
import type { Call } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let store: TestStore
let folder: DataFolder
let owner: Call
let videoFile: MediaRow
let path = ''
/** Longer than a piece that's streamed, with every byte known. */
const bytes = Buffer.alloc(5_000_000, 'abcdefghij')
bytes.set([0, 0, 0, 24, ...Buffer.from('ftypisom\0\0\x02\0isomiso2')])

beforeEach(async () => {
  store = await startStore()
  const { LITESTREAM: _, LITESTREAM_URL: __, ...keys } = store.env
  folder = openDataFolder({ ...keys, MEDIA_URL: store.url })
  const { world } = folder
  owner = world.signIn(world.addOwner())
  videoFile = await storeMedia(world.ctx, new Blob([bytes]), { name: 'film.mp4', isPublic: false })
  path = mediaFile(world.ctx, videoFile)
})
afterEach(async () => {
  folder.close()
  await store.close()
})

function objects() {
  const store = mediaStoreOf(folder.world.ctx)
  if (store === null) throw new Error('There is no store.')
  return store
}

const address = () => `/api/media/${videoFile.id}.mp4`
const move = (to: string) => folder.local(`media move ${to}`)

async function putIntoVideo(tiers: string[]): Promise<void> {
  const video = { videoType: 'wistia', videoId: 'abc123def4', category: 'Money', tierAccess: tiers, isPublished: true }
  const made = await (await owner('/api/admin/videos', { body: { title: 'Pricing', ...video } })).json()
  const body = { filmFiles: [videoFile.id], version: made.version }
  expect((await owner(`/api/admin/videos/${made.id}`, { method: 'PATCH', body })).status).toBe(200)
}

test('VID-2 a video file in the store is sent by the site: whole, in parts, as from the disk, and only to members who can watch it', {
  tags: ['full'],
}, async () => {
  await putIntoVideo(['xl'])
  const before = await owner(address())
  expect(await move('store')).toMatchObject({ code: 0, err: 'Moved 1 file, 5.00 MB.\n' })
  expect(existsSync(path)).toBe(false)
  const after = await owner(address())
  expect(Buffer.from(await after.arrayBuffer()).equals(bytes)).toBe(true)
  const headersOf = ({ headers }: Response) => [...headers].filter(([name]) => name !== 'x-request-id')
  expect(headersOf(after)).toEqual(headersOf(before))
  const part = async (range: string, more: Record<string, string> = {}) => {
    const response = await owner(address(), { headers: { range, ...more } })
    return [response.status, response.headers.get('content-range'), (await response.text()).slice(0, 12)]
  }
  expect(await part('bytes=2000000-2000009')).toEqual([206, 'bytes 2000000-2000009/5000000', 'abcdefghij'])
  expect(await part('bytes=-3')).toEqual([206, 'bytes 4999997-4999999/5000000', 'hij'])
  expect((await part('bytes=9000000-'))[0]).toBe(416)
  expect((await part('bytes=0-1', { 'if-range': '"another"' }))[0]).toBe(200)
  const { world } = folder
  const asMember = async (tier: 'lite' | 'xl') => (await world.signIn(world.addMember({ tier }))(address())).status
  expect([await asMember('xl'), await asMember('lite'), (await world.call(address())).status]).toEqual([200, 404, 401])
  expect((await owner(address(), { headers: { 'if-none-match': `"${videoFile.sha256}"` } })).status).toBe(304)

  const { checks } = JSON.parse((await folder.local('doctor --json')).out)
  expect(checks.find(({ name }: { name: string }) => name === 'media').message).toContain(
    '1 is in the store, which encrypts and checks them itself.',
  )
  expect(JSON.parse((await folder.local('backup create --json')).out)).toMatchObject({ leftOut: [], media: 0 })
  expect((await folder.local('backup create')).err).toContain('0 files of media.\n1 more stays in the store.\n')

  const zip = join(folder.dataDir, 'all.zip')
  expect(await folder.local(`export all ${zip}`)).toMatchObject({ code: 0 })
  const exported = unzipSync(await Bun.file(zip).bytes())[`media/${videoFile.id}.mp4`]
  expect(Buffer.from(exported ?? []).equals(bytes)).toBe(true)

  expect(await move('disk')).toMatchObject({ code: 0, err: 'Moved 1 file, 5.00 MB.\n' })
  expect(readFileSync(path).equals(bytes)).toBe(true)
  // Another copy of the site may still need it.
  expect(await objects().size(`films/${videoFile.sha256}`)).toBe(bytes.length)
  expect(await move('disk')).toMatchObject({ err: 'Moved 0 files, 0.00 MB.\n' })
})

test('a store that fails loses nothing, and is named; a video that’s in neither place isn’t there', {
  tags: ['full'],
}, async () => {
  const { ctx } = folder.world
  store.busy = 1
  expect(await move('store')).toMatchObject({ code: 1, err: expect.stringContaining('the store is busy') })
  expect(existsSync(path)).toBe(true)
  expect(await move('store')).toMatchObject({ code: 0 })
  store.busy = 20
  const away = await owner(address())
  expect([away.status, (await away.json()).error.code]).toEqual([503, 'busy'])
  store.busy = 0
  expect((await owner(address())).status).toBe(200)
  expect((await folder.local(`media move elsewhere`)).code).toBe(2)
  recordServing({ ...ctx, settings: { ...ctx.settings, mediaStore: null } })
  expect((await move('store')).err).toBe('Restart the site first: it doesn’t know this store yet.\n')
  recordServing(ctx)
  expect((await owner(`/api/admin/media/${videoFile.id}`, { method: 'DELETE' })).status).toBe(200)
  expect(folder.world.logged.join('')).not.toContain('not removed')
  const again = await storeMedia(folder.world.ctx, new Blob([bytes]), { name: 'film.mp4', isPublic: false })
  expect(await move('store')).toMatchObject({ code: 0 })
  await objects().remove(`films/${again.sha256}`)
  expect((await owner(`/api/media/${again.id}.mp4`)).status).toBe(404)
  const { checks } = JSON.parse((await folder.local('doctor --json')).out)
  expect(checks.find(({ name }: { name: string }) => name === 'media').message).toContain('1 file is missing')
})

test('a move that was cut goes on where it was', { tags: ['full'] }, async () => {
  const { world } = folder
  const second = Buffer.concat([bytes, Buffer.from('more')])
  await storeMedia(world.ctx, new Blob([second]), { name: 'second.mp4', isPublic: false })
  const cut = new AbortController()
  cut.abort()
  expect((await folder.local('media move store', { signal: cut.signal })).code).toBe(130)
  expect(existsSync(path)).toBe(true)
  await objects().put(`films/${videoFile.sha256}`, path)
  expect(await move('store')).toMatchObject({ code: 0, err: 'Moved 2 files, 10.00 MB.\n' })
})

test('killed at any moment, either way, the video stays whole for members, and the next run ends the move', {
  tags: ['full'],
}, async () => {
  const { LITESTREAM: _, LITESTREAM_URL: __, ...keys } = store.env
  const env = { ...keys, PATH: process.env.PATH, DATA_DIR: folder.dataDir, MEDIA_URL: store.url }
  for (const to of ['store', 'disk']) {
    for (const moment of Array.from({ length: 3 }, () => 300 + Math.floor(Math.random() * 1_200))) {
      store.delayMs = 200
      const argv = [process.execPath, '--no-env-file', builtProgram('cli/main'), 'media', 'move', to]
      const child = Bun.spawn(argv, { env, stdio: ['ignore', 'ignore', 'ignore'] })
      await Promise.race([child.exited, Bun.sleep(moment)])
      child.kill('SIGKILL')
      await child.exited
      store.delayMs = 0
      expect([moment, Buffer.from(await (await owner(address())).arrayBuffer()).equals(bytes)]).toEqual([moment, true])
    }
    expect((await move(to)).code).toBe(0)
    expect([to, existsSync(path)]).toEqual([to, to === 'disk'])
  }
  expect(readFileSync(path).equals(bytes)).toBe(true)
})
