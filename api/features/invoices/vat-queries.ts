import { and, count, eq, gte, lte, ne, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { total } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { linesOfNote } from './queries.ts'

export type Days = { from: string; to: string }

const invoicedWithin = preparedQuery<Days>()((db, { from, to }) =>
  db
    .select({
      count: count(),
      net: total(invoices.net),
      vat: total(invoices.vat),
      gross: total(invoices.gross),
    })
    .from(invoices)
    .where(and(gte(invoices.taxPoint, from), lte(invoices.taxPoint, to))),
)

const noteSums = {
  count: count(),
  net: total(creditNotes.net),
  vat: total(creditNotes.vat),
  gross: total(creditNotes.gross),
}

const refundedWithin = preparedQuery<Days>()((db, { from, to }) =>
  db
    .select(noteSums)
    .from(creditNotes)
    .where(and(eq(creditNotes.kind, 'refund'), gte(creditNotes.issuedOn, from), lte(creditNotes.issuedOn, to))),
)

/** A correction counts on the mistake's day. The `cross join` makes SQLite start from the notes, which are few. */
const correctedWithin = preparedQuery<Days>()((db, { from, to }) =>
  db
    .select(noteSums)
    .from(creditNotes)
    .crossJoin(invoices)
    .where(
      and(
        eq(invoices.id, creditNotes.invoiceId),
        ne(creditNotes.kind, 'refund'),
        gte(invoices.taxPoint, from),
        lte(invoices.taxPoint, to),
      ),
    ),
)

export const linesWithin = preparedQuery<Days>()((db, { from, to }) =>
  db
    .select({
      rate: sql`json_extract("line"."value", '$.rate')`.mapWith(Number),
      net: sql`sum(json_extract("line"."value", '$.net'))`.mapWith(Number),
      vat: sql`sum(json_extract("line"."value", '$.vat'))`.mapWith(Number),
    })
    .from(invoices)
    .crossJoin(sql`json_each(${invoices.lines}) as "line"`)
    .where(and(gte(invoices.taxPoint, from), lte(invoices.taxPoint, to)))
    .groupBy(sql`1`),
)

export const notesWithin = preparedQuery<Days>()((db, { from, to }) =>
  db
    .select({ net: creditNotes.net, vat: creditNotes.vat, lines: linesOfNote })
    .from(creditNotes)
    .crossJoin(invoices)
    .where(
      and(
        eq(invoices.id, creditNotes.invoiceId),
        sql`iif(${creditNotes.kind} = 'refund', ${creditNotes.issuedOn}, ${invoices.taxPoint}) between ${from} and ${to}`,
      ),
    ),
)

export const noSums = { count: 0, net: 0, vat: 0, gross: 0 }
export type Sums = typeof noSums
/** The documents that count for VAT between two days. A correction belongs to its invoices, a refund stands for itself. */
export function documentsWithin(ctx: Context, days: Days): { invoiced: Sums; corrected: Sums; refunded: Sums } {
  return {
    invoiced: invoicedWithin.get(ctx, days) ?? noSums,
    corrected: correctedWithin.get(ctx, days) ?? noSums,
    refunded: refundedWithin.get(ctx, days) ?? noSums,
  }
}
