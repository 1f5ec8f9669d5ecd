import { customType, integer, text } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'

/*
 * One codec for each kind of column. Code holds what the wire holds: times and days are text, money is whole pence, so
 * that a row compares and sorts in SQL as it does in code. What does not fit is refused before it is written.
 */

/** UUIDv7 text: sorts by the time of its making, so indexes grow at their end. */
export const id = () => text().primaryKey()

/** Text that only some values fit; anything else is a fault of ours, so it throws before it is stored. */
const checkedText = (what: string, pattern: RegExp) =>
  customType<{ data: string; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => {
      // A placeholder hands a null on as it is.
      if (value !== null && !pattern.test(value)) throw new TypeError(`Not ${what}: ${JSON.stringify(value)}`)
      return value
    },
  })

/** ISO-8601 UTC with milliseconds. Written from the clock that owns the column, never by the database. */
export const instant = checkedText('a time in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** YYYY-MM-DD of Europe/London. */
export const day = checkedText('a day', /^\d{4}-\d\d-\d\d$/)

/** YYYY-MM of Europe/London. */
export const month = checkedText('a month', /^\d{4}-\d\d$/)

/** A yes or a no that every row is written with. */
export const requiredFlag = () => integer({ mode: 'boolean' }).notNull()

export const flag = (initially: boolean) => requiredFlag().default(initially)

/** Whole pence; a fraction is a mistake in a sum, and throws. */
export const pence = customType<{ data: number; driverData: number }>({
  dataType: () => 'integer',
  toDriver: (value) => {
    if (value !== null && !Number.isSafeInteger(value)) throw new TypeError(`Not whole pence: ${value}`)
    return value
  },
})

/** JSON of our own making, stored and read back as it was. */
export const json = <Data>() =>
  customType<{ data: Data; driverData: string | null }>({
    dataType: () => 'text',
    toDriver: (value) => (value === null ? null : JSON.stringify(value)),
    fromDriver: (stored) => (stored === null ? null : JSON.parse(stored)),
  })()

/** JSON that is checked when it is read, because an older version of this program may have written it. */
export const checkedJson = <Schema extends v.GenericSchema>(schema: Schema) =>
  customType<{ data: v.InferOutput<Schema>; driverData: string | null }>({
    dataType: () => 'text',
    toDriver: (value) => (value === null ? null : JSON.stringify(value)),
    fromDriver: (stored) => v.parse(schema, stored === null ? null : JSON.parse(stored)),
  })()

/** JSON of unknown shape, which any version of this program may have written; what is no JSON reads as null. */
export const unknownJson = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (stored) => {
    try {
      return JSON.parse(stored)
    } catch {
      return null
    }
  },
})

/** `column in ('a', 'b')` for a CHECK: the database refuses what the contract refuses. */
export const oneOf = (column: string, values: readonly string[]) =>
  `"${column}" in (${values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')})`

/** The same for a column that may be empty. */
export const oneOfOrNull = (column: string, values: readonly string[]) =>
  `"${column}" is null or ${oneOf(column, values)}`
