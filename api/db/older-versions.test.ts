import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { putMigratedDatabase } from '#api/testing/migrated.ts'
import { runCommand } from '#cli/testing/run-command.ts'
import { databaseFile } from './data-dir.ts'
import { knownMigrations } from './migrations.ts'
import { addsOnly, recordFloor } from './older-versions.ts'

test('a migration only adds, if an older version can work beside it', () => {
  for (const [only, text] of [
    [true, 'create table a (id text);'],
    [true, 'create table `a` (`id` text);--> statement-breakpoint\ncreate unique index `a_id` on `a` (`id`);'],
    [true, 'alter table `users` add `nickname` text;'],
    [true, 'drop index `users_email`;--> statement-breakpoint\ncreate index `users_other` on `users` (`email`);'],
    [false, 'create unique index `users_email` on `users` (`email`);'],
    [false, 'alter table `users` rename to `people`;'],
    [false, 'alter table users rename column email to address;'],
    [false, 'drop table `users`;'],
    [false, "update users set email = '';"],
    [false, "create trigger t after insert on users begin select raise(abort, 'no'); end;"],
  ] as const)
    expect([text, addsOnly(text.split('--> statement-breakpoint'))]).toEqual([text, only])
})

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'alliance-older-'))
  putMigratedDatabase(dataDir)
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const later = 9_999_999_999_999

/** What the migrator of a newer version leaves. */
function migrateAsNewer(sql: string): void {
  const sqlite = new Database(databaseFile(dataDir))
  sqlite.exec(sql)
  sqlite.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)').run('later', later)
  recordFloor(sqlite, knownMigrations(), [{ sql: [sql], folderMillis: later }])
  sqlite.close()
}

const run = (...argv: string[]) => runCommand(argv, { env: { DATA_DIR: dataDir } })

test('an older version works on a database that a newer one only added to, and says so', async () => {
  migrateAsNewer('create table tried (id text); alter table settings add tried text;')
  expect((await run('jobs', 'list')).code).toBe(0)
  expect(JSON.parse((await run('migrate', 'status', '--json')).out)).toMatchObject({ newer: 1, runs: true, waiting: 0 })
  const { out } = await run('doctor')
  expect(out).toContain('A newer version added 1 migration. This one runs on them.')
  expect(out).toContain('Tables, indexes and triggers are the ones we make.')
})

test('it refuses one that a newer version changed', async () => {
  migrateAsNewer('drop table member_photos;')
  expect(await run('jobs', 'list')).toMatchObject({ code: 1, err: expect.stringContaining('of a newer version') })
  expect(JSON.parse((await run('migrate', 'status', '--json')).out)).toMatchObject({ newer: 1, runs: false })
})

test('what does more than add says that going back takes a backup', async () => {
  const sqlite = new Database(databaseFile(dataDir))
  sqlite.exec('delete from __drizzle_migrations')
  sqlite.close()
  expect((await run('migrate', 'status')).out).toMatch(/^Going back +restores a backup/m)
  expect(JSON.parse((await run('migrate', 'status', '--json')).out)).toMatchObject({ addsOnly: false })
})
