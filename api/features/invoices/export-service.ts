import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { nullable } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { documentCsvRows } from '#api/db/schema/invoices.ts'
import type { ExportQuery } from '#shared/contract/invoices.ts'
import { csvRow } from '#shared/rules/csv.ts'
import { type DocumentSeries, documentSeries } from '#shared/rules/invoice-number.ts'

const head = [
  ...['document', 'number', 'issuedOn', 'taxPoint', 'customer', 'business', 'description'],
  ...['netPounds', 'vatPounds', 'grossPounds', 'refersTo', 'note'],
]

type Cursor = { day: string; sequence: number }

/** SQLite joins this many rows in under a millisecond. */
const rowsPerPage = 1000

/**
 * As CSV. A refund counts on its own day, a correction on the mistake's, or a corrected invoice would be in two VAT returns. Credit
 * notes are negative, so that columns add up.
 */
export function* exportedInvoices(
  ctx: Context,
  { from = '0000-01-01', to = '9999-12-31' }: ExportQuery,
): Generator<string, void, undefined> {
  yield csvRow(head)
  const end = { day: to, sequence: Number.MAX_SAFE_INTEGER }
  for (const series of documentSeries) {
    let after: Cursor | undefined = { day: from, sequence: 0 }
    while (after) {
      const last: Cursor | undefined = lastOfPage.get(ctx, { series, ...after, to })
      yield joinedRows.get(ctx, { series, ...after, lastDay: (last ?? end).day, last: (last ?? end).sequence })?.csv ??
        ''
      after = last
    }
  }
}

const rows = documentCsvRows

const lastOfPage = preparedQuery<Cursor & { series: DocumentSeries; to: string }>()((db, after) =>
  db
    .select({ day: rows.taxPoint, sequence: rows.sequence })
    .from(rows)
    .where(and(eq(rows.series, after.series), isAfter(after.day, after.sequence), lte(rows.taxPoint, after.to)))
    .orderBy(asc(rows.taxPoint), asc(rows.sequence))
    .limit(1)
    .offset(rowsPerPage - 1),
)

/** One text per page: a row per document would fill the heap. */
const joinedRows = preparedQuery<Cursor & { series: DocumentSeries; lastDay: string; last: number }>()((db, page) => {
  const inOrder = db
    .select({ csv: rows.csv })
    .from(rows)
    .where(
      and(
        eq(rows.series, page.series),
        isAfter(page.day, page.sequence),
        sql`(${rows.taxPoint}, ${rows.sequence}) <= (${page.lastDay}, ${page.last})`,
      ),
    )
    .orderBy(asc(rows.taxPoint), asc(rows.sequence))
    .as('in_order')
  return db.select({ csv: nullable(rows.csv, sql`group_concat(${inOrder.csv}, '')`) }).from(inOrder)
})

const isAfter = (day: SQL, after: SQL) => sql`(${rows.taxPoint}, ${rows.sequence}) > (${day}, ${after})`
