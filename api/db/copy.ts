import { chmodSync, existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { appliedTo } from './migrations.ts'
import { readFloor } from './older-versions.ts'
import { foreignParts, openForeign } from './own-schema.ts'

/** Pages copied per turn of the event loop: 4 MB. */
const pagesAtOnce = 1000

/**
 * Copies a database in use to one file, with everything committed before the copy began. It reads from one snapshot. SQLite's own
 * backup restarts at every write by another process, so beside a busy server it would never finish.
 */
export async function copyDatabase(file: string, to: string): Promise<void> {
  const source = new Database(file, { readonly: true, fileMustExist: true })
  try {
    source.exec('begin')
    source.prepare('select count(*) from sqlite_master').get()
    await source.backup(to, { progress: () => pagesAtOnce })
  } finally {
    source.close()
  }
  chmodSync(to, 0o600)
  const copy = new Database(to)
  copy.pragma('journal_mode = delete')
  copy.close()
}

export type CopyState = {
  problems: string[]
  /** It has what our migrations didn't make. Then nothing else of it is read. */
  isForeign: boolean
  tables: Record<string, number>
  /** Timestamp of its newest migration. */
  migration: number
  newestChange: string | null
}

export function inspectHere(file: string): CopyState {
  const sqlite = openForeign(file)
  try {
    const foreign = foreignParts(sqlite, 'acting')
    if (foreign.length > 0) return { problems: foreign, isForeign: true, tables: {}, migration: 0, newestChange: null }
    const integrity = sqlite.prepare<[], string>('pragma integrity_check(10)').pluck().all()
    const references = sqlite.prepare('pragma foreign_key_check').all().length
    return {
      problems: [
        ...(integrity.length === 1 && integrity[0] === 'ok' ? [] : integrity),
        ...(references > 0 ? [`${references} rows refer to rows that don’t exist.`] : []),
      ],
      isForeign: false,
      ...countRows(sqlite),
      newestChange: readNewestChange(sqlite),
    }
  } finally {
    sqlite.close()
  }
}

/** To the minute: the server's last heartbeat. Before the first, the last setting that was written. Null if neither can be read. */
export function readNewestChange(sqlite: Database.Database): string | null {
  const read = (where: string) => readOrUndefined(sqlite, `select max(updatedAt) from settings ${where}`)
  const at = read(`where key = 'heartbeat'`) ?? read('')
  return typeof at === 'string' ? at : null
}

/** The timestamps of a database's migrations. Opens it read-only. */
export const appliedMigrations = (file: string): number[] => reading(file, appliedTo)

/** Which older versions run on a database. Null if that was never recorded. */
export const floorOf = (file: string) => reading(file, readFloor)

function reading<Result>(file: string, read: (sqlite: Database.Database) => Result): Result {
  const sqlite = openForeign(file)
  try {
    return read(sqlite)
  } finally {
    sqlite.close()
  }
}

function countRows(sqlite: Database.Database): Pick<CopyState, 'tables' | 'migration'> {
  const names = sqlite
    .prepare<[], string>(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not glob '_litestream_*' order by name`,
    )
    .pluck()
    .all()
  const tables = Object.fromEntries(
    names.map((name) => [name, Number(sqlite.prepare(`select count(*) from "${name}"`).pluck().get())]),
  )
  const migration = sqlite.prepare('select max(created_at) from __drizzle_migrations').pluck().get()
  return { tables, migration: Number(migration) }
}

export type GivenNumbers = {
  invoices: number
  creditNotes: number
  /** False if more numbers may have been issued than we can read. */
  isSure: boolean
}

/**
 * The last number of both document series, from a database of any version that isn't in use, as far as it can be read. Null if
 * there's none. After an earlier restore left this open, the database can't be sure either.
 */
export function readLastNumbers(file: string): GivenNumbers | null {
  if (!existsSync(file)) return null
  const sqlite = openOrNull(file)
  const read = (sql: string) => (sqlite === null ? undefined : readOrUndefined(sqlite, sql))
  const greatest = (sql: string) => Number(read(`select max(n) from (${sql})`) ?? 0)
  const skippedTables = Number(
    read(`select count(*) from sqlite_master where type = 'table' and name = 'skipped_numbers'`) ?? 0,
  )
  const skipped = (series: string) =>
    skippedTables === 0 ? 0 : greatest(`select last as n from skipped_numbers where series = '${series}'`)
  const tables = ['invoices', 'credit_notes', ...(skippedTables === 0 ? [] : ['skipped_numbers'])]
  const open = read(`select count(*) from settings where key = 'open_numbers' and value is not 'false'`)
  const given = {
    invoices: Math.max(greatest('select sequence as n from invoices'), skipped('invoice')),
    creditNotes: Math.max(greatest('select sequence as n from credit_notes'), skipped('credit_note')),
    isSure: open === 0 && tables.every((table) => read(`pragma integrity_check('${table}')`) === 'ok'),
  }
  sqlite?.close()
  return given
}

function openOrNull(file: string): Database.Database | null {
  try {
    return openForeign(file)
  } catch {
    return null
  }
}

function readOrUndefined(sqlite: Database.Database, sql: string): unknown {
  try {
    return sqlite.prepare(sql).pluck().get()
  } catch {
    return undefined
  }
}
