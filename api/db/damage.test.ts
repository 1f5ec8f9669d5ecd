// @module-tag full
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openContext } from '#api/context.ts'
import { jobs } from '#api/features/operations/jobs/list-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { startJobs } from '#api/jobs/timers.ts'
import { readSettings } from '#api/settings.ts'
import { damagePage } from '#api/testing/damaged-database.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { damageMarkOf } from './damage.ts'
import { databaseFile } from './data-dir.ts'
import { checkIntegrity, lookAgain as lookNow } from './integrity.ts'
import { closeDatabase } from './storage.ts'

/** The data folder is in one of the test's own, for a copy beside it. */
let root = ''
let dataDir = ''
let world: World
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'alliance-damage-'))
  dataDir = join(root, 'data')
  mkdirSync(dataDir)
  world = startWorld({ file: databaseFile(dataDir), env: { DATA_DIR: dataDir } })
})
afterEach(() => {
  world.ctx.sqlite.close()
  rmSync(root, { recursive: true })
})

const health = async (): Promise<{ services: { database: string } }> => (await world.call('/api/health')).json()
const enquiry = { name: 'Sam', email: 'sam@example.com', message: 'Is there tea?' }
const linesAboutDamage = () => world.logged.filter((line) => line.includes('The database is damaged'))

test('a damaged page is found at night: health says error, reads go on, writes are refused, one line names the restore', async () => {
  const danny = world.addMember()
  const call = world.signIn(danny)
  expect(await runJob(world.ctx, 'heartbeat')).toMatchObject({ skipped: false })
  expect(await runJob(world.ctx, 'integrity')).toEqual({ skipped: false, report: { isDamaged: false } })
  expect(await health()).toMatchObject({ status: 'ok', services: { database: 'connected' } })
  damagePage(databaseFile(dataDir), 'daily_counts')
  expect(await runJob(world.ctx, 'integrity')).toEqual({ skipped: false, report: { isDamaged: true } })
  expect(await health()).toMatchObject({ status: 'error', services: { database: 'damaged' } })
  // After an hour, a read would also record the visit.
  world.forward(2 * 3_600_000)
  expect((await call('/api/auth/user')).status).toBe(200)
  const refused = await world.call('/api/contact', { body: enquiry })
  expect(await readError(refused)).toMatchObject({ status: 503, code: 'busy' })
  expect(refused.headers.get('retry-after')).toBe('600')
  const timers = startJobs(world.ctx, jobs)
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  await timers.stop()
  expect(linesAboutDamage()).toEqual([expect.stringContaining(`restore a backup over ${databaseFile(dataDir)}`)])
  expect(world.logged.some((line) => line.includes('job failed'))).toBe(false)
})

test('a damaged page that a request meets is recorded at once', async () => {
  const { cookie } = world.signIn(world.addMember())
  world.ctx.sqlite.close()
  damagePage(databaseFile(dataDir), 'users')
  world = startWorld({ file: databaseFile(dataDir), env: { SESSION_SECRET: world.ctx.secret } })
  const response = await world.call('/api/auth/user', { headers: { cookie } })
  expect(await readError(response)).toMatchObject({ status: 503, code: 'busy' })
  expect(await health()).toMatchObject({ status: 'error', services: { database: 'damaged' } })
  expect(linesAboutDamage()).toHaveLength(1)
})

function replace(file: string): void {
  copyFileSync(file, `${file}.new`)
  renameSync(`${file}.new`, file)
}

/** Overwrites the file in place, as `cp` does: its inode stays the same. */
function overwrite(file: string): void {
  const small = new Database(`${file}.small`)
  small.exec('create table small (id text)')
  small.close()
  writeFileSync(file, readFileSync(`${file}.small`))
}

const losses: readonly (readonly [string, (file: string) => void])[] = [
  ['cut to nothing', (file) => truncateSync(file)],
  ['cut short', (file) => truncateSync(file, 100 * 4096)],
  ['overwritten with other words', (file) => writeFileSync(file, 'hello '.repeat(2000))],
  ['overwritten with a smaller database', overwrite],
  ['deleted', (file) => rmSync(file)],
  ['replaced by another', replace],
]

