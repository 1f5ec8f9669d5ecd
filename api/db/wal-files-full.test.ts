// @module-tag full
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fillDisk } from '#api/testing/full-disk.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { databaseFile } from './data-dir.ts'
import { closeDatabase } from './storage.ts'

let dataDir = ''
let file = ''
let world: World
let makeRoom: () => void = () => undefined
let onStatement: (text: string) => void = () => undefined
const children: { kill(): void; exited: Promise<number> }[] = []
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'alliance-full-'))
  file = databaseFile(dataDir)
  world = startWorld({ file, env: { DATA_DIR: dataDir }, onStatement: (text) => onStatement(text) })
  world.ctx.sqlite.pragma('wal_checkpoint(TRUNCATE)')
})
afterEach(async () => {
  onStatement = () => undefined
  makeRoom()
  for (const child of children.splice(0)) {
    child.kill()
    await child.exited
  }
  world.ctx.sqlite.close()
  rmSync(dataDir, { recursive: true })
})

const lookAgain = async (): Promise<string> => {
  // The health check tries a write every few seconds.
  world.forward(5_000)
  const found: { services: { database: string } } = await (await world.call('/api/health')).json()
  return found.services.database
}
const inquire = async () => {
  const body = { name: 'Sam', email: 'sam@example.com', message: 'Is there tea? '.repeat(350) }
  return (await world.call('/api/contact', { body })).status
}
const remove = () => {
  for (const ending of ['wal', 'shm']) rmSync(`${file}-${ending}`)
}
/** Leaves room only for the pages the database already has. */
const fill = () => {
  makeRoom = fillDisk(statSync(file).size)
}
const keptFiles = () => readdirSync(dataDir).filter((name) => name.includes('-kept-'))

/** Counts in another process, because closing a connection here would release our locks. */
function countIn(name: string): number {
  const script = `const sqlite = new (require('better-sqlite3'))(process.argv[1], { readonly: true })
    process.stdout.write(String(sqlite.prepare('select count(*) from contacts').pluck().get()))`
  return Number(String(Bun.spawnSync([process.execPath, '-e', script, join(dataDir, name)]).stdout))
}

