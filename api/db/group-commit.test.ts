import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '#api/log.ts'
import { putMigratedDatabase } from '#api/testing/migrated.ts'
import { databaseFile } from './data-dir.ts'
import { noteTogether, transactTogether } from './group-commit.ts'
import { openDatabase, type Sqlite } from './open.ts'

let folder = ''
let sqlite: Sqlite
let statements: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-group-'))
  putMigratedDatabase(folder)
  sqlite = openDatabase(databaseFile(folder), { onStatement: (text) => statements.push(text) }).sqlite
  sqlite.exec('create table words (word text primary key)')
  statements = []
})
afterEach(() => {
  sqlite.close()
  rmSync(folder, { recursive: true })
})

const log = createLog(
  () => undefined,
  () => new Date(0),
)

const write = (word: string) => () => void sqlite.prepare('insert into words values (?)').run(word)

function committed(): unknown[] {
  const other = new Database(databaseFile(folder), { readonly: true })
  try {
    return other.prepare('select word from words order by word').pluck().all()
  } finally {
    other.close()
  }
}

test('work of one moment is committed once, and each resolves when it is on the disk', async () => {
  const seen: unknown[] = []
  const works = ['ladder', 'pipe', 'van'].map((word) =>
    transactTogether({ sqlite, log }, write(word)).then(() => seen.push(committed())),
  )
  expect(committed()).toEqual([])
  await Promise.all(works)
  expect(seen).toEqual(Array(3).fill(['ladder', 'pipe', 'van']))
  expect(commits()).toBe(1)
})

const commits = () => statements.filter((text) => text === 'COMMIT').length

test('a note is committed with what’s beside it; alone it doesn’t wait for the disk', async () => {
  const synchronous = () => sqlite.pragma('synchronous', { simple: true })
  let seen: unknown
  noteTogether({ sqlite, log }, () => {
    write('ladder')()
    seen = synchronous()
  })
  const tick = transactTogether({ sqlite, log }, write('pipe'))
  await tick
  expect([committed(), commits(), seen]).toEqual([['ladder', 'pipe'], 1, 2])
  noteTogether({ sqlite, log }, () => {
    write('van')()
    seen = synchronous()
  })
  while (committed().length < 3) await nextTurn()
  expect([seen, synchronous()]).toEqual([1, 2])
})

test('work that throws takes back its own writes alone', async () => {
  const failing = () => {
    write('lost')()
    throw new Error('not this one')
  }
  const outcomes = await Promise.allSettled(
    [write('pipe'), failing, write('van')].map((work) => transactTogether({ sqlite, log }, work)),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(committed()).toEqual(['pipe', 'van'])
})

test('where the group cannot be committed nobody is told that it was', async () => {
  sqlite.pragma('foreign_keys = on')
  sqlite.exec(`create table tools (word text references words (word) deferrable initially deferred)`)
  const broken = () => void sqlite.prepare('insert into tools values (?)').run('nowhere')
  const outcomes = await Promise.allSettled(
    [write('pipe'), broken].map((work) => transactTogether({ sqlite, log }, work)),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(committed()).toEqual([])
  await transactTogether({ sqlite, log }, write('pipe'))
  expect(committed()).toEqual(['pipe'])
})