test.each(losses)(
  'where the file is %s under a running server nothing more is confirmed, and health says so',
  async (how, lose) => {
    const file = databaseFile(dataDir)
    const danny = world.signIn(world.addMember())
    const [video] = world.addVideos()
    const tick = () => danny(`/api/video-progress/${video?.id}/complete`, { method: 'POST' })
    expect((await world.call('/api/contact', { body: enquiry })).status).toBe(200)
    expect((await tick()).status).toBe(200)
    world.ctx.sqlite.pragma('wal_checkpoint(PASSIVE)')
    lose(file)
    expect((await world.call('/api/contact', { body: enquiry })).status).toBe(503)
    expect((await tick()).status).toBe(503)
    expect(await health()).toMatchObject({ status: 'error', services: { database: 'damaged' } })
    const isKept = how === 'deleted' || how === 'replaced by another'
    const advice = isKept ? 'Everything we’d saved is in' : `restore a backup over ${file}`
    expect(linesAboutDamage()).toEqual([expect.stringContaining(advice)])
  },
)

test.each(losses)('a file that is %s is found by health, and by the nightly check', async (_how, lose) => {
  lose(databaseFile(dataDir))
  expect(await health()).toMatchObject({ status: 'error', services: { database: 'damaged' } })
  const other = startWorld({ file: join(dataDir, 'other.sqlite'), env: { DATA_DIR: dataDir } })
  lose(other.ctx.sqlite.name)
  expect(await checkIntegrity(other.ctx)).toEqual({ isDamaged: true })
  other.ctx.sqlite.close()
})

test('a database that was put in the place of an open one is not taken for damaged by the next to open it', async () => {
  const file = databaseFile(dataDir)
  replace(file)
  expect(await health()).toMatchObject({ services: { database: 'damaged' } })
  expect(readdirSync(dataDir)).not.toContain(basename(damageMarkOf(file)))
})

test('what cannot be opened any more is refused with the line that names the restore', () => {
  world.ctx.sqlite.pragma('wal_checkpoint(TRUNCATE)')
  truncateSync(databaseFile(dataDir), 5_000)
  expect(() => openContext(readSettings({ DATA_DIR: dataDir }))).toThrow(
    /^The database is damaged: .*restore a backup over/,
  )
})

/** Vacuums from outside the server, as someone in a SQLite shell might. */
async function compact(file: string): Promise<void> {
  const shell = new Database(file)
  shell.exec('create table bulk (data blob)')
  shell.exec('insert into bulk select randomblob(400000)')
  shell.exec('drop table bulk')
  shell.pragma('wal_checkpoint(TRUNCATE)')
  expect((await health()).services.database).toBe('connected')
  const { size } = statSync(file)
  shell.exec('vacuum')
  expect((await health()).services.database).toBe('connected')
  shell.pragma('wal_checkpoint(TRUNCATE)')
  expect(statSync(file).size).toBeLessThan(size)
  // Refills the log beyond its earlier length.
  shell.exec('create table bulk (data blob)')
  shell.exec('insert into bulk select randomblob(800000)')
  shell.close()
}

test('a file that SQLite itself made shorter beside the server is not taken for lost', async () => {
  const file = databaseFile(dataDir)
  await compact(file)
  expect((await world.call('/api/contact', { body: enquiry })).status).toBe(200)
  expect((await health()).services.database).toBe('connected')
  expect(linesAboutDamage()).toEqual([])
  expect(readdirSync(dataDir)).not.toContain(basename(damageMarkOf(file)))
  // From now on the file mustn't get shorter than this.
  truncateSync(file, 100 * 4096)
  expect((await world.call('/api/contact', { body: enquiry })).status).toBe(503)
})

const away = () => `${dataDir}-away`
const inquire = async () => (await world.call('/api/contact', { body: enquiry })).status
const lookAgain = () => {
  world.forward(5_000)
  return health()
}

test('a folder that was away for a moment is written again once its pages were checked', async () => {
  const owner = world.signIn(world.addOwner())
  const isOnToday = async () => (await (await owner('/api/admin/today')).text()).includes('The database is damaged')
  renameSync(dataDir, away())
  const refused = await world.call('/api/contact', { body: enquiry })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await isOnToday()).toBe(true)
  expect(await lookAgain()).toMatchObject({ services: { database: 'damaged' } })
  renameSync(away(), dataDir)
  // The file is back, but not checked yet.
  expect(await inquire()).toBe(503)
  await expect.poll(async () => (await lookAgain()).services.database).toBe('connected')
  expect(await inquire()).toBe(200)
  expect(await isOnToday()).toBe(false)
  expect(linesAboutDamage()).toEqual([expect.stringMatching(/If you still have the file, put it back: .*carries on/)])
  expect(readdirSync(root)).toEqual(['data'])
  world.ctx.sqlite.close()
  world = startWorld({ file: databaseFile(dataDir) })
  expect(world.ctx.sqlite.prepare('select count(*) from contacts').pluck().get()).toBe(1)
})

