import { and, count, eq, gte, lte, ne, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { total } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { linesOfNote } from '#api/features/invoices/queries.ts'
import type { VatReturn } from '#shared/contract/accounting.ts'
import { londonDay } from '#shared/rules/london.ts'
import { daysOf, monthsOf } from '#shared/rules/periods.ts'
import { noteByRate, vatByRate } from '#shared/rules/vat-by-rate.ts'
import { revenueMonths } from './month-service.ts'

type Days = { from: string; to: string }

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

const linesWithin = preparedQuery<Days>()((db, { from, to }) =>
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

const notesWithin = preparedQuery<Days>()((db, { from, to }) =>
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

function ratesWithin(ctx: Context, days: Days): VatReturn['rates'] {
  const credited = notesWithin.all(ctx, days).flatMap(({ lines, ...note }) => noteByRate(lines, note))
  return vatByRate([
    ...linesWithin.all(ctx, days),
    ...credited.map(({ rate, net, vat }) => ({ rate, net: 0 - net, vat: 0 - vat })),
  ])
}

const nothing = { count: 0, net: 0, vat: 0, gross: 0 }
type Sums = typeof nothing
const added = (one: Sums, other: Sums): Sums => ({
  count: one.count + other.count,
  net: one.net + other.net,
  vat: one.vat + other.vat,
  gross: one.gross + other.gross,
})

/** The documents that count for VAT between two days. A correction belongs to its invoices, a refund stands for itself. */
export function documentsWithin(ctx: Context, days: Days): { invoiced: Sums; corrected: Sums; refunded: Sums } {
  return {
    invoiced: invoicedWithin.get(ctx, days) ?? nothing,
    corrected: correctedWithin.get(ctx, days) ?? nothing,
    refunded: refundedWithin.get(ctx, days) ?? nothing,
  }
}

/** A quarter's VAT return boxes, from exactly the documents its export contains. */
export async function vatReturn(ctx: Context, quarter: string): Promise<VatReturn> {
  const days = daysOf(quarter)
  const { invoiced, corrected, refunded } = documentsWithin(ctx, days)
  const credited = added(refunded, corrected)
  const [vat, net] = [invoiced.vat - credited.vat, invoiced.net - credited.net]
  return {
    quarter,
    ...days,
    hasEnded: londonDay(ctx.billingNow()) > days.to,
    boxes: { 1: vat, 2: 0, 3: vat, 4: null, 5: vat, 6: net, 7: null, 8: 0, 9: 0 },
    invoiced,
    credited,
    rates: ratesWithin(ctx, days),
    late: await lateIn(ctx, monthsOf(quarter)),
  }
}

async function lateIn(ctx: Context, months: string[]): Promise<VatReturn['late']> {
  const sums = { ...nothing }
  for (const { month, vat } of await revenueMonths(ctx, 240)) {
    if (!months.includes(month)) continue
    sums.net += vat.late.net
    sums.vat += vat.late.vat
    sums.gross += vat.late.gross
  }
  const { net, vat, gross } = sums
  return { net, vat, gross }
}
