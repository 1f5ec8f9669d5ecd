import { readMigrationFiles } from 'drizzle-orm/migrator'
import { markedDamage, markText } from '#api/db/damage.ts'
import { unknownOf } from '#api/db/migrations.ts'
import { readFloor, runsOn } from '#api/db/older-versions.ts'
import type { Sqlite } from '#api/db/open.ts'
import { foreignParts } from '#api/db/own-schema.ts'
import {
  type Check,
  failed,
  firstFew,
  named,
  ok,
  runCheck,
  runs,
  runsPlanned,
  shows,
  warning,
} from '#api/features/operations/doctor/check-rules.ts'
import { plural } from '#shared/rules/plural.ts'

/** The file itself: undamaged, consistent, and at this program's version. Pragmas and the migrator's table have no schema. */
export function checkDatabase(sqlite: Sqlite, migrationsFolder: string): Check[] {
  return [
    runCheck('integrity', () => checkIntegrity(sqlite)),
    runCheck('foreign keys', () => checkForeignKeys(sqlite)),
    runCheck('migrations', () => checkMigrations(sqlite, migrationsFolder)),
    runCheck('schema', () => checkSchema(sqlite)),
  ]
}

function checkIntegrity(sqlite: Sqlite): Check {
  const lines = sqlite
    .prepare<[], { integrity_check: string }>('pragma integrity_check(10)')
    .all()
    .map((row) => row.integrity_check)
  // SQLite's code for a short read, as from a log that isn't the server's.
  if (lines.some((line) => line.includes('error code=522')))
    return failed('integrity', 'disk I/O error: restart the server (it checks the database), then look again.')
  if (lines.length !== 1 || lines[0] !== 'ok')
    return failed('integrity', `The database is damaged: ${firstFew(lines)}. Restore a backup.`, shows('backup list'))
  const mark = markedDamage(sqlite.name)
  if (mark === null) return ok('integrity', 'The database is undamaged.')
  return failed('integrity', markMessage(mark), named(runs('jobs run integrity')))
}

/** The mark stops changes to the database until someone has looked into it. */
const markMessage = (mark: string) =>
  `The database was found damaged before (${markText(mark)}). It’s sound now, but read-only until it’s checked: restart the server, or run "alliance jobs run integrity" if none is running.`

function checkForeignKeys(sqlite: Sqlite): Check {
  const tables = sqlite
    .prepare<[], { table: string }>('pragma foreign_key_check')
    .all()
    .map((row) => row.table)
  if (tables.length === 0) return ok('foreign keys', 'All references are valid.')
  const rows = plural(tables.length, 'row refers', 'rows refer')
  const message = `${rows} to missing rows, in ${firstFew([...new Set(tables)])}.`
  return failed('foreign keys', message, shows('backup list'))
}

function checkSchema(sqlite: Sqlite): Check {
  const foreign = foreignParts(sqlite, 'all')
  if (foreign.length === 0) return ok('schema', 'Tables, indexes and triggers are the ones we make.')
  return failed(
    'schema',
    `${firstFew(foreign)} Find out who put it there, then restore a backup.`,
    shows('backup list'),
  )
}

function checkMigrations(sqlite: Sqlite, migrationsFolder: string): Check {
  const name = 'migrations'
  const known = readMigrationFiles({ migrationsFolder })
  const applied = sqlite
    .prepare<[], { hash: string; created_at: number }>('select hash, created_at from __drizzle_migrations')
    .all()
  const appliedHashes = new Map(applied.map((row) => [Number(row.created_at), row.hash]))
  const missing = known.filter(({ folderMillis }) => !appliedHashes.has(folderMillis)).length
  if (missing > 0)
    return failed(name, `${plural(missing, 'migration')} not applied. Restart the server.`, runsPlanned('migrate'))
  const ours = known.map(({ folderMillis }) => folderMillis)
  const { newer } = unknownOf([...appliedHashes.keys()], ours)
  if (newer.length > 0) {
    return runsOn(readFloor(sqlite), ours, newer)
      ? ok(name, `A newer version added ${plural(newer.length, 'migration')}. This one runs on them.`)
      : failed(name, 'The database is newer than this program. Update the program.')
  }
  const isChanged = known.some(({ folderMillis, hash }) => appliedHashes.get(folderMillis) !== hash)
  return isChanged
    ? warning(name, 'A migration was changed after it was applied.')
    : ok(name, `All ${known.length} applied.`)
}