test('a server that nobody asks for its health looks by itself', async () => {
  renameSync(dataDir, away())
  expect(await inquire()).toBe(503)
  renameSync(away(), dataDir)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const timers = startJobs(world.ctx, [])
  vi.advanceTimersByTime(5_000)
  vi.useRealTimers()
  await expect.poll(inquire).toBe(200)
  await timers.stop()
})

test('a folder that cannot be looked into ends no server, and is written again once it can', async () => {
  expect(await inquire()).toBe(200)
  renameSync(dataDir, away())
  // A link to itself: any look inside fails with an error other than ENOENT, as on a failing network disk.
  symlinkSync(dataDir, dataDir)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const timers = startJobs(world.ctx, [])
  expect(() => vi.advanceTimersByTime(5_000)).not.toThrow()
  vi.useRealTimers()
  await timers.stop()
  expect(await health()).toMatchObject({ services: { database: 'damaged' } })
  expect(await inquire()).toBe(503)
  expect(linesAboutDamage()).toEqual([expect.stringMatching(/cannot be looked at.*ELOOP.*Restart the server/)])
  rmSync(dataDir)
  renameSync(away(), dataDir)
  await expect.poll(async () => (await lookAgain()).services.database).toBe('connected')
  expect(await inquire()).toBe(200)
})

test('a stop writes the log back also where the folder cannot be looked into', async () => {
  expect(await inquire()).toBe(200)
  renameSync(dataDir, away())
  symlinkSync(dataDir, dataDir)
  expect(() => closeDatabase(world.ctx)).not.toThrow()
  expect(world.ctx.sqlite.open).toBe(false)
  rmSync(dataDir)
  renameSync(away(), dataDir)
  const left = new Database(databaseFile(dataDir), { readonly: true })
  expect(left.prepare('select count(*) from contacts').pluck().get()).toBe(1)
  left.close()
})

test('a folder that comes back damaged, or with another database or another log, stays closed', async () => {
  const file = databaseFile(dataDir)
  renameSync(dataDir, away())
  expect(await inquire()).toBe(503)
  renameSync(away(), dataDir)
  renameSync(`${file}-wal`, `${file}-wal-before`)
  copyFileSync(`${file}-wal-before`, `${file}-wal`)
  await lookAgain()
  expect(await inquire()).toBe(503)
  renameSync(`${file}-wal-before`, `${file}-wal`)
  renameSync(file, `${file}-before`)
  copyFileSync(`${file}-before`, file)
  await lookAgain()
  expect(await inquire()).toBe(503)
  renameSync(`${file}-before`, file)
  damagePage(file, 'daily_counts')
  await expect.poll(async () => (await lookAgain()) && linesAboutDamage().length).toBe(3)
  expect(linesAboutDamage()[2]).toMatch(/damaged: [^.]*\. Stop the server, restore a backup over/)
  expect(await inquire()).toBe(503)
})

test('what is copied over a file that was cut short under the server is never written by it', async () => {
  const file = databaseFile(dataDir)
  world.ctx.sqlite.pragma('wal_checkpoint(TRUNCATE)')
  const sound = readFileSync(file)
  truncateSync(file, 100 * 4096)
  expect(await inquire()).toBe(503)
  writeFileSync(file, sound)
  await lookAgain()
  expect(await checkIntegrity(world.ctx)).toEqual({ isDamaged: true })
  expect(await inquire()).toBe(503)
})

test('what another program found is checked by the server, and only what is sound stays open', async () => {
  const file = databaseFile(dataDir)
  const mark = damageMarkOf(file)
  writeFileSync(mark, 'its file was cut short')
  await expect.poll(async () => (await lookAgain()) && existsSync(mark)).toBe(false)
  expect(await inquire()).toBe(200)
  damagePage(file, 'daily_counts')
  expect(await lookAgain()).toMatchObject({ services: { database: 'connected' } })
  writeFileSync(mark, 'database disk image is malformed')
  await expect.poll(async () => (await lookAgain()).services.database).toBe('damaged')
  expect(await inquire()).toBe(503)
  expect(linesAboutDamage()).toHaveLength(1)
})

test('a check that does not come about is made again, and the mark does not stay', async () => {
  const mark = damageMarkOf(databaseFile(dataDir))
  writeFileSync(mark, 'its file was cut short')
  lookNow(world.ctx)
  // Gone while the thread is opening it.
  renameSync(dataDir, away())
  await expect.poll(() => world.logged.some((line) => line.includes('database not checked'))).toBe(true)
  renameSync(away(), dataDir)
  await expect.poll(async () => (await lookAgain()) && existsSync(mark)).toBe(false)
  expect(await inquire()).toBe(200)
  expect(world.logged.filter((line) => line.includes('database not checked'))).toHaveLength(1)
})
