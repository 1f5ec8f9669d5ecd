import type { Context } from '#api/context.ts'
import type { LegalDocument } from '#api/documents/legal-document.ts'
import { notFound } from '#api/errors.ts'
import type { Member } from '#api/identity/person.ts'
import { descriptionAt } from '#shared/rules/credit-note.ts'
import type { DocumentSeries } from '#shared/rules/invoice-number.ts'
import { saysItIsLate } from '#shared/rules/invoice-problems.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { discountText, formatPoundsAndPence } from '#shared/rules/money.ts'
import { paidFromCredit } from '#shared/rules/payment-words.ts'
import { periodQuantity } from '#shared/rules/price-words.ts'
import { noteByRate, vatByRate } from '#shared/rules/vat-by-rate.ts'
import { documentBytes } from './pdf-service.ts'
import {
  type CreditNoteRow,
  creditNoteById,
  creditNotesOf,
  type InvoiceRow,
  invoiceById,
  isCustomerOf,
  paidByOf,
  replacementOf,
} from './queries.ts'

export type DocumentRef = { kind: DocumentSeries; id: string }

/** The document's page. Its PDF is under `/pdf`. */
export const documentPath = ({ kind, id }: DocumentRef) =>
  `/api/billing/${kind === 'invoice' ? 'invoices' : 'credit-notes'}/${id}`

export type FoundDocument = { document: LegalDocument; invoice: InvoiceRow }

/** A document for its own member or an owner. Not found for anyone else. */
export function openDocument(ctx: Context, person: Member, ref: DocumentRef): FoundDocument {
  const found = findDocument(ctx, ref)
  const maySee = found !== null && (person.isAdmin || isCustomerOf(ctx, found.invoice.customerId, person.id))
  if (!maySee) throw notFound('This document')
  return found
}

export type PdfFile = { fileName: string; bytes: Uint8Array<ArrayBuffer> }

/** A document as a mail attachment; null if the id is unknown. */
export async function documentPdf(ctx: Context, ref: DocumentRef): Promise<PdfFile | null> {
  const found = findDocument(ctx, ref)
  return found === null ? null : pdfOf(ctx, found, 'mail')
}

/** `by` is the person asking, or the mail. */
export async function pdfOf(ctx: Context, { document }: FoundDocument, by: string): Promise<PdfFile> {
  const kind = document.title === 'VAT invoice' ? 'invoice' : 'credit-note'
  return { fileName: `${kind}-${document.number}.pdf`, bytes: await documentBytes(ctx, document, by) }
}

function findDocument(ctx: Context, { kind, id }: DocumentRef): FoundDocument | null {
  const note = kind === 'invoice' ? undefined : creditNoteById(ctx, id)
  const invoice = kind === 'invoice' ? invoiceById(ctx, id) : note && invoiceById(ctx, note.invoiceId)
  if (invoice === undefined) return null
  return { invoice, document: note === undefined ? invoiceDocument(ctx, invoice) : creditNoteDocument(note, invoice) }
}

function invoiceDocument(ctx: Context, invoice: InvoiceRow): LegalDocument {
  const { number, seller, customer, net, vat, gross, createdAt, taxPoint, issuedOn } = invoice
  return {
    title: 'VAT invoice',
    number,
    seller,
    customer,
    net,
    vat,
    gross,
    createdAt,
    details: [
      { label: 'Invoice number', value: number },
      { label: 'Date of issue', value: formatLongDate(issuedOn) },
      { label: 'Time of supply (tax point)', value: formatLongDate(taxPoint) },
    ],
    lines: invoice.lines.map(({ description, quantity, unitPrice, net, rate, vat, isPeriod, ...period }) => ({
      description,
      unitPrice,
      net,
      rate,
      vat,
      quantity: (isPeriod ?? isMembershipAlone(invoice)) ? periodQuantity(quantity, period) : String(quantity),
      discount: discountText(quantity * unitPrice, net),
    })),
    rates: vatByRate(invoice.lines),
    remarks: invoiceRemarks(ctx, invoice),
  }
}

const isMembershipAlone = ({ tierSlug, lines }: InvoiceRow) => tierSlug !== null && lines.length === 1