async function openElsewhere(sql: string) {
  const script = `const sqlite = new (require('better-sqlite3'))(process.argv[1])
    for (const one of process.argv[2].split(';')) /select/.test(one) ? sqlite.prepare(one).all() : sqlite.exec(one)
    process.stdout.write('open')
    process.stdin.on('data', () => { sqlite.close(); process.exit(0) })`
  const child = Bun.spawn([process.execPath, '-e', script, file, sql], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  await child.stdout.getReader().read()
  return async () => {
    child.stdin.write('end')
    await child.stdin.flush()
    await child.exited
  }
}

test.each([false, true])(
  'a log that is removed while the disk is full is not given up before all of it is in the database (others began an index: %s)',
  async (hasOtherIndex) => {
    expect(await inquire()).toBe(200)
    remove()
    if (hasOtherIndex) await (await openElsewhere('select * from contacts'))()
    fill()
    expect(await inquire()).toBe(503)
    expect(await lookAgain()).toBe('damaged')
    expect(world.logged.join('')).not.toContain('is in the database now')
    expect(world.logged.join('')).toMatch(/The log of .* make room\./)
    expect(keptFiles()).toEqual([])
    makeRoom()
    expect(await lookAgain()).toBe('connected')
    expect(countIn('alliance.sqlite')).toBe(1)
    expect(await inquire()).toBe(200)
    expect(keptFiles()).toEqual([])
  },
)

test('what does not fit is not written anew at each look: soon once a minute, and the disk is not filled in between', async () => {
  expect(await inquire()).toBe(200)
  remove()
  await (await openElsewhere('select * from contacts'))()
  fill()
  let tries = 0
  onStatement = (text) => {
    if (/^vacuum into/.test(text)) tries += 1
  }
  expect(await inquire()).toBe(503)
  for (let minute = 0; minute < 10; minute += 1) {
    for (let look = 0; look < 12; look += 1) expect(await lookAgain()).toBe('damaged')
  }
  // A few attempts in a row, then one in twenty looks.
  expect(tries).toBeGreaterThan(5)
  expect(tries).toBeLessThan(15)
  makeRoom()
  const states: string[] = []
  for (let look = 0; look < 20; look += 1) states.push(await lookAgain())
  expect(states.at(-1)).toBe('connected')
  expect(countIn('alliance.sqlite')).toBe(1)
})

test('where no copy is needed any more, none is waited for, and what failed before is not counted with what comes next', async () => {
  expect(await inquire()).toBe(200)
  remove()
  const end = await openElsewhere('select * from contacts')
  fill()
  let tries = 0
  onStatement = (text) => {
    if (/^vacuum into/.test(text)) tries += 1
  }
  expect(await inquire()).toBe(503)
  // The next attempt to copy would come much later.
  for (let look = 0; look < 60; look += 1) expect(await lookAgain()).toBe('damaged')
  await end()
  makeRoom()
  for (const ending of ['wal', 'shm']) rmSync(`${file}-${ending}`, { force: true })
  const before = tries
  expect([await lookAgain(), tries - before]).toEqual(['connected', 0])
  expect(await inquire()).toBe(200)
  remove()
  await (await openElsewhere('select * from contacts'))()
  fill()
  expect(await lookAgain()).toBe('damaged')
  expect(tries).toBeGreaterThan(before)
  makeRoom()
  expect(await lookAgain()).toBe('connected')
  expect(countIn('alliance.sqlite')).toBe(2)
  expect(keptFiles()).toEqual([])
})

test('a stop on a full disk does not claim what is lost with it', async () => {
  expect(await inquire()).toBe(200)
  remove()
  fill()
  closeDatabase(world.ctx)
  makeRoom()
  const last = world.logged.at(-1) ?? ''
  expect(last).toMatch(/couldn’t save what its removed log held into .* or keep a copy.*make room.*re-enter it/)
})

test('what a stop cannot write into the database, since another program reads an older state, is kept beside it', async () => {
  await openElsewhere('begin; select * from contacts')
  expect(await inquire()).toBe(200)
  remove()
  closeDatabase(world.ctx)
  const [kept = '', ...more] = keptFiles()
  expect(more).toEqual([])
  expect(world.logged.at(-1)).toMatch(new RegExp(`${kept}.*copy it over`))
  expect(countIn(kept)).toBe(1)
})

test('what cannot be kept apart on a full disk is kept by the stop, once there is room', async () => {
  expect(await inquire()).toBe(200)
  remove()
  await openElsewhere('delete from sessions; create table of_others (id text)')
  fill()
  expect(await inquire()).toBe(503)
  expect(world.logged.join('')).toMatch(
    /in two parts: .*We couldn’t keep what the server saved; .* make room.*stop the server as usual/,
  )
  expect(keptFiles()).toEqual([])
  makeRoom()
  closeDatabase(world.ctx)
  const [kept = ''] = keptFiles()
  expect(world.logged.at(-1)).toMatch(
    new RegExp(`in two parts: .*${kept}; .*To carry on with that, start it again\\. .*first`),
  )
  expect(countIn(kept)).toBe(1)
  expect(countIn('alliance.sqlite')).toBe(0)
})

test('where the new log cannot be begun, writes go on, and the next look begins it', async () => {
  expect(await inquire()).toBe(200)
  let isLimited = false
  onStatement = (text) => {
    if (!text.includes('journal_mode = wal') || isLimited) return
    isLimited = true
    makeRoom = fillDisk(0)
  }
  remove()
  await lookAgain()
  expect(isLimited).toBe(true)
  expect(existsSync(`${file}-wal`)).toBe(false)
  makeRoom()
  expect(await lookAgain()).toBe('connected')
  expect(existsSync(`${file}-wal`)).toBe(true)
  expect(await inquire()).toBe(200)
})
