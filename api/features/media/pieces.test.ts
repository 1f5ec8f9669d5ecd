import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { startWorld } from '#api/testing/world.ts'
import { pieceBytes } from '#shared/values/media.ts'
import { mediaFile, storeMedia } from './store-service.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-pieces-'))
afterAll(() => rmSync(folder, { recursive: true }))
const world = startWorld({ env: { DATA_DIR: folder } })
const owner = world.signIn(world.addOwner())

/** A video's first bytes, then two pieces and a bit. */
function videoFile() {
  const bytes = new Uint8Array(2 * pieceBytes + 100)
  bytes.set([0, 0, 0, 24, ...Buffer.from('ftypisom\0\0\x02\0isomiso2')])
  for (let at = 32; at < bytes.length; at += 997) bytes[at] = at % 251
  return bytes
}
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const count = () => world.ctx.sqlite.prepare('select count(*) from media_pieces').pluck().get()

test('a phone that keeps a video gets the hash of each piece; only who may see the video does', {
  tags: ['full'],
}, async () => {
  const bytes = videoFile()
  const { id } = await storeMedia(world.ctx, new Blob([bytes]), { name: 'film.mp4', isPublic: false })
  const video = { videoType: 'wistia', videoId: 'abc123def4', category: 'Money', tierAccess: ['xl'], isPublished: true }
  const made = await (await owner('/api/admin/videos', { body: { title: 'Pricing', ...video } })).json()
  await owner(`/api/admin/videos/${made.id}`, { method: 'PATCH', body: { filmFiles: [id], version: made.version } })
  const path = `/api/media/${id}.mp4/pieces`
  const xl = world.signIn(world.addMember({ tier: 'xl' }))
  expect(await (await xl(path)).json()).toEqual({
    sha256: sha256(bytes),
    bytes: bytes.length,
    pieceBytes,
    pieces: [0, 1, 2].map((at) => sha256(bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes))),
  })
  const lite = world.signIn(world.addMember({ tier: 'lite' }))
  expect([(await lite(path)).status, (await world.call(path)).status]).toEqual([404, 401])

  // A file from before that the disk has damaged since gets no pieces: a phone would take the damage for right.
  const stored = mediaFile(world.ctx, { sha256: sha256(bytes) })
  world.ctx.sqlite.exec('delete from media_pieces')
  writeFileSync(stored, bytes.with(5_000_000, 77))
  expect(await runJob(world.ctx, 'media-pieces')).toMatchObject({ report: { pieces: 0 } })
  expect(world.logged.join()).toContain('a stored file is damaged')
  writeFileSync(stored, bytes)
  expect(await runJob(world.ctx, 'media-pieces')).toMatchObject({ report: { pieces: 3 } })

  // A file from before, of which a stopped run has read one piece.
  world.ctx.sqlite.exec('delete from media_pieces where "index" > 0')
  expect((await (await xl(path)).json()).pieces).toBeNull()
  expect(await runJob(world.ctx, 'media-pieces')).toMatchObject({ report: { pieces: 2 } })
  expect((await (await xl(path)).json()).pieces).toHaveLength(3)

  await owner(`/api/admin/videos/${made.id}`, { method: 'PATCH', body: { filmFiles: [], version: made.version + 1 } })
  expect((await owner(`/api/admin/media/${id}`, { method: 'DELETE' })).status).toBe(200)
  expect(count()).toBe(0)
})
