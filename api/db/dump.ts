import Database from 'better-sqlite3'
import { getTableColumns, type SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type Cell, csvRow } from '#shared/rules/csv.ts'

/** Logins, one-time links, internal tables, and rows of bytes. Exports for other programs leave them out, though the copied database has them. */
const ownTables =
  /^(sqlite_|__drizzle|_litestream_|sessions|api_tokens|password_resets|limit_hits|idempotency_|job_leases|settings$|known_devices|push_(keys|subscriptions)|question_file_(pieces|contents)|person_texts$|people_found)/
const secretColumns = /password|token|secret|hash/i

const rowsPerPage = 500

export type DumpedTable = {
  name: string
  columns: string[]
  /** A few rows at a time, to keep memory low. */
  pages(): Generator<Record<string, unknown>[]>
}

export function* dumpTables(file: string): Generator<DumpedTable> {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const names = sqlite
      .prepare<[], string>(`select name from sqlite_master where type = 'table' order by name`)
      .pluck()
      .all()
    for (const name of names.filter((one) => !ownTables.test(one))) {
      const all = sqlite.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(name)
      const columns = all.filter((column) => !secretColumns.test(column))
      yield { name, columns, pages: () => pagesOf(sqlite, name, columns) }
    }
  } finally {
    sqlite.close()
  }
}

function* pagesOf(sqlite: Database.Database, table: string, columns: string[]): Generator<Record<string, unknown>[]> {
  const wanted = columns.map((column) => `"${column}"`).join(', ')
  const page: Record<string, unknown>[] = []
  // No one writes to a copy, so one statement may stay open all the way.
  for (const row of sqlite.prepare<[], Record<string, unknown>>(`select ${wanted} from "${table}"`).iterate()) {
    page.push(row)
    if (page.length === rowsPerPage) yield page.splice(0)
  }
  if (page.length > 0) yield page
}

const toCell = (value: unknown): Cell =>
  value === null || typeof value === 'number' || typeof value === 'string' ? value : String(value)

export const dumpAsCsv = ({ columns }: DumpedTable, rows: readonly Record<string, unknown>[]): string =>
  rows.map((row) => csvRow(columns.map((column) => toCell(row[column])))).join('')

/** Rows of a table, with some of its columns. */
export type ChosenRows = { table: SQLiteTable; columns: readonly string[]; where?: SQL | undefined }

type Row = Record<string, unknown>

/** Reads a copy of the database as the program reads it: flags as true and false, JSON as what it says. A few rows at a time. */
export function openCopy(file: string) {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  const db = drizzle(sqlite)
  return {
    close: () => sqlite.close(),
    one: <Table extends SQLiteTable>(table: Table, where: SQL | undefined) =>
      db.select().from(table).where(where).get(),
    all: <Table extends SQLiteTable>(table: Table) => db.select().from(table).all(),
    *rows({ table, columns, where }: ChosenRows): Generator<Row[]> {
      const all: Record<string, SQLiteColumn> = getTableColumns(table)
      const chosen = columns.flatMap((name): [string, SQLiteColumn][] => (all[name] ? [[name, all[name]]] : []))
      const query = db.select(Object.fromEntries(chosen)).from(table).where(where).toSQL()
      const page: Row[] = []
      for (const cells of sqlite
        .prepare<unknown[], unknown[]>(`${query.sql} order by 1, 2`)
        .raw()
        .iterate(query.params)) {
        page.push(Object.fromEntries(chosen.map(([name, column], at) => [name, decoded(column, cells[at])])))
        if (page.length === rowsPerPage) yield page.splice(0)
      }
      if (page.length > 0) yield page
    },
  }
}

const decoded = (column: SQLiteColumn, value: unknown): unknown =>
  value === null ? null : column.mapFromDriverValue(value)
