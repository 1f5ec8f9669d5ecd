import { integer, text } from 'drizzle-orm/sqlite-core'

/** UUIDv7 text: sorts by time of birth, so indexes grow at their end. */
export const id = () => text().primaryKey()

/** ISO-8601 UTC text. Written by the caller from the clock that owns the column, never by the database. */
export const instant = () => text()

export const flag = (initially: boolean) => integer({ mode: 'boolean' }).notNull().default(initially)

/** Whole pence. */
export const pence = () => integer()

/** `column in ('a', 'b')` for a CHECK: the database refuses what the contract refuses. */
export const oneOf = (column: string, values: readonly string[]) =>
  `"${column}" in (${values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')})`

/** The same for a column that may be empty. */
export const oneOfOrNull = (column: string, values: readonly string[]) =>
  `"${column}" is null or ${oneOf(column, values)}`