function invoiceRemarks(ctx: Context, invoice: InvoiceRow): string[] {
  return [
    `Paid in full on ${formatLongDate(invoice.taxPoint)}${paidBy(ctx, invoice)}. Nothing is owed.`,
    ...replacementRemark(ctx, invoice),
    ...placeRemark('invoice', invoice),
    ...(saysItIsLate(invoice) ? ['Issued some time after the payment; the tax point is the day of the payment.'] : []),
    ...(invoice.isMissingAddress
      ? ['The customer’s address was not known. Once it is added under Billing, a full invoice replaces this one.']
      : []),
    'All amounts are in pounds sterling.',
  ]
}

/** “: £100.00 from your credit, £200.00 by card”, where credit paid any of it. */
function paidBy(ctx: Context, { gross, fromCredit, providerInvoiceId }: InvoiceRow): string {
  if (fromCredit === 0) return ''
  const method = providerInvoiceId === null ? null : paidByOf(ctx, providerInvoiceId)
  return `: ${paidFromCredit({ total: gross, fromCredit, paidBy: method })}`
}

/** What it replaces, and which credit notes cancelled that. A replaced invoice gets no more credit notes. */
function replacementRemark(ctx: Context, { replacesId }: InvoiceRow): string[] {
  const replaced = replacesId === null ? undefined : invoiceById(ctx, replacesId)
  if (replaced === undefined) return []
  const numbers = creditNotesOf(ctx, replaced).map(({ number }) => number)
  return [`Replaces invoice ${replaced.number}, which was cancelled by ${listFormat().format(numbers)}.`]
}

/** For a document mailed again after a restore under a new number: the reader has two, and only this one counts. */
const placeRemark = (kind: string, { takesPlaceOf }: { takesPlaceOf: string | null }): string[] =>
  takesPlaceOf === null
    ? []
    : [`Replaces ${kind} ${takesPlaceOf}, which is no longer in our books. Keep this one instead.`]

const listFormat = () => new Intl.ListFormat('en-GB')

function creditNoteDocument(note: CreditNoteRow, invoice: InvoiceRow): LegalDocument {
  const { number, net, vat, gross, createdAt, issuedOn, reason } = note
  const credited = note.lines ?? invoice.lines
  const rates = noteByRate(credited, note)
  return {
    title: 'VAT credit note',
    number,
    net,
    vat,
    gross,
    createdAt,
    seller: invoice.seller,
    customer: invoice.customer,
    details: [
      { label: 'Credit note number', value: number },
      { label: 'Date of issue', value: formatLongDate(issuedOn) },
      { label: 'Credits invoice', value: `${invoice.number} of ${formatLongDate(invoice.issuedOn)}` },
      { label: 'Reason', value: reason },
    ],
    lines: rates.map((of) => ({
      description: `Credit: ${descriptionAt(credited, of.rate)}`,
      discount: null,
      quantity: '1',
      unitPrice: of.net,
      ...of,
    })),
    rates,
    remarks: [
      gross === invoice.gross
        ? `Credits the whole of invoice ${invoice.number}.`
        : `Credits ${formatPoundsAndPence(gross)} of the ${formatPoundsAndPence(invoice.gross)} of invoice ${invoice.number}.`,
      ...placeRemark('credit note', note),
      'All amounts are in pounds sterling.',
    ],
  }
}

export function relatedTo(ctx: Context, ref: DocumentRef, invoice: InvoiceRow) {
  const link = (label: string, kind: DocumentRef['kind'], to: { id: string; number: string } | undefined) =>
    to === undefined ? [] : [{ label: `${label} ${to.number}`, href: documentPath({ kind, id: to.id }) }]
  const replacedBy = link('Replaced by invoice', 'invoice', replacementOf(ctx, invoice))
  if (ref.kind === 'credit_note') return [...link('Invoice', 'invoice', invoice), ...replacedBy]
  const replaced = invoice.replacesId === null ? undefined : invoiceById(ctx, invoice.replacesId)
  return [
    ...link('Replaces invoice', 'invoice', replaced),
    ...creditNotesOf(ctx, invoice).flatMap((note) => link('Credit note', 'credit_note', note)),
    ...replacedBy,
  ]
}
