import {
  and,
  type Column,
  eq,
  type GetColumnData,
  isNotNull,
  lt,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
  type Table,
} from 'drizzle-orm'
import { type AnySQLiteColumn, alias } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { type paymentStatuses, providerInvoices } from '#api/db/schema/provider.ts'

export const total = (value: SQLWrapper): SQL<number> => sql`coalesce(sum(${value}), 0)`.mapWith(Number)

export const greatest = <C extends Column>(column: C): SQL<GetColumnData<C, 'raw'> | null> =>
  sql`max(${column})`.mapWith(column)

export const least = <C extends Column>(column: C): SQL<GetColumnData<C, 'raw'> | null> =>
  sql`min(${column})`.mapWith(column)

export const isTrue = (condition: SQLWrapper): SQL<boolean> => sql`coalesce(${condition}, 0)`.mapWith(Boolean)

/** A column that may be null: from a left join, or a subquery that finds nothing. */
export const nullable = <C extends Column>(column: C, from: SQLWrapper = column): SQL<GetColumnData<C, 'raw'> | null> =>
  sql`${from}`.mapWith(column)

/** A nullable column, when the query's condition excludes nulls. */
export const filled = <C extends Column>(column: C, from: SQLWrapper = column): SQL<GetColumnData<C, 'raw'>> =>
  sql`${from}`.mapWith(column)

/** Types a text expression as one of the given texts. */
export const oneOfTexts =
  <Text extends string>(texts: readonly Text[]) =>
  (value: string): Text => {
    const found = texts.find((text) => text === value)
    if (found === undefined) throw new Error(`${value} is none of ${texts.join(', ')}.`)
    return found
  }

/** Parses a JSON expression with the schema. */
export const jsonOf =
  <Schema extends v.GenericSchema>(schema: Schema) =>
  (text: string): v.InferOutput<Schema> =>
    v.parse(schema, JSON.parse(text))

/** The value of a JSON column's key, as SQL reads it: text, number, or null if it's missing. */
export const jsonFieldOf = <C extends Column>(
  column: C,
  key: keyof NonNullable<GetColumnData<C, 'raw'>> & string,
): SQL => sql`${column} ->> ${sql.raw(quoted(`$.${key}`))}`

/** Orders rows as they were written. Ids and times follow the clock, which may be set back. */
export const writtenOrder = (table: Table): SQL => sql`${table}.rowid`

/** `coalesce`, decoded like the column. */
export const firstOf = <C extends Column>(column: C, ...others: SQLWrapper[]): SQL<GetColumnData<C, 'query'>> =>
  sql`coalesce(${sql.join([column, ...others], sql`, `)})`.mapWith(column)

/**
 * A condition with its values inlined. Unlike parameters, they let SQLite use a partial index, and don't need recompiling. Only
 * for constants of the schema, never for user input.
 */
export const isOneOf = <C extends Column>(column: C, ...values: readonly GetColumnData<C, 'raw'>[]): SQL =>
  // One value must use `=`: a partial index on `kind = 'invoice'` can't serve `kind in ('invoice')`.
  values.length === 1
    ? sql`${column} = ${sql.raw(quoted(values[0]))}`
    : sql`${column} in (${sql.raw(values.map(quoted).join(', '))})`

export const isNoneOf = <C extends Column>(column: C, ...values: readonly GetColumnData<C, 'raw'>[]): SQL =>
  sql`${column} not in (${sql.raw(values.map(quoted).join(', '))})`

const quoted = (value: unknown): string =>
  typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`

type Invoices = {
  status: AnySQLiteColumn<{ data: (typeof paymentStatuses)[number] }>
  amountPaid: AnySQLiteColumn<{ data: number }>
  fromCredit: AnySQLiteColumn<{ data: number }>
  freeMonthNet: AnySQLiteColumn<{ data: number }>
  isUpgrade: AnySQLiteColumn<{ data: boolean }>
  billingReason: AnySQLiteColumn<{ data: string }>
}

/** Condition: the invoice is paid for more than £0, by card, outside Stripe or from credit that came from money. */
export const tookMoney = (of: Invoices = providerInvoices): SQL | undefined =>
  and(isOneOf(of.status, 'paid'), sql`(${of.amountPaid} > 0 or ${of.fromCredit} > 0)`)

/** What an unpaid invoice asks: the total, less credit, with a debt from before. */
export const dueOf = (of: Record<'due' | 'total', SQLWrapper>): SQL<number> =>
  sql`coalesce(${of.due}, ${of.total})`.mapWith(Number)

/** The one rate of VAT all its lines have, in per cent. Null if they differ. */
export const onlyRateOf = ({ lines }: { lines: SQLWrapper }): SQL<number | null> =>
  sql`(select iif(min("value" ->> 'rate') = max("value" ->> 'rate'), max("value" ->> 'rate'), null) from json_each(${lines}))`

/** Condition: an owner added the invoice by hand. It's not for a period. */
export const isExtra = (of: Pick<Invoices, 'billingReason'> = providerInvoices): SQL =>
  sql`coalesce(${of.billingReason}, '') = 'manual'`

/** Condition: discounts made the invoice's month free, which settles it. */
export const gaveFreeMonth = (of: Invoices = providerInvoices): SQL | undefined =>
  and(isOneOf(of.status, 'paid'), isNotNull(of.freeMonthNet))

/**
 * Condition: the invoice settled a period, with money or a full discount of ours. Upgrades pay for the rest of a period and
 * extras for none, so they don't say whether earlier renewals are paid.
 */
export const settledPeriod = (of: Invoices = providerInvoices): SQL | undefined =>
  or(and(tookMoney(of), sql`not ${of.isUpgrade}`, not(isExtra(of))), gaveFreeMonth(of))

const before = alias(providerInvoices, 'before')

/** Condition: the subscription's trial only puts a renewal off. The same as `isPutOff` in `shared/rules/membership.ts`. */
export const isPutOff = ({ id, trialEnd }: Record<'id' | 'trialEnd', SQLWrapper>): SQL =>
  sql`exists (select 1 from ${providerInvoices} ${before}
    where ${and(eq(before.subscriptionId, id), settledPeriod(before), lt(before.created, trialEnd))})`
