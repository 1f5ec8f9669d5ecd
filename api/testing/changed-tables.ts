import type { Sqlite } from '#api/db/open.ts'

/** From here on: the names of the tables whose rows are others than now. Rows that `isMeant` names may change. */
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
