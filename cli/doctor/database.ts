import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Sqlite } from '#api/db/open.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Check, checked, failed, listed, ok, warning } from './check.ts'

/** The file itself: whole, consistent, and of this program's age. */
export function checkDatabase(sqlite: Sqlite, migrationsFolder: string): Check[] {
  return [
    checked('integrity', () => integrity(sqlite)),
    checked('foreign keys', () => foreignKeys(sqlite)),
    checked('migrations', () => migrations(sqlite, migrationsFolder)),
  ]
}

function integrity(sqlite: Sqlite): Check {
  const lines = sqlite
    .prepare<[], { integrity_check: string }>('pragma integrity_check(10)')
    .all()
    .map((row) => row.integrity_check)
  if (lines.length === 1 && lines[0] === 'ok') return ok('integrity', 'The database is whole.')
  return failed('integrity', `The database is damaged: ${listed(lines)}. Go back to a backup.`)
}

function foreignKeys(sqlite: Sqlite): Check {
  const tables = sqlite
    .prepare<[], { table: string }>('pragma foreign_key_check')
    .all()
    .map((row) => row.table)
  if (tables.length === 0) return ok('foreign keys', 'Every row has the rows it belongs to.')
  return failed(
    'foreign keys',
    `${plural(tables.length, 'row')} without what they belong to, in ${listed([...new Set(tables)])}.`,
  )
}

function migrations(sqlite: Sqlite, migrationsFolder: string): Check {
  const known = readMigrationFiles({ migrationsFolder })
  const applied = sqlite
    .prepare<[], { hash: string; created_at: number }>('select hash, created_at from __drizzle_migrations')
    .all()
  const hashOf = new Map(applied.map((row) => [Number(row.created_at), row.hash]))
  const missing = known.filter(({ folderMillis }) => !hashOf.has(folderMillis)).length
  if (missing > 0) return failed('migrations', `${plural(missing, 'migration')} not applied. Restart the server.`)
  const newest = Math.max(...known.map(({ folderMillis }) => folderMillis))
  if ([...hashOf.keys()].some((when) => when > newest)) {
    return failed('migrations', 'The database is newer than this program. Update the program.')
  }
  const isChanged = known.some(({ folderMillis, hash }) => hashOf.get(folderMillis) !== hash)
  return isChanged
    ? warning('migrations', 'A migration was changed after it was applied.')
    : ok('migrations', `All ${known.length} applied.`)
}
