// @module-tag full
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { media, videoFiles } from '#api/db/schema/media.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { startOfTime } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
let backups: string
beforeEach(() => {
  folder = openDataFolder()
  backups = join(folder.dataDir, 'backups')
})
afterEach(() => folder.close())

function addVideoFile(name: string) {
  const bytes = Buffer.from(name.repeat(100_000))
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

const at = (minutes: number) => ({ now: () => new Date(startOfTime.getTime() + minutes * 60_000) })
const backupAt = (time: string) =>
  join(backups, readdirSync(backups).find((name) => name.startsWith(`alliance-2026-06-12T${time}`)) ?? '')
const mediaCheck = async () => {
  const { code, out } = await folder.local('doctor --json')
  return { code, ...JSON.parse(out).checks.find(({ name }: { name: string }) => name === 'media') }
}

const spoilings: readonly (readonly [string, (path: string) => void])[] = [
  ['was cut short', (path) => truncateSync(path, 1000)],
  ['is gone', (path) => rmSync(path)],
]

test.each(spoilings)(
  'of a video file that %s, the backup has all else, and says which is missing',
  async (_what, spoil) => {
    const [videoFile, other] = [addVideoFile('roofing.mp4'), addVideoFile('tiling.mp4')]
    expect(await mediaCheck()).toMatchObject({ code: 0, state: 'ok' })
    spoil(videoFile.path)
    for (const way of ['', ' --media-apart']) {
      const made = await folder.local(`backup create --quiet${way}`, at(way.length))
      expect(made).toMatchObject({
        code: 1,
        out: expect.stringContaining('alliance-2026-06-12T'),
        err: expect.any(String),
      })
      expect(made.err).toContain(`Not in the backup: roofing.mp4 (${videoFile.path})`)
      const [file = ''] = made.out.split('\n')
      const check = await folder.local(`backup verify ${file} --json`)
      expect(JSON.parse(check.out)).toMatchObject({ isWhole: true, media: 1 })
    }
    expect(readdirSync(join(backups, 'media'))).toEqual([other.sha256])
    expect(JSON.parse((await folder.local('backup create --json', at(30))).out)).toMatchObject({
      leftOut: [{ name: 'roofing.mp4', file: videoFile.path }],
    })
    expect(await mediaCheck()).toMatchObject({
      code: 1,
      state: 'failed',
      message: expect.stringContaining(`roofing.mp4 (${videoFile.path})`),
    })
  },
)

test('the nightly backup goes on without a video file that was cut short, and logs which', async () => {
  const { path } = addVideoFile('roofing.mp4')
  truncateSync(path, 1000)
  await folder.local('backup schedule 03:15')
  expect(await runJob(folder.world.ctx, 'backup')).toMatchObject({ report: { made: 1, leftOut: 1 } })
  expect(folder.world.logged.join()).toContain(path)
})

test.each(['', ' --passphrase-file key'])(
  'beside the backups a whole copy stays, and one that is cut or changed is replaced%s',
  async (passphrase) => {
    writeFileSync(join(folder.dataDir, 'key'), 'tape and level\n')
    const run = (line: string, minutes = 0) =>
      folder.local(`${line}${passphrase}`, { cwd: folder.dataDir, ...at(minutes) })
    const { path, sha256, bytes } = addVideoFile('roofing.mp4')
    expect((await run('backup create --media-apart')).code).toBe(0)
    const copy = join(backups, 'media', sha256)
    const whole = statSync(copy).size
    truncateSync(copy, 1000)
    expect((await run('backup create --media-apart', 1)).code).toBe(0)
    expect(statSync(copy).size).toBe(whole)
    // The copy is intact, so the backup is complete.
    truncateSync(path, 1000)
    expect((await run('backup create --media-apart', 2)).code).toBe(0)
    expect((await run(`backup verify ${backupAt('07-42')}`)).code).toBe(0)
    // The same length with other content: it mustn't be kept as good.
    rmSync(copy)
    writeFileSync(path, Buffer.alloc(bytes.length))
    expect(await run('backup create --media-apart', 3)).toMatchObject({ code: 1, err: expect.stringContaining(path) })
    expect(readdirSync(join(backups, 'media'))).toEqual([])
  },
)

test('a restore puts in what the disk has lost of a video file, or changed', async () => {
  const [cut, changed] = [addVideoFile('roofing.mp4'), addVideoFile('tiling.mp4')]
  await folder.local('backup create')
  truncateSync(cut.path, 1000)
  writeFileSync(changed.path, Buffer.alloc(changed.bytes.length))
  const { out } = await folder.local(`backup restore ${backupAt('07-40')} --yes`)
  expect(out).toMatch(/Media added +2 files/)
  for (const { path, bytes } of [cut, changed]) expect(readFileSync(path).equals(bytes)).toBe(true)
})

const apartSpoilings: readonly (readonly [string, (path: string) => void])[] = [
  ...spoilings,
  ['was changed', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
]

test.each(apartSpoilings)(
  'a video file that %s beside the backups holds up no restore of all else',
  async (_what, spoil) => {
    const [videoFile, other] = [addVideoFile('roofing.mp4'), addVideoFile('tiling.mp4')]
    const { ctx } = folder.world
    const [video] = folder.world.addVideos()
    const row = ctx.db.select({ id: media.id }).from(media).where(eq(media.sha256, videoFile.sha256)).get()
    insertRow(ctx, videoFiles, { videoId: video?.id ?? '', mediaId: row?.id ?? '', position: 0 })
    await folder.local('backup create --media-apart')
    const file = backupAt('07-40')
    spoil(join(backups, 'media', videoFile.sha256))
    // The site's own file is intact.
    rmSync(other.path)
    const restored = await folder.local(`backup restore ${file} --yes`)
    expect(restored).toMatchObject({ code: 0, out: expect.stringMatching(/Media added +1 file/) })
    expect(restored.err).not.toContain('Not restored')
    expect(readFileSync(videoFile.path).equals(videoFile.bytes)).toBe(true)
    // Now there's no intact copy left.
    truncateSync(videoFile.path, 1000)
    const without = await folder.local(`backup restore ${file} --yes --quiet`)
    expect(without).toMatchObject({ code: 0, err: expect.stringContaining('Not restored: roofing.mp4') })
    expect(without.err).toContain(video?.title)
    expect(without.err).toContain(videoFile.path)
    expect(JSON.parse((await folder.local(`backup restore ${file} --yes --json`)).out).lostMedia).toEqual([
      { name: 'roofing.mp4', usedBy: [video?.title], file: videoFile.path },
    ])
    expect(await mediaCheck()).toMatchObject({ code: 1, message: expect.stringContaining('roofing.mp4') })
    // The backup still counts as damaged.
    const check = JSON.parse((await folder.local(`backup verify ${file} --json`)).out)
    expect(check).toMatchObject({ isWhole: false, problems: [expect.stringContaining(videoFile.sha256.slice(0, 12))] })
    writeFileSync(videoFile.path, videoFile.bytes)
    expect(await mediaCheck()).toMatchObject({ code: 0 })
  },
)
