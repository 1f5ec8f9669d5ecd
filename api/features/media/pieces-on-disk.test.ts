import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { videoFileOf } from '#api/testing/media.ts'
import { startWorld } from '#api/testing/world.ts'
import { chunkType } from '#shared/contract/upload-piece.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-pieces-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** How many bytes of a file only the memory had: Linux counts those that need no writing any more because the file was cut. */
function bytesOnlyInMemory(file: string): number {
  const cancelled = () => Number(/^cancelled_write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
  const before = cancelled()
  truncateSync(file, 0)
  return cancelled() - before
}

test('the pieces of an upload that we say have arrived are on the disk', async () => {
  const world = startWorld({ env: { DATA_DIR: folder } })
  const owner = world.signIn(world.addOwner())
  const content = videoFileOf(3_000_000, 1)
  const body = { name: 'film.mp4', bytes: content.length, fingerprint: 'f'.repeat(64), isPublic: false }
  const { id } = await (await owner('/api/admin/media/uploads', { body })).json()
  for (const offset of [0, 1_000_000]) {
    const piece = new Request(`http://localhost/api/admin/media/uploads/${id}`, {
      method: 'PATCH',
      headers: { cookie: owner.cookie, 'content-type': chunkType, 'upload-offset': String(offset) },
      body: content.slice(offset, offset + 1_000_000),
    })
    expect(await (await world.handle(piece)).json()).toMatchObject({ offset: offset + 1_000_000 })
  }
  const [file = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes(id))
  expect(bytesOnlyInMemory(join(folder, file))).toBe(0)
  // Of a file written without that, this disk would have told.
  writeFileSync(join(folder, 'in-memory'), content)
  expect(bytesOnlyInMemory(join(folder, 'in-memory'))).toBeGreaterThan(2_900_000)
})
