import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database as Sqlite } from 'better-sqlite3'
import type { MigrationMeta } from 'drizzle-orm/migrator'
import * as v from 'valibot'
import { errorMessage } from '#api/log.ts'
import { migrationsFolder, requireLater } from '#api/project.ts'
import { StartupError } from '#api/settings.ts'
import { isBusyError, isDamageError, isStorageError } from './sqlite-errors.ts'

/**
 * Brings the database to this program's schema, under the write lock: two programs that start together migrate one after the
 * other. Drizzle's own migrator begins without the lock, and takes a schema that it does not know for its own. Returns how many
 * migrations were applied.
 */
export function migrate(sqlite: Sqlite): number {
  const known = knownMigrations()
  if (missingOf(sqlite, known).length === 0) return 0
  const migrations = readMigrations()
  const applyMissing = () => {
    sqlite.exec(
      `create table if not exists __drizzle_migrations (id serial primary key, hash text not null, created_at numeric)`,
    )
    const missing = missingOf(sqlite, known)
    for (const migration of migrations) {
      if (missing.includes(migration.folderMillis)) applyOrName(sqlite, migration)
    }
    return missing.length
  }
  return sqlite.transaction(applyMissing).immediate()
}

/** For programs that work beside the server: the schema is the server's to change. */
export function assertMigrated(sqlite: Sqlite): void {
  if (missingOf(sqlite, knownMigrations()).length === 0) return
  throw new StartupError(
    `${sqlite.name} is of an older version than this program. Restart the server, or stop it and run: alliance migrate`,
  )
}

/** Whether anything was ever made in it. */
export const isEmpty = (sqlite: Sqlite): boolean =>
  sqlite.prepare(`select 1 from sqlite_master limit 1`).get() === undefined

const Journal = v.object({ entries: v.array(v.object({ when: v.number(), tag: v.string() })) })

/** When each migration of this program was made, which is what the database knows it by. */
export const knownMigrations = (): number[] => readJournal().map(({ when }) => when)

function readJournal() {
  const text = readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')
  return v.parse(Journal, JSON.parse(text)).entries
}

/** Nearly every start finds its schema there: so the files, and the migrator that reads them, are loaded only here. */
function readMigrations(): MigrationMeta[] {
  const { readMigrationFiles }: typeof import('drizzle-orm/migrator') = requireLater('drizzle-orm/migrator')
  return readMigrationFiles({ migrationsFolder })
}

/** The migrations that have not been applied. Refuses a database to which others were. */
function missingOf(sqlite: Sqlite, known: number[]): number[] {
  const applied = appliedTo(sqlite)
  if (applied.some((when) => !known.includes(when))) {
    throw new StartupError(
      `${sqlite.name} is of a newer version than this program. Update the program, or restore a backup from before the update.`,
    )
  }
  return known.filter((when) => !applied.includes(when))
}

function appliedTo(sqlite: Sqlite): number[] {
  const table = sqlite.prepare(`select 1 from sqlite_master where name = '__drizzle_migrations'`).get()
  if (table === undefined) return []
  return sqlite.prepare('select created_at from __drizzle_migrations').pluck().all().map(Number)
}

/** All of them are one transaction. What the disk or a lock refuses is no fault of the migration. */
function applyOrName(sqlite: Sqlite, migration: MigrationMeta): void {
  try {
    applyMigration(sqlite, migration)
  } catch (error) {
    if (isDamageError(error) || isBusyError(error) || isStorageError(error)) throw error
    const name = readJournal().find(({ when }) => when === migration.folderMillis)?.tag
    throw new StartupError(
      `Migration ${name} failed: ${errorMessage(error)}. Nothing was changed: ${sqlite.name} is as it was. Go back to the version before, or restore a backup (alliance backup restore FILE).`,
    )
  }
}

function applyMigration(sqlite: Sqlite, { sql, hash, folderMillis }: MigrationMeta): void {
  for (const statement of sql) sqlite.exec(statement)
  sqlite.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)').run(hash, folderMillis)
}
