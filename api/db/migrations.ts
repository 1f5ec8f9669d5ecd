import type { Database as Sqlite } from 'better-sqlite3'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { migrationsFolder } from '#api/project.ts'
import { StartupError } from '#api/settings.ts'

/**
 * Brings the database to this program's schema, under the write lock: two programs that start together migrate one after the
 * other. Drizzle's own migrator begins without the lock, and takes a schema that it does not know for its own. Returns how many
 * migrations were applied.
 */
export function migrate(sqlite: Sqlite): number {
  const known = readMigrationFiles({ migrationsFolder })
  if (missingOf(sqlite, known).length === 0) return 0
  const applyMissing = () => {
    sqlite.exec(
      `create table if not exists __drizzle_migrations (id serial primary key, hash text not null, created_at numeric)`,
    )
    const missing = missingOf(sqlite, known)
    for (const migration of missing) apply(sqlite, migration)
    return missing.length
  }
  return sqlite.transaction(applyMissing).immediate()
}

/** For programs that work beside the server: the schema is the server's to change. */
export function assertMigrated(sqlite: Sqlite): void {
  if (missingOf(sqlite, readMigrationFiles({ migrationsFolder })).length === 0) return
  throw new StartupError(
    `${sqlite.name} is of an older version than this program. Restart the server, or stop it and run: alliance migrate`,
  )
}

/** Whether anything was ever made in it. */
export const isEmpty = (sqlite: Sqlite): boolean =>
  sqlite.prepare(`select 1 from sqlite_master limit 1`).get() === undefined

/** The migrations that have not been applied. Refuses a database to which others were. */
function missingOf(sqlite: Sqlite, known: MigrationMeta[]): MigrationMeta[] {
  const applied = appliedTo(sqlite)
  const ours = new Set(known.map(({ folderMillis }) => folderMillis))
  if (applied.some((when) => !ours.has(when))) {
    throw new StartupError(
      `${sqlite.name} is of a newer version than this program. Update the program, or restore a backup from before the update.`,
    )
  }
  return known.filter(({ folderMillis }) => !applied.includes(folderMillis))
}

function appliedTo(sqlite: Sqlite): number[] {
  const table = sqlite.prepare(`select 1 from sqlite_master where name = '__drizzle_migrations'`).get()
  if (table === undefined) return []
  return sqlite.prepare('select created_at from __drizzle_migrations').pluck().all().map(Number)
}

function apply(sqlite: Sqlite, { sql, hash, folderMillis }: MigrationMeta): void {
  for (const statement of sql) sqlite.exec(statement)
  sqlite.prepare('insert into __drizzle_migrations (hash, created_at) values (?, ?)').run(hash, folderMillis)
}
