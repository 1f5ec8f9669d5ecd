import { chmodSync, existsSync } from 'node:fs'
import Database from 'better-sqlite3'

/** So many pages are copied between two turns of the event loop: 4 MB. */
const pagesAtOnce = 1000

/**
 * Copies a database that is in use into one file, with everything that was committed before it began. It reads from one
 * snapshot: SQLite's backup would begin again with each write of another process, and never end beside a busy server.
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
  /** How many rows each table has. */
  tables: Record<string, number>
  /** When the newest migration of it was made. */
  migration: number
}

/** What the thread of `inspectCopy` does. */
export function inspectHere(file: string): CopyState {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const integrity = sqlite.prepare<[], string>('pragma integrity_check(10)').pluck().all()
    const references = sqlite.prepare('pragma foreign_key_check').all().length
    return {
      problems: [
        ...(integrity.length === 1 && integrity[0] === 'ok' ? [] : integrity),
        ...(references > 0 ? [`${references} rows refer to rows that don’t exist.`] : []),
      ],
      ...countRows(sqlite),
    }
  } finally {
    sqlite.close()
  }
}

/** When each migration that a database has was made; it is opened to be read alone. */
export function appliedMigrations(file: string): number[] {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  try {
    return sqlite.prepare('select created_at from __drizzle_migrations').pluck().all().map(Number)
  } finally {
    sqlite.close()
  }
}

function countRows(sqlite: Database.Database): Omit<CopyState, 'problems'> {
  const names = sqlite
    .prepare<[], string>(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`,
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
  /** False where more may have been given than can be read. */
  isSure: boolean
}

/**
 * How far both series of documents have come in a database of any version that nobody uses, as far as it can be read; null where
 * there is none. An earlier restore may have left open what was given: then this database does not know either.
 */
export function readLastNumbers(file: string): GivenNumbers | null {
  if (!existsSync(file)) return null
  const sqlite = openOrNull(file)
  const read = (sql: string) => (sqlite === null ? undefined : readOrUndefined(sqlite, sql))
  const greatest = (sql: string) => Number(read(`select max(n) from (${sql})`) ?? 0)
  const skippedTables = Number(read(`select count(*) from sqlite_master where name = 'skipped_numbers'`) ?? 0)
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
    return new Database(file, { readonly: true, fileMustExist: true })
  } catch {
    return null
  }
}

/** Each part by itself: where one page is damaged, the others may be sound. */
function readOrUndefined(sqlite: Database.Database, sql: string): unknown {
  try {
    return sqlite.prepare(sql).pluck().get()
  } catch {
    return undefined
  }
}
