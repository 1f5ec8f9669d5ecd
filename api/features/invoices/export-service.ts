import type { Context } from '#api/context.ts'
import { streamedText } from '#api/http/streamed-text.ts'
import type { ExportQuery } from '#shared/contract/invoices.ts'
import { type Cell, csvRow } from '#shared/rules/csv.ts'

type Row = {
  sequence: number
  number: string
  issuedOn: string
  taxPoint: string
  customer: string
  business: string | null
  description: string
  net: number
  vat: number
  gross: number
  /** Of a credit note: the invoice that it takes back. Of an invoice: the one that it replaces. */
  refersTo: string | null
  note: string
}

const head = [
  ...['document', 'number', 'issuedOn', 'taxPoint', 'customer', 'business', 'description'],
  ...['netPounds', 'vatPounds', 'grossPounds', 'refersTo', 'note'],
]

const rowsAtOnce = 100

/**
 * Every invoice and credit note with a tax point between two days, as CSV for the accountant. A refund counts on its own day;
 * what takes back a mistake counts where the mistake did, or a corrected invoice would be in two VAT returns. Credit notes are
 * below nought, so that columns add up.
 */
export const exportInvoices = (
  ctx: Context,
  { from = '', to = '9999-12-31' }: ExportQuery,
): ReadableStream<Uint8Array> => streamedText(pages(ctx, from, to))

function* pages(ctx: Context, from: string, to: string): Generator<string, void, undefined> {
  yield csvRow(head)
  for (const series of [invoicesAfter(ctx), creditNotesAfter(ctx)]) {
    let after = { day: from, sequence: 0 }
    for (;;) {
      const rows = series.page({ ...after, to, limit: rowsAtOnce })
      const last = rows.at(-1)
      if (last === undefined) break
      after = { day: last.taxPoint, sequence: last.sequence }
      const wanted = rows.filter(({ taxPoint }) => from <= taxPoint && taxPoint <= to)
      yield wanted.map((row) => csvRow(cellsOf(row, series))).join('')
    }
  }
}

type After = { day: string; sequence: number; to: string; limit: number }
type Series = { document: string; sign: 1 | -1; page(after: After): Row[] }

const cellsOf = (row: Row, { document, sign }: Series): Cell[] => [
  ...[document, row.number, row.issuedOn, row.taxPoint, row.customer, row.business, row.description],
  ...[row.net, row.vat, row.gross].map((pence) => (sign * pence) / 100),
  ...[row.refersTo, row.note],
]

const particulars = `invoices.customer ->> 'name' as customer, invoices.customer ->> 'businessName' as business,
  (select group_concat(value ->> 'description', '; ') from json_each(invoices.lines)) as description`

function invoicesAfter(ctx: Context): Series {
  const statement = ctx.sqlite.prepare<[After], Row>(
    `select sequence, number, issuedOn, taxPoint, ${particulars}, net, vat, gross,
       (select replaced.number from invoices replaced where replaced.id = invoices.replacesId) as refersTo,
       iif(isRetroactive, 'retroactive', '') as note
     from invoices where (taxPoint, sequence) > (@day, @sequence) and taxPoint <= @to
     order by taxPoint, sequence limit @limit`,
  )
  return { document: 'Invoice', sign: 1, page: (after) => statement.all(after) }
}

/** By number: their tax points are in no index, and there are few of them. */
function creditNotesAfter(ctx: Context): Series {
  const statement = ctx.sqlite.prepare<[After], Row>(
    `select credit_notes.sequence, credit_notes.number, credit_notes.issuedOn,
       iif(kind = 'refund', credit_notes.issuedOn, invoices.taxPoint) as taxPoint,
       ${particulars}, credit_notes.net, credit_notes.vat, credit_notes.gross, invoices.number as refersTo, reason as note
     from credit_notes join invoices on invoices.id = credit_notes.invoiceId
     where credit_notes.sequence > @sequence order by credit_notes.sequence limit @limit`,
  )
  return { document: 'Credit note', sign: -1, page: (after) => statement.all(after) }
}
