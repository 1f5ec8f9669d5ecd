import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import type { CreditedLine } from '#api/db/schema/provider.ts'
import { type InvoiceRow, linesOfNote, replaced, replacedNumber } from '#api/features/invoices/queries.ts'
import { type Cell, csvRow } from '#shared/rules/csv.ts'

export type ExportFormat = { head: readonly string[]; rowsOf(document: AccountingDocument): Cell[][] }

type Days = { from?: string | undefined; to?: string | undefined }

/** Invoices and credit notes with a tax point in the period, for an accounting program. */
export function* exportedAccounts(
  ctx: Context,
  { from = '0000-01-01', to = '9999-12-31' }: Days,
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

export type AccountingDocument = Pick<InvoiceRow, 'sequence' | 'number' | 'taxPoint' | 'customer' | 'net' | 'vat'> & {
  lines: readonly CreditedLine[]
  document: 'Invoice' | 'Credit note'
  /** For a credit note, the invoice it credits. For an invoice, the one it replaces. */
  refersTo: string | null
}

const rowsPerPage = 100

type After = { day: string; sequence: number; to: string; limit: number }

const invoicePages = preparedQuery<After>()((db, { day, sequence, to, limit }) =>
  db
    .select({
      sequence: invoices.sequence,
      number: invoices.number,
      taxPoint: invoices.taxPoint,
      customer: invoices.customer,
      lines: invoices.lines,
      net: invoices.net,
      vat: invoices.vat,
      refersTo: replacedNumber,
    })
    .from(invoices)
    .leftJoin(replaced, eq(replaced.id, invoices.replacesId))
    .where(and(sql`(${invoices.taxPoint}, ${invoices.sequence}) > (${day}, ${sequence})`, lte(invoices.taxPoint, to)))
    .orderBy(asc(invoices.taxPoint), asc(invoices.sequence))
    .limit(limit),
)

const readInvoices = (ctx: Context, after: After): AccountingDocument[] =>
  invoicePages.all(ctx, after).map((row) => ({ ...row, document: 'Invoice' }))

const creditNotePages = preparedQuery<{ sequence: number; limit: number }>()((db, { sequence, limit }) =>
  db
    .select({
      sequence: creditNotes.sequence,
      number: creditNotes.number,
      issuedOn: creditNotes.issuedOn,
      kind: creditNotes.kind,
      taxPoint: invoices.taxPoint,
      customer: invoices.customer,
      lines: linesOfNote,
      net: creditNotes.net,
      vat: creditNotes.vat,
      refersTo: invoices.number,
    })
    .from(creditNotes)
    .innerJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
    .where(gt(creditNotes.sequence, sequence))
    .orderBy(asc(creditNotes.sequence))
    .limit(limit),
)

/** By number: their table has no tax points, and there are few of them. */
const readCreditNotes = (ctx: Context, { sequence, limit }: After): AccountingDocument[] =>
  creditNotePages.all(ctx, { sequence, limit }).map(({ kind, issuedOn, ...row }) => ({
    ...row,
    document: 'Credit note',
    taxPoint: kind === 'refund' ? issuedOn : row.taxPoint,
  }))
