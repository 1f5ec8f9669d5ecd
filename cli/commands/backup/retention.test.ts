// @module-tag full
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acquireLease } from '#api/jobs/lease.ts'
import { startOfTime } from '#api/testing/world.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
let backups: string
beforeEach(() => {
  folder = openDataFolder()
  backups = join(folder.dataDir, 'backups')
})
afterEach(() => folder.close())

const onDay = (days: number) => ({ now: () => new Date(startOfTime.getTime() + days * 86_400_000) })
const night = async (days: number) => JSON.parse((await folder.local('jobs run backup --json', onDay(days))).out)
const filesCheck = async (days: number) =>
  JSON.parse((await folder.local('doctor --json', onDay(days))).out).checks.find(
    ({ name }: { name: string }) => name === 'backup files',
  )
const names = () =>
  readdirSync(backups)
    .filter((name) => name.startsWith('alliance-'))
    .sort()

const contents = () =>
  new Map(names().map((name) => [name, Bun.SHA256.hash(readFileSync(join(backups, name)), 'hex')] as const))

test('after a restore of an older backup, no nightly run replaces or deletes a newer one', async () => {
  await folder.local('backup schedule 03:15 --keep 3d')
  for (const day of [0, 1, 2]) {
    await night(day)
    folder.world.addMember({ email: `joined-${day}@alliance.test` })
  }
  const made = contents()
  expect([...made.keys()]).toEqual([
    'alliance-2026-06-12-nightly.tar',
    'alliance-2026-06-13-nightly.tar',
    'alliance-2026-06-14-nightly.tar',
  ])
  const restored = await folder.local(`backup restore ${join(backups, 'alliance-2026-06-12-nightly.tar')} --yes`)
  expect(restored.code).toBe(0)
  // The restored database doesn't know that today has had its backup.
  expect(await night(2)).toMatchObject({ report: { made: 1 } })
  expect(names()).toContain('alliance-2026-06-14-nightly-2.tar')
  for (const day of [3, 4, 5, 6]) await night(day)
  const left = contents()
  for (const [name, hash] of made) expect([name, left.get(name)]).toEqual([name, hash])
  // The rule still deletes those it made itself.
  expect(names().slice(made.size)).toEqual([
    'alliance-2026-06-16-nightly.tar',
    'alliance-2026-06-17-nightly.tar',
    'alliance-2026-06-18-nightly.tar',
  ])
})

/** A media file no row knows any more, because the only finished backup that named it is gone. */
function leaveVideoFile(): string {
  const videoFile = join(backups, 'media', 'a'.repeat(64))
  mkdirSync(dirname(videoFile), { recursive: true })
  writeFileSync(videoFile, 'a film')
  return videoFile
}

test('what goes is said, videos too, and nothing goes without a question', async () => {
  await folder.local('backup create --media-apart')
  const videoFile = leaveVideoFile()
  const plan = JSON.parse((await folder.local('backup prune --keep 7d --dry-run --json')).out)
  expect(plan.facts).toEqual({ deleted: [], kept: 1, deletedMedia: 1 })
  expect(await folder.local('backup prune --keep 7d')).toMatchObject({ code: 2 })
  expect(existsSync(videoFile)).toBe(true)
  const pruned = await folder.local('backup prune --keep 7d --yes')
  expect(pruned).toMatchObject({ code: 0, err: expect.stringContaining('1 file of media no backup needs') })
  expect(pruned.out).not.toContain('Nothing to delete')
  expect(existsSync(videoFile)).toBe(false)
  expect((await folder.local('backup prune --keep 7d --yes')).out).toContain('Nothing to delete.')
})

test('while a backup is made, nothing is deleted beside it, also by another machine', async () => {
  await folder.local('backup create --media-apart')
  const videoFile = leaveVideoFile()
  const lease = acquireLease(folder.world.ctx, { name: 'backup', lastRunBefore: undefined })
  expect(await folder.local('backup prune --keep 7d --yes')).toMatchObject({
    code: 1,
    err: 'A backup is running, or old ones are being deleted. Try again when it’s finished.\n',
  })
  lease?.stopRenewing()
  lease?.end({ report: {}, startedAt: startOfTime })
  // Another machine's lease is in another database, but its unfinished file is visible.
  const underway = join(backups, '.partial-database-1')
  writeFileSync(underway, 'half')
  const pruned = await folder.local('backup prune --keep 7d --yes')
  expect(pruned).toMatchObject({ code: 0, err: expect.stringContaining(underway) })
  expect(existsSync(videoFile)).toBe(true)
  // A file left by a run killed weeks ago doesn't block anything.
  utimesSync(underway, new Date(0), new Date(0))
  await folder.local('backup prune --keep 7d --yes')
  expect(existsSync(videoFile)).toBe(false)
})

test('one that a clock made in the future is kept and named, and costs none of those after it', async () => {
  await folder.local('backup schedule 03:15 --keep 1d')
  await night(400)
  for (const day of [1, 2]) expect(await night(day)).toMatchObject({ report: { made: 1, deleted: day - 1 } })
  expect(names()).toEqual(['alliance-2026-06-14-nightly.tar', 'alliance-2027-07-17-nightly.tar'])
  const list = await folder.local('backup list', onDay(2))
  expect(list.out).toMatch(/2027-07-17-nightly.tar .*17 July 2027, 08:40 \(in the future\)/)
  expect(list.out).toMatch(/2026-06-14-nightly.tar .*14 June 2026, 08:40 +\d/)
  expect(await filesCheck(2)).toMatchObject({
    state: 'warning',
    fix: 'backup list',
    message: expect.stringContaining('alliance-2027-07-17-nightly.tar'),
  })
  rmSync(join(backups, 'alliance-2027-07-17-nightly.tar'))
  expect(await filesCheck(2)).toMatchObject({ state: 'ok' })
})

test('doctor fails where the last nightly backup is not there any more', async () => {
  await folder.local('backup schedule 03:15')
  await night(0)
  expect(await filesCheck(0)).toMatchObject({ state: 'ok' })
  const [only = ''] = names()
  rmSync(join(backups, only))
  expect(await filesCheck(0)).toMatchObject({
    state: 'failed',
    message: expect.stringContaining(join(backups, only)),
  })
})
