import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { media } from '#api/db/schema/media.ts'
import { hashesOf, storeMedia } from '#api/features/media/store-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { videoFileOf } from '#api/testing/media.ts'
import { startOfTime } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
beforeEach(() => {
  folder = openDataFolder()
})
afterEach(() => folder.close())

const day = 24 * 3_600_000

function addVideoFile(name: string, seed: number, length = 300_000) {
  const bytes = videoFileOf(length, seed)
  const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  const path = join(folder.dataDir, 'media', sha256.slice(0, 2), sha256)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, bytes)
  insertRow(folder.world.ctx, media, {
    id: folder.world.ctx.newId(),
    sha256,
    bytes: bytes.length,
    format: 'mp4',
    name,
    createdAt: startOfTime.toISOString(),
  })
  return { sha256, path, bytes }
}

function flip(path: string) {
  const bytes = readFileSync(path)
  bytes[1000] = (bytes[1000] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

async function mediaCheck(options = '') {
  const { code, out } = await folder.local(`doctor --json${options}`)
  return { code, ...JSON.parse(out).checks.find(({ name }: { name: string }) => name === 'media') }
}

const spoilings: readonly (readonly [string, (path: string) => void])[] = [
  ['has a flipped byte', flip],
  ['was swapped', (path) => writeFileSync(path, videoFileOf(300_000, 99))],
]

test.each(spoilings)(
  'a video that %s is named by the backup, which goes on, and mended by an upload',
  async (_, spoil) => {
    const [videoFile, other] = [addVideoFile('roofing.mp4', 1), addVideoFile('tiling.mp4', 2)]
    spoil(videoFile.path)
    for (const way of ['', ' --media-apart']) {
      const made = await folder.local(`backup create --json${way}`)
      expect(made).toMatchObject({ code: 1, err: expect.stringContaining(`roofing.mp4 (${videoFile.path})`) })
      expect(made.err).not.toContain('tiling.mp4')
      const { file, leftOut } = JSON.parse(made.out)
      expect(leftOut).toEqual([{ name: 'roofing.mp4', file: videoFile.path }])
      expect(statSync(file).size).toBeGreaterThan(0)
      expect(await mediaCheck()).toMatchObject({
        code: 1,
        state: 'failed',
        message: expect.stringContaining(videoFile.path),
      })
      folder.world.forward(60_000)
    }
    const { ctx } = folder.world
    await storeMedia(ctx, new Blob([new Uint8Array(videoFile.bytes)]), { name: 'roofing.mp4', isPublic: false })
    expect(readFileSync(videoFile.path).equals(videoFile.bytes)).toBe(true)
    expect(await hashesOf(other.path)).toMatchObject({ sha256: other.sha256 })
    expect(await folder.local('backup create --json')).toMatchObject({ code: 0 })
    expect(await mediaCheck()).toMatchObject({ state: 'ok' })
  },
)

test('a thirtieth of the files is read a night, and doctor says since when all are whole', {
  tags: ['full'],
}, async () => {
  const { ctx } = folder.world
  const videoFiles = Array.from({ length: 60 }, (_, at) => addVideoFile(`film-${at}.mp4`, at))
  const read = () => ctx.sqlite.prepare<[], number>('select count(*) from media_checks').pluck().get()
  expect(await mediaCheck()).toMatchObject({
    state: 'ok',
    message: 'All files are there in full. 60 haven’t been read yet.',
  })
  expect(await runJob(ctx, 'media-checks')).toMatchObject({ report: { read: 2, damaged: 0 } })
  expect(read()).toBe(2)
  for (let night = 1; night < 30; night += 1) {
    folder.world.forward(day)
    await runJob(ctx, 'media-checks')
  }
  expect(read()).toBe(60)
  expect(await mediaCheck()).toMatchObject({
    state: 'ok',
    message: 'All files are there in full. We’ve read each one since 12 June 2026.',
  })
  const oldest = ctx.sqlite.prepare<[], string>('select file from media_checks order by checkedAt, file').pluck().get()
  const first = videoFiles.find(({ sha256 }) => sha256 === oldest)
  const name = `film-${videoFiles.findIndex(({ sha256 }) => sha256 === oldest)}.mp4`
  flip(first?.path ?? '')
  expect(await mediaCheck()).toMatchObject({ state: 'ok' })
  expect(await mediaCheck(' --films')).toMatchObject({ code: 1, message: expect.stringContaining(name) })
  // What that reading found is kept.
  expect(await mediaCheck()).toMatchObject({ code: 1, message: expect.stringContaining(name) })
  folder.world.forward(day)
  expect(await runJob(ctx, 'media-checks')).toMatchObject({ report: { read: 3, damaged: 1 } })
  expect(await mediaCheck()).toMatchObject({ code: 1, message: expect.stringContaining(name) })
  // Mended by hand.
  flip(first?.path ?? '')
  folder.world.forward(day)
  await runJob(ctx, 'media-checks')
  expect(await mediaCheck()).toMatchObject({ state: 'ok' })
  flip(first?.path ?? '')
  await mediaCheck(' --films')
  flip(first?.path ?? '')
  await mediaCheck(' --films')
  expect(await mediaCheck()).toMatchObject({ state: 'ok' })
})

/** Of the program that reads this file now; null while there's none. */
function prioritiesOf(path: string): { nice: number; disk: string } | null {
  const reads = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `cat\0--\0${path}\0`
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}`) && reads(name))
  if (pid === undefined) return null
  const disk = Bun.spawnSync(['ionice', '-p', pid]).stdout.toString().trim()
  return { nice: os.getPriority(Number(pid)), disk }
}

test('the nightly reading gives way to all else, and reads 20 MB a second at most', async () => {
  const { path, bytes } = addVideoFile('roofing.mp4', 1, 10_000_000)
  const began = performance.now()
  const reading = runJob(folder.world.ctx, 'media-checks')
  await expect.poll(() => prioritiesOf(path)).toEqual({ nice: 19, disk: 'idle' })
  expect(await reading).toMatchObject({ report: { read: 1, damaged: 0 } })
  // It may be ten milliseconds ahead.
  expect(bytes.length / (performance.now() - began + 10)).toBeLessThanOrEqual(20_000)
})

test('a file that can’t be read, is empty or a folder stops neither backup nor check', async () => {
  const [gone, empty, folded, other] = [1, 2, 3, 4].map((seed) => addVideoFile(`film-${seed}.mp4`, seed))
  rmSync(gone?.path ?? '')
  truncateSync(empty?.path ?? '', 0)
  rmSync(folded?.path ?? '')
  mkdirSync(folded?.path ?? '')
  for (const way of ['', ' --media-apart']) {
    const made = await folder.local(`backup create --json${way}`)
    expect([made.code, JSON.parse(made.out).leftOut.length]).toEqual([1, 3])
    folder.world.forward(60_000)
  }
  expect(await runJob(folder.world.ctx, 'media-checks')).toMatchObject({ report: { read: 1, damaged: 0 } })
  expect((await mediaCheck()).message).toContain('3 files are missing, cut short or damaged')
  chmodSync(other?.path ?? '', 0)
  expect((await folder.local('backup create --json')).code).toBe(1)
})
