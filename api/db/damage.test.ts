import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openContext } from '#api/context.ts'
import { runJob } from '#api/jobs/run.ts'
import { startJobs } from '#api/jobs/timers.ts'
import { readSettings } from '#api/settings.ts'
import { damagePage } from '#api/testing/damaged-database.ts'
import { readError, startWorld, type World } from '#api/testing/world.ts'
import { damageMarkOf } from './damage.ts'
import { databaseFile } from './data-dir.ts'
import { checkIntegrity } from './integrity.ts'

let dataDir = ''
let world: World
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'alliance-damage-'))
  world = startWorld({ file: databaseFile(dataDir), env: { DATA_DIR: dataDir } })
})
afterEach(() => {
  world.ctx.sqlite.close()
  rmSync(dataDir, { recursive: true })
})

const health = async () => (await world.call('/api/health')).json()
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
  // An hour later a read would also record the visit.
  world.forward(2 * 3_600_000)
  expect((await call('/api/auth/user')).status).toBe(200)
  const refused = await world.call('/api/contact', { body: enquiry })
  expect(await readError(refused)).toMatchObject({ status: 503, code: 'busy' })
  expect(refused.headers.get('retry-after')).toBe('600')
  const timers = startJobs(world.ctx)
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  await timers.stop()
  expect(linesAboutDamage()).toEqual([expect.stringContaining(`put a backup in the place of ${databaseFile(dataDir)}`)])
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

const losses: readonly (readonly [string, (file: string) => void])[] = [
  ['cut to nothing', (file) => truncateSync(file)],
  ['cut short', (file) => truncateSync(file, 100 * 4096)],
  ['overwritten with other words', (file) => writeFileSync(file, 'hello '.repeat(2000))],
  ['deleted', (file) => rmSync(file)],
  ['replaced by another', replace],
]

test.each(losses)(
  'where the file is %s under a running server nothing more is confirmed, and health says so',
  async (_how, lose) => {
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
    expect(linesAboutDamage()).toEqual([expect.stringContaining(`put a backup in the place of ${file}`)])
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
  expect(() => openContext(readSettings({ DATA_DIR: dataDir }))).toThrow(/^The database is damaged: .*put a backup in/)
})
