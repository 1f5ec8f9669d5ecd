// @module-tag full
import { mkdtempSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startJobs } from '#api/jobs/timers.ts'
import { fillDisk } from '#api/testing/full-disk.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { databaseFile } from './data-dir.ts'
import { closeDatabase } from './storage.ts'

let dataDir = ''
let file = ''
let world: World
let makeRoom: () => void = () => undefined
let onStatement: (text: string) => void = () => undefined
const start = () => startWorld({ file, env: { DATA_DIR: dataDir }, onStatement: (text) => onStatement(text) })
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'alliance-log-'))
  file = databaseFile(dataDir)
  world = start()
  world.ctx.sqlite.pragma('wal_checkpoint(TRUNCATE)')
})
afterEach(() => {
  onStatement = () => undefined
  makeRoom()
  world.ctx.sqlite.close()
  rmSync(dataDir, { recursive: true })
})

const inquire = async () => {
  const body = { name: 'Sam', email: 'sam@example.com', message: 'Is there tea? '.repeat(350) }
  return (await world.call('/api/contact', { body })).status
}
const lookAgain = async (): Promise<string> => {
  world.forward(5_000)
  const found: { services: { database: string } } = await (await world.call('/api/health')).json()
  return found.services.database
}
const remove = (place = file) => {
  for (const ending of ['wal', 'shm']) rmSync(`${place}-${ending}`)
}
const keptFiles = () => {
  const backups = join(dataDir, 'backups')
  return readdirSync(backups).map((name) => join(backups, name))
}
const linesAboutLog = () => world.logged.filter((line) => line.includes('its log was removed'))

/** In another process, because closing a connection here would release our locks. */
function runElsewhere(path: string, sql: string): string {
  const script = `const sqlite = new (require('better-sqlite3'))(process.argv[1])
    const one = sqlite.prepare(process.argv[2])
    process.stdout.write(String(one.reader ? one.pluck().get() : one.run().changes))
    sqlite.close()`
  return String(Bun.spawnSync([process.execPath, '-e', script, path, sql]).stdout)
}
const countIn = (path: string) => Number(runElsewhere(path, 'select count(*) from contacts'))

test('where a log is removed under a server, nothing more is confirmed, all it held is in a copy, and one line says what to do', async () => {
  expect(await inquire()).toBe(200)
  remove()
  expect(await inquire()).toBe(503)
  expect(await lookAgain()).toBe('damaged')
  const [kept = '', ...others] = keptFiles()
  expect([others, countIn(kept)]).toEqual([[], 1])
  expect(linesAboutLog()).toEqual([expect.stringMatching(new RegExp(`${kept}.*You don’t need a backup.*cp ${kept}`))])
})

test('until the copy is in place, no program opens the file that lacks what came last', async () => {
  expect(await inquire()).toBe(200)
  remove()
  closeDatabase(world.ctx)
  const [kept = ''] = keptFiles()
  const run = (...argv: string[]) => {
    const env = { ...process.env, DATA_DIR: dataDir, ALLIANCE_API: '' }
    const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, 'cli/main.ts', ...argv], { env })
    return [exitCode, String(stdout) + String(stderr)]
  }
  const refused = [1, expect.stringMatching(new RegExp(`log was removed while.*${kept}`, 's'))]
  expect([run('members', 'list'), run('doctor', '--verbose'), run('migrate')]).toEqual([refused, refused, refused])
  // Who can do without it deletes it.
  rmSync(kept)
  expect(run('members', 'list')[0]).toBe(0)
})

test('the log of a database whose name is a link is looked at where it lies', async () => {
  world.ctx.sqlite.close()
  const folder = join(dataDir, 'site.db')
  renameSync(file, folder)
  symlinkSync(folder, file)
  world = start()
  expect(await inquire()).toBe(200)
  remove(folder)
  expect(await inquire()).toBe(503)
  const command = /: (mkdir -p .*? && cp \S+ [^\s"]+)/.exec(linesAboutLog()[0] ?? '')?.[1] ?? 'false'
  closeDatabase(world.ctx)
  expect(Bun.spawnSync(['sh', '-c', command]).exitCode).toBe(0)
  expect(countIn(folder)).toBe(1)
  world = start()
  expect(await inquire()).toBe(200)
})

test('a server that nobody asks anything looks by itself', async () => {
  expect(await inquire()).toBe(200)
  remove()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const timers = startJobs(world.ctx, [])
  vi.advanceTimersByTime(1_000)
  vi.useRealTimers()
  await timers.stop()
  expect(keptFiles().map(countIn)).toEqual([1])
})

test('what another program wrote into a log of its own is not written over, not even by the stop', async () => {
  expect(await inquire()).toBe(200)
  remove()
  runElsewhere(file, `insert into settings (key, value, updatedAt) values ('note', '"of the other"', '')`)
  expect(await inquire()).toBe(503)
  closeDatabase(world.ctx)
  expect(keptFiles().map(countIn)).toEqual([1])
  expect(runElsewhere(file, `select value from settings where key = 'note'`)).toBe('"of the other"')
})

test('a log that is removed while its folder is away is missed once the folder is back', async () => {
  expect(await inquire()).toBe(200)
  const away = `${dataDir}-away`
  renameSync(dataDir, away)
  expect(await inquire()).toBe(503)
  remove(join(away, 'alliance.sqlite'))
  renameSync(away, dataDir)
  expect(await lookAgain()).toBe('damaged')
  expect(linesAboutLog()).toHaveLength(1)
  expect(await inquire()).toBe(503)
})

test('a log that is back in its place is carried on with, once the pages were checked', async () => {
  expect(await inquire()).toBe(200)
  renameSync(`${file}-wal`, `${file}-away`)
  expect(await inquire()).toBe(503)
  renameSync(`${file}-away`, `${file}-wal`)
  await expect.poll(lookAgain).toBe('connected')
  expect([await inquire(), keptFiles()]).toEqual([200, []])
})

test('a copy that does not fit is tried soon once a minute, and by the stop', async () => {
  expect(await inquire()).toBe(200)
  remove()
  makeRoom = fillDisk(statSync(file).size)
  let tries = 0
  onStatement = (text) => {
    if (/^vacuum into/.test(text)) tries += 1
  }
  expect(await inquire()).toBe(503)
  for (let minute = 0; minute < 10; minute += 1)
    for (let look = 0; look < 12; look += 1) expect(await lookAgain()).toBe('damaged')
  // Each look that tries goes through four folders.
  expect(tries).toBeGreaterThan(12)
  expect(tries).toBeLessThan(40)
  expect(linesAboutLog()).toEqual([expect.stringContaining('We couldn’t keep a copy, so don’t stop the server.')])
  makeRoom()
  closeDatabase(world.ctx)
  expect(keptFiles().map(countIn)).toEqual([1])
})
