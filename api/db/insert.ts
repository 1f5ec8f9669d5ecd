import type { Statement } from 'better-sqlite3'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './open.ts'
import { type HasDb, perDatabase } from './query.ts'

/** A row of the table and nothing else: a key that the table does not know is a type error. */
type Exactly<Table extends SQLiteTable, Row> = Row & Record<Exclude<keyof Row, keyof Table['$inferInsert']>, never>

/** Inserts a row. Throws where one with the same key, or another value that must be unique, is there already. */
export function insertRow<Table extends SQLiteTable, Row extends Table['$inferInsert']>(
  ctx: HasDb,
  table: Table,
  row: Exactly<Table, Row>,
): void {
  write(ctx, table, { row, onConflict: 'fail' })
}

/** The same, but a row that is there already stays as it is. Returns whether this one was inserted. */
export function insertIfAbsent<Table extends SQLiteTable, Row extends Table['$inferInsert']>(
  ctx: HasDb,
  table: Table,
  row: Exactly<Table, Row>,
): boolean {
  return write(ctx, table, { row, onConflict: 'ignore' }) > 0
}

/**
 * Inserts a row, or overwrites those columns of the one with the same primary key where any differs: what the provider
 * says comes again with every webhook, and a row that is written unchanged would still cost its index entries. Columns
 * named in `insertOnly` are written with a new row alone.
 */
export function upsert<Table extends SQLiteTable, Row extends Table['$inferInsert']>(
  ctx: HasDb,
  table: Table,
  row: Exactly<Table, Row>,
  insertOnly: readonly (keyof Row & string)[] = [],
): void {
  write(ctx, table, { row, onConflict: 'update', insertOnly })
}

type Write = {
  row: Record<string, unknown>
  onConflict: 'fail' | 'ignore' | 'update'
  insertOnly?: readonly string[]
}
type Cell = { name: string; column: SQLiteColumn }
type Compiled = { cells: Cell[]; statement: Statement<unknown[]> }

const compiledWrites = perDatabase(() => new Map<SQLiteTable, Map<string, Compiled>>())

/**
 * Compiled once for each table and set of columns, from the schema alone. Drizzle's own insert names every column of the
 * table, and encodes a null that stands in a placeholder, so that a JSON column would hold the text "null".
 */
function write({ db }: HasDb, table: SQLiteTable, given: Write): number {
  const { row, onConflict, insertOnly = [] } = given
  const names = Object.keys(row).filter((name) => row[name] !== undefined)
  const ofTable = compiledWrites(db).get(table) ?? new Map<string, Compiled>()
  compiledWrites(db).set(table, ofTable)
  const key = `${onConflict} ${names.join()} ${insertOnly.join()}`
  const compiled = ofTable.get(key) ?? compile(db, table, { names, onConflict, insertOnly })
  ofTable.set(key, compiled)
  return compiled.statement.run(compiled.cells.map(({ name, column }) => encode(column, row[name]))).changes
}

const encode = (column: SQLiteColumn, value: unknown) => (value === null ? null : column.mapToDriverValue(value))

function compile(
  db: Db,
  table: SQLiteTable,
  { names, onConflict, insertOnly = [] }: Omit<Write, 'row'> & { names: string[] },
): Compiled {
  const known: Record<string, SQLiteColumn> = getTableColumns(table)
  const cells = names.map((name) => {
    const column = known[name]
    if (column === undefined) throw new Error(`Table ${getTableName(table)} has no column ${name}.`)
    return { name, column }
  })
  // The key is the same already, and setting it would write its index entry again.
  const key = primaryKeyOf(table)
  const overwritten = cells.filter(({ name, column }) => !insertOnly.includes(name) && !key.includes(column))
  const ending = {
    fail: '',
    ignore: ' on conflict do nothing',
    update: onConflict === 'update' ? overwriteIfDifferent(table, key, overwritten) : '',
  }[onConflict]
  const listed = cells.map(({ column }) => `"${column.name}"`).join()
  const values = cells.map(() => '?').join()
  const text = `insert into "${getTableName(table)}" (${listed}) values (${values})${ending}`
  return { cells, statement: db.$client.prepare<unknown[]>(text) }
}

function overwriteIfDifferent(table: SQLiteTable, key: SQLiteColumn[], overwritten: Cell[]): string {
  const keyNames = key.map(({ name }) => `"${name}"`).join()
  const names = overwritten.map(({ column }) => `"${column.name}"`)
  const stored = names.map((name) => `"${getTableName(table)}".${name}`).join()
  const given = names.map((name) => `excluded.${name}`)
  const set = names.map((name, at) => `${name} = ${given[at]}`).join()
  return ` on conflict (${keyNames}) do update set ${set} where (${stored}) is not (${given.join()})`
}

function primaryKeyOf(table: SQLiteTable): SQLiteColumn[] {
  const { columns, primaryKeys } = getTableConfig(table)
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)
}
