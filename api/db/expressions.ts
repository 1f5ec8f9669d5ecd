import {
  and,
  type Column,
  type GetColumnData,
  gt,
  isNotNull,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
  type Table,
} from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { type paymentStatuses, providerInvoices } from '#api/db/schema/provider.ts'

/** Adds up; 0 where there is nothing to add. */
export const total = (value: SQLWrapper): SQL<number> => sql`coalesce(sum(${value}), 0)`.mapWith(Number)

export const greatest = <C extends Column>(column: C): SQL<GetColumnData<C, 'raw'> | null> =>
  sql`max(${column})`.mapWith(column)

export const least = <C extends Column>(column: C): SQL<GetColumnData<C, 'raw'> | null> =>
  sql`min(${column})`.mapWith(column)

/** A condition as a field. */
export const isTrue = (condition: SQLWrapper): SQL<boolean> => sql`coalesce(${condition}, 0)`.mapWith(Boolean)

/** A column that may be missing from its row: of a left join, or of a subquery that finds nothing. */
export const nullable = <C extends Column>(column: C, from: SQLWrapper = column): SQL<GetColumnData<C, 'raw'> | null> =>
  sql`${from}`.mapWith(column)

/** A column that may be empty, where a condition of the query leaves out its empty rows. */
export const filled = <C extends Column>(column: C): SQL<GetColumnData<C, 'raw'>> => sql`${column}`.mapWith(column)

/** Reads a text that an expression makes as one of those that it can make. */
export const oneOfTexts =
  <Text extends string>(texts: readonly Text[]) =>
  (value: string): Text => {
    const found = texts.find((text) => text === value)
    if (found === undefined) throw new Error(`${value} is none of ${texts.join(', ')}.`)
    return found
  }

/** Reads JSON that an expression makes, of which the schema says what it holds. */
export const jsonOf =
  <Schema extends v.GenericSchema>(schema: Schema) =>
  (text: string): v.InferOutput<Schema> =>
    v.parse(schema, JSON.parse(text))

/** What a column's JSON has under a key that its type knows, as SQL reads it: a text, a number, or null where there is none. */
export const jsonFieldOf = <C extends Column>(
  column: C,
  key: keyof NonNullable<GetColumnData<C, 'raw'>> & string,
): SQL => sql`${column} ->> ${sql.raw(quoted(`$.${key}`))}`

/** The order in which a table's rows were written: their ids and times follow the clock, which may be set back. */
export const writtenOrder = (table: Table): SQL => sql`${table}.rowid`

/** The first of the values that is there, read as the column is. */
export const firstOf = <C extends Column>(column: C, ...others: SQLWrapper[]): SQL<GetColumnData<C, 'query'>> =>
  sql`coalesce(${sql.join([column, ...others], sql`, `)})`.mapWith(column)

/**
 * A condition on values that are written into the statement. Unlike parameters they let SQLite use a partial index, and
 * they need no compiling anew. For values of the schema, never for what somebody typed.
 */
export const isOneOf = <C extends Column>(column: C, ...values: readonly GetColumnData<C, 'raw'>[]): SQL =>
  // Of one value by `=`: a partial index on `kind = 'invoice'` serves no `kind in ('invoice')`.
  values.length === 1
    ? sql`${column} = ${sql.raw(quoted(values[0]))}`
    : sql`${column} in (${sql.raw(values.map(quoted).join(', '))})`

export const isNoneOf = <C extends Column>(column: C, ...values: readonly GetColumnData<C, 'raw'>[]): SQL =>
  sql`${column} not in (${sql.raw(values.map(quoted).join(', '))})`

const quoted = (value: unknown): string =>
  typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`

/** The table, or an alias of it. */
type Invoices = {
  status: AnySQLiteColumn<{ data: (typeof paymentStatuses)[number] }>
  amountPaid: AnySQLiteColumn<{ data: number }>
  freeMonthNet: AnySQLiteColumn<{ data: number }>
  isUpgrade: AnySQLiteColumn<{ data: boolean }>
  billingReason: AnySQLiteColumn<{ data: string }>
}

/** A condition: the invoice is paid, and took more than £0. */
export const tookMoney = (of: Invoices = providerInvoices): SQL | undefined =>
  and(isOneOf(of.status, 'paid'), gt(of.amountPaid, 0))

/** A condition: an owner wrote the invoice by hand, for something beside the periods. */
export const isExtra = (of: Pick<Invoices, 'billingReason'> = providerInvoices): SQL =>
  sql`coalesce(${of.billingReason}, '') = 'manual'`

/** A condition: the invoice was for a month that discounts made free, and is settled by that. */
export const gaveFreeMonth = (of: Invoices = providerInvoices): SQL | undefined =>
  and(isOneOf(of.status, 'paid'), isNotNull(of.freeMonthNet))

/**
 * A condition: the invoice settled a period, by money or by a discount of ours that took it whole. An upgrade is paid for the
 * rest of a period, and an extra for none, so they say nothing of whether the renewals before them are.
 */
export const settledPeriod = (of: Invoices = providerInvoices): SQL | undefined =>
  or(and(tookMoney(of), sql`not ${of.isUpgrade}`, not(isExtra(of))), gaveFreeMonth(of))
