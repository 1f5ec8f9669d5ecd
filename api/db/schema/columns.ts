import { customType, integer, text } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { withoutUnseen } from '#shared/values/unseen.ts'

/* One codec for each kind of column. Rows hold what the API sends: times and days as text, money in whole pence, so values
   compare and sort the same in SQL and in code. An invalid value throws before it's stored. */

/** UUIDv7 text. It sorts by creation time, so indexes grow at their end. */
export const id = () => text().primaryKey()

/** Text that must match a pattern. A mismatch is our bug, so it throws before it's stored. */
const checkedText = (what: string, pattern: RegExp) =>
  customType<{ data: string; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => {
      // Placeholders pass nulls through.
      if (value !== null && !pattern.test(value)) throw new TypeError(`Not ${what}: ${JSON.stringify(value)}`)
      return value
    },
  })

/** A name or another line about a person, tidied here because it may come from an import, another site or Stripe. */
export const personLine = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => (value === null ? value : withoutUnseen(value)),
})

/** ISO-8601 UTC with milliseconds. It comes from the column's clock (`now` or `billingNow`), never from SQLite. */
export const instant = checkedText('a time in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** YYYY-MM-DD in Europe/London. */
export const day = checkedText('a day', /^\d{4}-\d\d-\d\d$/)

/** YYYY-MM in Europe/London. */
export const month = checkedText('a month', /^\d{4}-\d\d$/)

export const requiredFlag = () => integer({ mode: 'boolean' }).notNull()

export const flag = (initially: boolean) => requiredFlag().default(initially)

/** Whole pence. A fraction is a calculation error, and throws. */
export const pence = customType<{ data: number; driverData: number }>({
  dataType: () => 'integer',
  toDriver: (value) => {
    if (value !== null && !Number.isSafeInteger(value)) throw new TypeError(`Not whole pence: ${value}`)
    return value
  },
})

/** JSON we wrote ourselves, read back unchecked. */
export const json = <Data>() =>
  customType<{ data: Data; driverData: string | null }>({
    dataType: () => 'text',
    toDriver: (value) => (value === null ? null : JSON.stringify(value)),
    fromDriver: (stored) => (stored === null ? null : JSON.parse(stored)),
  })()

/** JSON that's validated on reading, because an older version may have written it. */
export const checkedJson = <Schema extends v.GenericSchema>(schema: Schema) =>
  customType<{ data: v.InferOutput<Schema>; driverData: string | null }>({
    dataType: () => 'text',
    toDriver: (value) => (value === null ? null : JSON.stringify(value)),
    fromDriver: (stored) => v.parse(schema, stored === null ? null : JSON.parse(stored)),
  })()

/** JSON of unknown shape, from any version of this program. Invalid JSON reads as null. */
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

/** `column in ('a', 'b')` for a CHECK, so the database refuses what the contract refuses. */
export const oneOf = (column: string, values: readonly string[]) =>
  `"${column}" in (${values.map((value) => `'${value.replaceAll("'", "''")}'`).join(', ')})`

/** The same for a nullable column. */
export const oneOfOrNull = (column: string, values: readonly string[]) =>
  `"${column}" is null or ${oneOf(column, values)}`
