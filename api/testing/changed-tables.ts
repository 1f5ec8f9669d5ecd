import type { Sqlite } from '#api/db/open.ts'

/** Returns a function that names the tables whose rows have changed since now, except rows that match `isMeant`. */
export function watchTables(sqlite: Sqlite, isMeant: (row: object) => boolean = () => false): () => string[] {
  const rowsOf = (table: string) =>
    JSON.stringify(
      sqlite
        .prepare<[], object>(`select * from "${table}"`)
        .all()
        .filter((row) => !isMeant(row))
        .map((row) => ({ ...row, lastSeenAt: null })),
    )
  const tables = sqlite
    .prepare<[], string>(`select name from sqlite_master where type = 'table' and name not like 'sqlite%'`)
    .pluck()
    .all()
  const before = new Map(tables.map((table) => [table, rowsOf(table)]))
  return () => tables.filter((table) => before.get(table) !== rowsOf(table))
}
