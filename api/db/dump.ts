import Database from 'better-sqlite3'
import { type Cell, csvRow } from '#shared/rules/csv.ts'

/** Logins, one-time links and internal tables. Exports for other programs leave them out, though the copied database has them. */
const ownTables =
  /^(sqlite_|__drizzle|_litestream_|sessions|api_tokens|password_resets|limit_hits|idempotency_|job_leases|settings$|known_devices)/
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
