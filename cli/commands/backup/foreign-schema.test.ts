import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSealedFile, writeSealedFile } from '#api/archive/sealed-file.ts'
import { type ArchiveEntry, readTar, writeTar } from '#api/archive/tar.ts'
import { inspectHere } from '#api/db/copy.ts'
import { databaseFile } from '#api/db/data-dir.ts'
import { knownMigrations, readMigrations, withSchemaWritable } from '#api/db/migrations.ts'
import { hashOf } from '#api/features/operations/backup/create-service.ts'
import { rowsOf } from '#api/testing/enquiries.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
beforeEach(() => {
  folder = openDataFolder()
})
afterEach(() => folder.close())

async function* entryOf(name: string, bytes: Buffer): AsyncGenerator<ArchiveEntry> {
  yield {
    name,
    bytes: bytes.length,
    content: (async function* () {
      yield bytes
    })(),
  }
}

async function* entriesOf(parts: readonly (readonly [string, Buffer])[]): AsyncGenerator<ArchiveEntry> {
  for (const [name, bytes] of parts) yield* entryOf(name, bytes)
}

/** A backup that says it's whole, with that database in it. */
async function backupWith(change: (file: string) => void): Promise<string> {
  const [made = ''] = (await folder.local('backup create')).out.split('\n')
  const parts = new Map<string, Buffer>()
  for await (const { name, content } of readTar(readSealedFile(made, null)))
    parts.set(name, Buffer.concat(await Array.fromAsync(content)))
  const database = join(folder.dataDir, 'changed.sqlite')
  await Bun.write(database, new Uint8Array(parts.get('alliance.sqlite') ?? Buffer.alloc(0)))
  change(database)
  const { tables } = inspectHere(database)
  const bytes = readFileSync(database)
  const manifest = JSON.parse(parts.get('manifest.json')?.toString('utf8') ?? '{}')
  manifest.database = { bytes: bytes.length, sha256: await hashOf(database), tables }
  parts.set('manifest.json', Buffer.from(JSON.stringify(manifest))).set('alliance.sqlite', bytes)
  const file = join(folder.dataDir, 'backups', 'alliance-changed.tar')
  await writeSealedFile(file, writeTar(entriesOf([...parts])), { passphrase: null, partial: `${file}.new` })
  return file
}

function run(file: string, sql: string): void {
  const sqlite = new Database(file)
  sqlite.exec(sql)
  sqlite.close()
}

/** A trigger may have a table's name. This one stands before the table, as a list by name alone would have it hidden. */
function hideTrigger(database: string): string {
  const sqlite = new Database(database)
  const table = sqlite.prepare(`select sql from sqlite_master where name = 'call_mornings'`).pluck().get()
  sqlite.close()
  return `drop table call_mornings;
    create trigger call_mornings after update on users begin update users set isAdmin = 1; end;
    ${table}`
}

type Change = string | ((database: string) => string)

const acting: [string, Change, string][] = [
  [
    'a trigger',
    `create trigger promote after insert on audit_entries begin update users set isAdmin = 1; end`,
    'trigger that isn’t ours: promote',
  ],
  ['a trigger with the name of a table', hideTrigger, 'trigger that isn’t ours: call_mornings'],
  ['a view', `create view everyone as select email from users`, 'view that isn’t ours: everyone'],
  ['a virtual table', `create virtual table found using fts5(words)`, 'isn’t ours: found'],
  [
    'a virtual table in the place of Litestream’s',
    `create virtual table _litestream_seq using fts5(a)`,
    'table that isn’t ours: _litestream_seq',
  ],
  [
    'one of ours without its body',
    `drop trigger member_videos_revision; create trigger member_videos_revision after update on member_videos begin select 1; end`,
    'trigger member_videos_revision in the database isn’t the one we make',
  ],
  ['one of ours missing', `drop trigger member_videos_revision`, 'trigger member_videos_revision is missing'],
  [
    'a migration that’s older than ours, and a trigger',
    `insert into __drizzle_migrations (hash, created_at) values ('x', 1);
    create trigger promote after insert on audit_entries begin update users set isAdmin = 1; end`,
    'migration that isn’t ours: 1.',
  ],
]
const quiet: [string, string, string][] = [
  ['a table', `create table notes_of_others (a text)`, 'table that isn’t ours: notes_of_others'],
  ['an index over an expression', `create index odd on users (lower(email))`, 'index that isn’t ours: odd'],
  [
    'an index called as Litestream’s tables are',
    `create unique index _litestream_uq on users (email) where isAdmin = 1`,
    'index that isn’t ours: _litestream_uq',
  ],
]

