import type { Statement } from 'better-sqlite3'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type HasDb, perDatabase } from './query.ts'

/** A row of the table and nothing else: a key that the table does not know is a type error. */
type Exactly<Table extends SQLiteTable, Row> = Row & Record<Exclude<keyof Row, keyof Table['$inferInsert']>, never>

/** Inserts a row. Throws where one with the same key, or another value that must be unique, is there already. */
export function insertRow<Table extends SQLiteTable, Row extends Table['$inferInsert']>(
  ctx: HasDb,
  table: Table,
  row: Exactly<Table, Row>,
): void {
  write(ctx, table, { row, onConflict: () => '' })
}

/** The same, but a row that is there already stays as it is. Returns whether this one was inserted. */
export function insertIfAbsent<Table extends SQLiteTable, Row extends Table['$inferInsert']>(
  ctx: HasDb,
  table: Table,
  row: Exactly<Table, Row>,
): boolean {
  return write(ctx, table, { row, onConflict: () => ' on conflict do nothing' }) > 0
}

/**
 * Inserts a row, or overwrites those columns of the one with the same primary key where any differs: what the provider
 * says comes again with every webhook, and a row that is written unchanged would still cost its index entries.
 */
export function upsert<Table extends SQLiteTable, Row extends Table['$inferInsert']>(
  ctx: HasDb,
  table: Table,
  row: Exactly<Table, Row>,
): void {
  write(ctx, table, { row, onConflict: overwriteIfDifferent })
}

type Write = { row: Record<string, unknown>; onConflict: (table: SQLiteTable, columns: SQLiteColumn[]) => string }

const compiledWrites = perDatabase(() => new Map<string, Statement<unknown[]>>())

/**
 * Compiled once for each table and set of columns, from the schema alone. Drizzle's own insert names every column of the
 * table, and encodes a null that stands in a placeholder, so that a JSON column would hold the text "null".
 */
function write({ db }: HasDb, table: SQLiteTable, { row, onConflict }: Write): number {
  const known: Record<string, SQLiteColumn> = getTableColumns(table)
  const cells = Object.entries(row).flatMap(([name, value]) => {
    const column = known[name]
    if (column === undefined) throw new Error(`Table ${getTableName(table)} has no column ${name}.`)
    return value === undefined ? [] : [{ column, value: value === null ? null : column.mapToDriverValue(value) }]
  })
  const columns = cells.map(({ column }) => column)
  const names = columns.map(({ name }) => `"${name}"`).join()
  const text = `insert into "${getTableName(table)}" (${names}) values (${columns.map(() => '?').join()})${onConflict(table, columns)}`
  const statements = compiledWrites(db)
  const statement = statements.get(text) ?? db.$client.prepare<unknown[]>(text)
  statements.set(text, statement)
  return statement.run(cells.map(({ value }) => value)).changes
}

function overwriteIfDifferent(table: SQLiteTable, columns: SQLiteColumn[]): string {
  const key = primaryKeyOf(table)
    .map(({ name }) => `"${name}"`)
    .join()
  const names = columns.map(({ name }) => `"${name}"`)
  const stored = names.map((name) => `"${getTableName(table)}".${name}`).join()
  const given = names.map((name) => `excluded.${name}`)
  const set = names.map((name, at) => `${name} = ${given[at]}`).join()
  return ` on conflict (${key}) do update set ${set} where (${stored}) is not (${given.join()})`
}

function primaryKeyOf(table: SQLiteTable): SQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table)
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
}
