import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { streamText } from '#api/http/text-stream.ts'
import type { ExportQuery } from '#shared/contract/invoices.ts'
import { type Cell, csvRow } from '#shared/rules/csv.ts'
import { type InvoiceRow, replaced, replacedNumber } from './queries.ts'

const head = [
  ...['document', 'number', 'issuedOn', 'taxPoint', 'customer', 'business', 'description'],
  ...['netPounds', 'vatPounds', 'grossPounds', 'refersTo', 'note'],
]

const rowsPerPage = 100

/**
 * Every invoice and credit note with a tax point between two days, as CSV for the accountant. A refund counts on its own day;
 * what corrects a mistake counts where the mistake did, or a corrected invoice would be in two VAT returns. Credit notes are
 * negative, so that columns add up.
 */
export const exportInvoices = (
  ctx: Context,
  { from = '0000-01-01', to = '9999-12-31' }: ExportQuery,
): ReadableStream<Uint8Array> => exportDocuments(ctx, { from, to }, { head, rowsOf: (row) => [cellsOf(row)] })

/** What another program's CSV is made of: its head, and the rows of one document. */
export type ExportFormat = { head: readonly string[]; rowsOf(document: ExportedDocument): Cell[][] }

/** The same documents, as another program wants them. */
export const exportDocuments = (
  ctx: Context,
  { from = '0000-01-01', to = '9999-12-31' }: { from?: string | undefined; to?: string | undefined },
  format: ExportFormat,
): ReadableStream<Uint8Array> => streamText(csvPages(ctx, { from, to }, format))

type Days = { from: string; to: string }

function* csvPages(
  ctx: Context,
  { from, to }: Days,
  { head, rowsOf }: ExportFormat,
): Generator<string, void, undefined> {
  yield csvRow(head)
  for (const readPage of [readInvoices, readCreditNotes]) {
    let after = { day: from, sequence: 0 }
    for (;;) {
      const rows = readPage(ctx, { ...after, to, limit: rowsPerPage })
      const last = rows.at(-1)
      if (last === undefined) break
      after = { day: last.taxPoint, sequence: last.sequence }
      const wanted = rows.filter(({ taxPoint }) => from <= taxPoint && taxPoint <= to)
      yield wanted.flatMap(rowsOf).map(csvRow).join('')
    }
  }
}

type After = { day: string; sequence: number; to: string; limit: number }

export type ExportedDocument = Pick<
  InvoiceRow,
  'sequence' | 'number' | 'issuedOn' | 'taxPoint' | 'customer' | 'lines' | 'net' | 'vat' | 'gross'
> & {
  document: 'Invoice' | 'Credit note'
  /** Of a credit note: the invoice that it takes back. Of an invoice: the one that it replaces. */
  refersTo: string | null
  note: string
}

function cellsOf({
  document,
  number,
  issuedOn,
  taxPoint,
  customer,
  lines,
  net,
  vat,
  gross,
  refersTo,
  note,
}: ExportedDocument): Cell[] {
  const sign = document === 'Invoice' ? 1 : -1
  return [
    ...[document, number, issuedOn, taxPoint, customer.name, customer.businessName ?? null],
    lines.map(({ description }) => description).join('; '),
    ...[net, vat, gross].map((pence) => (sign * pence) / 100),
    ...[refersTo, note],
  ]
}

const invoicePages = preparedQuery<After>()((db, { day, sequence, to, limit }) =>
  db
    .select({
      ...{ sequence: invoices.sequence, number: invoices.number },
      ...{ issuedOn: invoices.issuedOn, taxPoint: invoices.taxPoint, customer: invoices.customer },
      ...{ lines: invoices.lines, net: invoices.net, vat: invoices.vat, gross: invoices.gross },
      ...{ refersTo: replacedNumber, isRetroactive: invoices.isRetroactive },
    })
    .from(invoices)
    .leftJoin(replaced, eq(replaced.id, invoices.replacesId))
    .where(and(sql`(${invoices.taxPoint}, ${invoices.sequence}) > (${day}, ${sequence})`, lte(invoices.taxPoint, to)))
    .orderBy(asc(invoices.taxPoint), asc(invoices.sequence))
    .limit(limit),
)

const readInvoices = (ctx: Context, after: After): ExportedDocument[] =>
  invoicePages.all(ctx, after).map(({ isRetroactive, ...row }) => ({
    ...{ ...row, document: 'Invoice' },
    note: isRetroactive ? 'retroactive' : '',
  }))

const creditNotePages = preparedQuery<{ sequence: number; limit: number }>()((db, { sequence, limit }) =>
  db
    .select({
      ...{ sequence: creditNotes.sequence, number: creditNotes.number, issuedOn: creditNotes.issuedOn },
      ...{ kind: creditNotes.kind, taxPoint: invoices.taxPoint, customer: invoices.customer, lines: invoices.lines },
      ...{ net: creditNotes.net, vat: creditNotes.vat, gross: creditNotes.gross },
      ...{ refersTo: invoices.number, note: creditNotes.reason },
    })
    .from(creditNotes)
    .innerJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
    .where(gt(creditNotes.sequence, sequence))
    .orderBy(asc(creditNotes.sequence))
    .limit(limit),
)

/** In the order of their numbers: their tax points are in no index, and there are few of them. */
const readCreditNotes = (ctx: Context, { sequence, limit }: After): ExportedDocument[] =>
  creditNotePages.all(ctx, { sequence, limit }).map(({ kind, ...row }) => ({
    ...{ ...row, document: 'Credit note' },
    taxPoint: kind === 'refund' ? row.issuedOn : row.taxPoint,
  }))