test.each([acting[0], quiet.at(-1)].filter((one) => one !== undefined))(
  'a backup with %s is refused, and named',
  (...one) => isRefused(...one),
)

test.each([...acting.slice(1), ...quiet.slice(0, -1)])(
  'a backup with %s is refused, and named, too',
  { tags: ['full'] },
  (...one) => isRefused(...one),
)

async function isRefused(_what: string, change: Change, named: string) {
  const before = rowsOf(folder.world, 'users')
  const sql = typeof change === 'string' ? change : change(databaseFile(folder.dataDir))
  const file = await backupWith((database) => run(database, sql))
  const other = join(folder.dataDir, 'other')
  for (const argv of [`backup restore ${file} --yes`, `backup restore ${file} --into ${other} --yes`]) {
    const { code, err } = await folder.local(argv)
    expect([code, err]).toEqual([1, expect.stringContaining(named)])
    expect(err).toContain('Nothing has changed.')
  }
  expect(rowsOf(folder.world, 'users')).toEqual(before)
  run(databaseFile(folder.dataDir), sql)
  expect((await folder.local('doctor')).out).toContain(named)
}

test('a check names what acts on its own, and calls no backup whole that it can’t know', {
  tags: ['full'],
}, async () => {
  for (const [, change, named] of process.env.FULL ? acting : acting.slice(0, 1)) {
    const sql = typeof change === 'string' ? change : change(databaseFile(folder.dataDir))
    const file = await backupWith((database) => run(database, sql))
    const { code, out } = await folder.local(`backup verify ${file} --json`)
    expect([code, JSON.parse(out).problems.join(' ')]).toEqual([1, expect.stringContaining(named)])
  }
  const later = `insert into __drizzle_migrations (hash, created_at) values ('x', 9999999999999)`
  const file = await backupWith((database) => run(database, later))
  const { code, out } = await folder.local(`backup verify ${file}`)
  expect([code, out]).toEqual([1, expect.stringMatching(/Backup +has problems\n[\s\S]*from a newer version/)])
})

const lastTen = knownMigrations()
  .toSorted((one, other) => one - other)
  .slice(-10)

test.each(lastTen.map((when, at) => [10 - at, when] as const))(
  'a database as migration %i from the end left it comes in',
  { tags: ['full'] },
  async (_at, when) => {
    const file = await backupWith((database) => {
      rmSync(database)
      run(
        database,
        `create table __drizzle_migrations (id serial primary key, hash text not null, created_at numeric);
        create table _litestream_seq (id integer primary key, seq integer); analyze`,
      )
      const sqlite = new Database(database)
      sqlite.exec('begin')
      for (const { sql, hash, folderMillis } of readMigrations()) {
        if (folderMillis > when) continue
        withSchemaWritable(sqlite, () => sql.forEach((statement) => void sqlite.exec(statement)))
        sqlite.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)').run(hash, folderMillis)
      }
      sqlite.exec('commit; analyze')
      sqlite.close()
    })
    const other = join(folder.dataDir, 'other')
    expect(await folder.local(`backup restore ${file} --into ${other} --yes`)).toMatchObject({ code: 0 })
    const { out } = await folder.local('doctor', { env: { ...folder.env, DATA_DIR: other } })
    expect(out).toContain('Tables, indexes and triggers are the ones we make.')
  },
)
