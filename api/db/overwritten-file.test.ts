import { mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from '#api/testing/world.ts'
import { databaseFile } from './data-dir.ts'

let dataDir = ''
let file = ''
let world: World
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'alliance-overwritten-'))
  file = databaseFile(dataDir)
  world = startWorld({ file, env: { DATA_DIR: dataDir } })
})
afterEach(() => {
  world.ctx.sqlite.close()
  rmSync(dataDir, { recursive: true })
})

const health = async (): Promise<string> => {
  const found: { services: { database: string } } = await (await world.call('/api/health')).json()
  return found.services.database
}
const inquire = async () => {
  const body = { name: 'Sam', email: 'sam@example.com', message: 'Is there tea? '.repeat(300) }
  return (await world.call('/api/contact', { body })).status
}

/** By a program of its own, as a person would: this one holds locks on the file. It stays the same file. */
const copy = (from: string, to: string) => expect(Bun.spawnSync(['cp', from, to]).exitCode).toBe(0)

/** As the sqlite3 shell does beside the server. */
function runElsewhere(...statements: string[]): void {
  const script = `const sqlite = new (require('better-sqlite3'))(process.argv[1])
    for (const text of ${JSON.stringify(statements)}) sqlite.exec(text)
    sqlite.close()`
  expect(Bun.spawnSync([process.execPath, '-e', script, file]).exitCode).toBe(0)
}

const checkpoint = 'pragma wal_checkpoint(truncate)'

test('an older copy that is written over the file right after a checkpoint is found before the next write', async () => {
  expect(await inquire()).toBe(200)
  runElsewhere(checkpoint)
  const older = join(dataDir, 'older')
  copy(file, older)
  for (let count = 0; count < 5; count++) expect(await inquire()).toBe(200)
  runElsewhere(checkpoint)
  expect(statSync(file).size).toBeGreaterThan(statSync(older).size)
  copy(older, file)
  expect(await inquire()).toBe(503)
  expect(await health()).toBe('damaged')
  expect(world.logged.join('\n')).toMatch(/something else was written over its file/)
})

test('so is one of the same length as the file', async () => {
  runElsewhere('create table bulk (data blob)', 'insert into bulk select randomblob(400000)', 'delete from bulk')
  runElsewhere(checkpoint)
  const older = join(dataDir, 'older')
  copy(file, older)
  for (let count = 0; count < 5; count++) expect(await inquire()).toBe(200)
  runElsewhere(checkpoint)
  // This look writes, and so begins the log again; the next sees that.
  for (let look = 0; look < 2; look++) expect(await health()).toBe('connected')
  expect(statSync(file).size).toBe(statSync(older).size)
  copy(older, file)
  expect(await health()).toBe('damaged')
  // What is written over it again does not bring back what was between.
  copy(older, file)
  world.forward(3_000)
  expect(await health()).toBe('damaged')
  expect(await inquire()).toBe(503)
})

const harmless: readonly (readonly [string, () => void])[] = [
  ['a checkpoint of another program', () => runElsewhere('pragma wal_checkpoint(passive)')],
  ['one that empties the log', () => runElsewhere(checkpoint)],
  ['one of its own', () => world.ctx.sqlite.pragma('wal_checkpoint(RESTART)')],
  ['a vacuum', () => runElsewhere('vacuum', checkpoint)],
  ['a change of the schema', () => runElsewhere('create table note (text)', 'drop table note', checkpoint)],
  ['many pages at once', () => runElsewhere('create table b as select randomblob(9000000) data', 'drop table b')],
  ['a touch', () => utimesSync(file, new Date(0), new Date())],
]

test.each(harmless)('%s beside the server is not taken for that', async (_what, run) => {
  for (let count = 0; count < 3; count++) {
    expect(await inquire()).toBe(200)
    run()
    expect(await health()).toBe('connected')
    run()
    expect(await inquire()).toBe(200)
  }
})

test('nor are writes and checkpoints of another program at the same time', async () => {
  const script = `const sqlite = new (require('better-sqlite3'))(process.argv[1], { timeout: 5000 })
    sqlite.exec('create table bulk (data blob)')
    for (let round = 0; round < 40; round++) {
      sqlite.exec('insert into bulk values (randomblob(100000))')
      if (round % 3 === 0) sqlite.pragma('wal_checkpoint(truncate)')
      if (round % 7 === 0) sqlite.exec('delete from bulk; vacuum')
    }
    sqlite.close()`
  const child = Bun.spawn([process.execPath, '-e', script, file])
  while (child.exitCode === null) {
    utimesSync(file, new Date(), new Date())
    expect(await health()).toBe('connected')
  }
  expect(child.exitCode).toBe(0)
  const beside = new Database(file, { readonly: true })
  expect(beside.pragma('quick_check', { simple: true })).toBe('ok')
  beside.close()
})
