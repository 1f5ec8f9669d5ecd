import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startJobs } from '#api/jobs/timers.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { damageMarkOf } from './damage.ts'
import { databaseFile } from './data-dir.ts'
import { closeDatabase } from './storage.ts'

let dataDir = ''
let file = ''
let world: World
const children: { kill(): void; exited: Promise<number> }[] = []
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'alliance-log-'))
  file = databaseFile(dataDir)
  world = startWorld({ file, env: { DATA_DIR: dataDir } })
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill()
    await child.exited
  }
  world.ctx.sqlite.close()
  rmSync(dataDir, { recursive: true })
})

const health = async (): Promise<string> => {
  const found: { services: { database: string } } = await (await world.call('/api/health')).json()
  return found.services.database
}
const inquire = async () => {
  const body = { name: 'Sam', email: 'sam@example.com', message: 'Is there tea?' }
  return (await world.call('/api/contact', { body })).status
}
const lookAgain = () => {
  world.forward(3_000)
  return health()
}
const remove = (endings: readonly string[]) => {
  for (const ending of endings) rmSync(`${file}-${ending}`)
}
const linesAboutLog = () => world.logged.filter((line) => line.includes('log of'))

/**
 * Counts in the database file alone, as if the server had been killed. In another program, because this one holds locks on it.
 */
function savedInFile(): number {
  const left = join(dataDir, 'left')
  Bun.spawnSync(['cp', file, left])
  const copy = new Database(left)
  const count = Number(copy.prepare('select count(*) from contacts').pluck().get())
  copy.close()
  for (const ending of ['', '-wal', '-shm']) rmSync(`${left}${ending}`, { force: true })
  return count
}

/** Another program that opens the database, runs a statement, reports it and stays until ended. */
async function openElsewhere(sql: string): Promise<{ end(): Promise<void> }> {
  const script = `const sqlite = new (require('better-sqlite3'))(process.argv[1])
    sqlite.exec(${JSON.stringify(sql)})
    process.stdout.write('open')
    process.stdin.on('data', () => { sqlite.close(); process.exit(0) })`
  const child = Bun.spawn([process.execPath, '-e', script, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  await child.stdout.getReader().read()
  return {
    async end() {
      child.stdin.write('end')
      await child.stdin.flush()
      await child.exited
    },
  }
}

const removals = [[['wal']], [['wal', 'shm']], [['shm']]] as const

test.each(removals)(
  'where %j is removed under a server, what was confirmed is safe with the next look',
  { tags: ['full'] },
  async (gone) => {
    expect(await inquire()).toBe(200)
    remove(gone)
    expect(await health()).toBe('connected')
    expect(savedInFile()).toBe(1)
    expect(await inquire()).toBe(200)
    expect(linesAboutLog()).toEqual([expect.stringContaining('all it held is in the database now')])
    // From here on there's a log again, which other programs can see.
    const beside = new Database(file, { readonly: true })
    expect(beside.prepare('select count(*) from contacts').pluck().get()).toBe(2)
    beside.close()
    remove(gone)
    expect(await inquire()).toBe(200)
    expect(savedInFile()).toBe(2)
  },
)

test('the log of a database whose name is a link is looked at where it lies', async () => {
  world.ctx.sqlite.close()
  const place = join(dataDir, 'site.db')
  renameSync(file, place)
  symlinkSync(place, file)
  world = startWorld({ file, env: { DATA_DIR: dataDir } })
  expect(await inquire()).toBe(200)
  for (const ending of ['wal', 'shm']) rmSync(`${place}-${ending}`)
  expect(await health()).toBe('connected')
  expect(savedInFile()).toBe(1)
  expect(linesAboutLog()).toHaveLength(1)
  expect(existsSync(`${place}-wal`)).toBe(true)
})

test('a server that nobody asks anything looks by itself', async () => {
  expect(await inquire()).toBe(200)
  remove(['wal', 'shm'])
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const timers = startJobs(world.ctx, [])
  vi.advanceTimersByTime(1_000)
  vi.useRealTimers()
  await timers.stop()
  expect(savedInFile()).toBe(1)
})

test.each(removals)(
  'while another program uses the database, no log is begun in the place of %j: all is safe, nothing more is confirmed',
  { tags: ['full'] },
  async (gone) => {
    const other = await openElsewhere('select * from contacts')
    expect(await inquire()).toBe(200)
    remove(gone)
    expect(await inquire()).toBe(503)
    expect(savedInFile()).toBe(1)
    expect(await lookAgain()).toBe('damaged')
    const [line = '', ...more] = linesAboutLog()
    expect(line).toMatch(/stop other programs.*or restart the server as usual.*don’t need a backup/)
    expect(more).toEqual([])
    await other.end()
    expect(await lookAgain()).toBe('connected')
    expect(await inquire()).toBe(200)
    expect(existsSync(damageMarkOf(file))).toBe(false)
  },
)

test('what another program wrote into a log of its own is not written over, and what the server saved is kept', {
  tags: ['full'],
}, async () => {
  expect(await inquire()).toBe(200)
  remove(['wal', 'shm'])
  const note = `insert into settings (key, value, updatedAt) values ('note', '"of the other"', '')`
  const other = await openElsewhere(note)
  expect(await inquire()).toBe(503)
  expect(await health()).toBe('damaged')
  await other.end()
  expect(await inquire()).toBe(503)
  await lookAgain()
  expect(await inquire()).toBe(503)
  closeDatabase(world.ctx)
  const kept = readdirSync(dataDir).filter((name) => name.includes('-kept-'))
  expect(kept).toHaveLength(1)
  expect(world.logged.join('')).toMatch(
    new RegExp(`in two parts: .*${kept[0]}; .* Stop the server\\..*copy the kept file over`),
  )
  const copy = new Database(join(dataDir, kept[0] ?? ''), { readonly: true })
  expect(copy.prepare('select count(*) from contacts').pluck().get()).toBe(1)
  copy.close()
  const there = Bun.spawnSync([
    ...[process.execPath, '-e'],
    `process.stdout.write(String(new (require('better-sqlite3'))(process.argv[1]).prepare("select value from settings where key = 'note'").pluck().get()))`,
    file,
  ])
  expect(String(there.stdout)).toBe('"of the other"')
})

test('a log that is removed while something else was found is mended too, and the pages are checked', {
  tags: ['full'],
}, async () => {
  expect(await inquire()).toBe(200)
  const away = `${dataDir}-away`
  renameSync(dataDir, away)
  expect(await inquire()).toBe(503)
  for (const ending of ['wal', 'shm']) rmSync(join(away, `alliance.sqlite-${ending}`))
  renameSync(away, dataDir)
  await expect.poll(lookAgain).toBe('connected')
  expect(world.logged.some((line) => line.includes('database checked, and sound'))).toBe(true)
  expect(savedInFile()).toBe(1)
  expect(await inquire()).toBe(200)
})

test('a normal stop saves all, also where nobody has looked since', async () => {
  expect(await inquire()).toBe(200)
  remove(['wal', 'shm'])
  closeDatabase(world.ctx)
  expect(savedInFile()).toBe(1)
})
