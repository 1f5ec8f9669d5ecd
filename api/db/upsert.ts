import type { Statement } from 'better-sqlite3'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Sqlite } from './open.ts'

const kept = new WeakMap<Sqlite, Map<string, Statement<unknown[]>>>()

/**
 * Inserts a row, or overwrites those columns of the one with the same key where any differs. Compiled once for each set of
 * columns: building a query costs more than running it, and all that the provider says comes with every webhook.
 */
export function upsert<Table extends SQLiteTable>(
  { sqlite }: { sqlite: Sqlite },
  table: Table,
  row: Table['$inferInsert'],
  key = 'id',
): void {
  const columns = getTableColumns(table)
  const cells = Object.entries(row).flatMap(([name, value]) => {
    const column = columns[name]
    return column === undefined
      ? []
      : [{ name: column.name, value: value == null ? null : column.mapToDriverValue(value) }]
  })
  statementFor(sqlite, getTableName(table), { key, names: cells.map(({ name }) => name) }).run(
    cells.map(({ value }) => value),
  )
}

function statementFor(sqlite: Sqlite, table: string, { key, names }: { key: string; names: string[] }) {
  const statements = kept.get(sqlite) ?? new Map<string, Statement<unknown[]>>()
  kept.set(sqlite, statements)
  const shape = `${table} ${key} ${names.join()}`
  const statement = statements.get(shape) ?? sqlite.prepare(upsertOf(table, key, names))
  statements.set(shape, statement)
  return statement
}

function upsertOf(table: string, key: string, names: string[]): string {
  const quoted = names.map((name) => `"${name}"`)
  return `insert into "${table}" (${quoted.join()}) values (${names.map(() => '?').join()})
    on conflict ("${key}") do update set ${quoted.map((name) => `${name} = excluded.${name}`).join()}
    where (${quoted.map((name) => `"${table}".${name}`).join()}) is not (${quoted.map((name) => `excluded.${name}`).join()})`
}
