import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database as Sqlite } from 'better-sqlite3'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import * as v from 'valibot'
import { errorMessage } from '#api/log.ts'
import { migrationsFolder } from '#api/project.ts'
import { StartupError } from '#api/settings.ts'
import { hasTable, readFloor, recordFloor, runsOn } from './older-versions.ts'
import { isBusyError, isDamageError, isStorageError } from './sqlite-errors.ts'

/**
 * Migrates the database under the write lock, so two programs that start together migrate one after the other. Drizzle's own
 * migrator begins without the lock, and accepts a schema it doesn't know. `fill` writes, in the same transaction, what only the
 * program can. Returns how many migrations it applied.
 */
export function migrate(sqlite: Sqlite, fill: () => void = () => {}): number {
  const known = knownMigrations()
  if (missingOf(sqlite, known).length === 0) return 0
  const migrations = readMigrations()
  const applyMissing = () => {
    sqlite.exec(
      `create table if not exists __drizzle_migrations (id serial primary key, hash text not null, created_at numeric)`,
    )
    const [applied, missing] = [appliedTo(sqlite), missingOf(sqlite, known)]
    const fresh = migrations.filter(({ folderMillis }) => missing.includes(folderMillis))
    for (const migration of fresh) applyOrName(sqlite, migration)
    if (fresh.length > 0) fill()
    if (fresh.length > 0) assertKeysHold(sqlite)
    if (fresh.length > 0) recordFloor(sqlite, applied, fresh)
    return fresh.length
  }
  return withSchemaWritable(sqlite, () => sqlite.transaction(applyMissing).immediate())
}

/** For migrations that change a constraint in the schema's text, which touches no row. */
export function withSchemaWritable<Result>(sqlite: Sqlite, work: () => Result): Result {
  sqlite.unsafeMode(true)
  try {
    return work()
  } finally {
    // A migration that failed in between leaves its pragma on.
    sqlite.pragma('writable_schema = RESET')
    sqlite.unsafeMode(false)
  }
}

const BrokenKeys = v.array(v.object({ table: v.string(), parent: v.string() }))

/** A foreign key that a migration wrote into the schema holds what's written from then on. This looks at what was there. */
function assertKeysHold(sqlite: Sqlite): void {
  const [broken] = v.parse(BrokenKeys, sqlite.pragma('foreign_key_check'))
  if (broken === undefined) return
  throw new StartupError(
    `${sqlite.name} has rows of ${broken.table} that name a missing row of ${broken.parent}. Nothing was changed. Go back to the version before, or restore a backup (alliance backup restore FILE).`,
  )
}

/** For programs that run beside the server: only the server changes the schema. */
export function assertMigrated(sqlite: Sqlite): void {
  if (missingOf(sqlite, knownMigrations()).length === 0) return
  throw new StartupError(
    `${sqlite.name} is of an older version than this program. Restart the server, or stop it and run: alliance migrate`,
  )
}

export const isEmpty = (sqlite: Sqlite): boolean =>
  sqlite.prepare(`select 1 from sqlite_master where name not glob '_litestream_*' limit 1`).get() === undefined

const Journal = v.object({ entries: v.array(v.object({ when: v.number(), tag: v.string() })) })

/** The timestamps of this program's migrations, by which the database knows them. */
export const knownMigrations = (): number[] => readJournal().map(({ when }) => when)

function readJournal() {
  const text = readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')
  return v.parse(Journal, JSON.parse(text)).entries
}

export const readMigrations = (): MigrationMeta[] => readMigrationFiles({ migrationsFolder })

/** The migrations still to apply. Throws if the database has some this program doesn't know, and can't run beside. */
function missingOf(sqlite: Sqlite, known: number[]): number[] {
  const applied = appliedTo(sqlite)
  const { newer, strange } = unknownOf(applied, known)
  if (strange.length > 0)
    throw new StartupError(
      `${sqlite.name} has a migration that isn’t ours. Restore a backup: alliance backup restore FILE`,
    )
  if (newer.length > 0 && !runsOn(readFloor(sqlite), known, newer)) {
    throw new StartupError(
      `${sqlite.name} is of a newer version than this program. Update the program, or restore a backup from before the update.`,
    )
  }
  return known.filter((when) => !applied.includes(when))
}

/** Versions only add migrations at the end, so an unknown one before the last we know isn't ours. */
export function unknownOf(applied: readonly number[], known: readonly number[]) {
  const unknown = applied.filter((when) => !known.includes(when))
  const newer = unknown.filter((when) => when > Math.max(...known))
  return { newer, strange: unknown.filter((when) => !newer.includes(when)) }
}

/** The timestamps of the migrations a database has had. */
export function appliedTo(sqlite: Sqlite): number[] {
  if (!hasTable(sqlite, '__drizzle_migrations')) return []
  return sqlite.prepare('select created_at from __drizzle_migrations').pluck().all().map(Number)
}

/** Each runs inside one transaction for all. Errors of the disk or a lock aren't blamed on the migration. */
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
