import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence, type Pence } from '#shared/rules/money.ts'
import { plural } from '#shared/rules/plural.ts'
import type { CreditNoteRow } from './credit-note-service.ts'
import type { InvoiceRow } from './particulars-rules.ts'

/** A document of ours: an invoice, or the credit note that takes one back. */
export type DocumentRef = { kind: 'invoice' | 'credit_note'; id: string }

export type DocumentLine = {
  description: string
  /** What came off the unit price. */
  discount: string | null
  quantity: string
  unitPrice: Pence
  rate: number
  net: Pence
  vat: Pence
}

/** All that is printed. It follows from the rows of the day of issue, so the same document is always the same. */
export type LegalDocument = {
  title: 'VAT invoice' | 'VAT credit note'
  number: string
  facts: { label: string; value: string }[]
  seller: InvoiceRow['seller']
  customer: InvoiceRow['customer']
  lines: DocumentLine[]
  rates: { rate: number; net: Pence; vat: Pence }[]
  net: Pence
  vat: Pence
  gross: Pence
  remarks: string[]
  /** ISO-8601 UTC. */
  createdAt: string
}

export type FoundDocument = { document: LegalDocument; customerId: string; invoice: InvoiceRow }

export function findDocument(ctx: Context, { kind, id }: DocumentRef): FoundDocument | null {
  if (kind === 'invoice') {
    const invoice = invoiceById(ctx, id)
    return invoice === undefined ? null : found(invoice, invoiceDocument(ctx, invoice))
  }
  const note = ctx.db.select().from(creditNotes).where(eq(creditNotes.id, id)).get()
  const invoice = note && invoiceById(ctx, note.invoiceId)
  return note === undefined || invoice === undefined ? null : found(invoice, noteDocument(note, invoice))
}

const found = (invoice: InvoiceRow, document: LegalDocument): FoundDocument => ({
  document,
  customerId: invoice.customerId,
  invoice,
})

const invoiceById = (ctx: Context, id: string): InvoiceRow | undefined =>
  ctx.db.select().from(invoices).where(eq(invoices.id, id)).get()

function invoiceDocument(ctx: Context, invoice: InvoiceRow): LegalDocument {
  const { number, seller, customer, net, vat, gross, createdAt, taxPoint, issuedOn } = invoice
  return {
    title: 'VAT invoice',
    ...{ number, seller, customer, net, vat, gross, createdAt },
    facts: [
      { label: 'Invoice number', value: number },
      { label: 'Date of issue', value: formatLongDate(issuedOn) },
      { label: 'Time of supply (tax point)', value: formatLongDate(taxPoint) },
    ],
    lines: invoice.lines.map(({ description, quantity, unitPrice, net, rate, vat, isPeriod }) => ({
      ...{ description, unitPrice, net, rate, vat },
      quantity: (isPeriod ?? isAllPeriod(invoice)) ? plural(quantity, 'month') : String(quantity),
      discount: discountWords(quantity * unitPrice, net),
    })),
    rates: perRate(invoice.lines),
    remarks: invoiceRemarks(ctx, invoice),
  }
}

/** One line for the whole payment of a membership. */
const isAllPeriod = ({ tierSlug, lines }: InvoiceRow) => tierSlug !== null && lines.length === 1

/** The rate of the discount, to two decimals at most, and what it comes to. */
function discountWords(full: Pence, net: Pence): string | null {
  if (full <= net) return null
  const rate = Math.round(((full - net) * 10_000) / full) / 100
  return `Discount ${rate}%: ${formatPoundsAndPence(full - net)} off`
}

function perRate(lines: readonly { rate: number; net: Pence; vat: Pence }[]) {
  const rates = [...new Set(lines.map(({ rate }) => rate))].sort((one, other) => other - one)
  return rates.map((rate) => {
    const ofRate = lines.filter((line) => line.rate === rate)
    return { rate, net: sum(ofRate.map(({ net }) => net)), vat: sum(ofRate.map(({ vat }) => vat)) }
  })
}

const sum = (amounts: readonly Pence[]) => amounts.reduce((total, amount) => total + amount, 0)

function invoiceRemarks(ctx: Context, invoice: InvoiceRow): string[] {
  return [
    `Paid in full on ${formatLongDate(invoice.taxPoint)}. Nothing is owed.`,
    ...replacement(ctx, invoice),
    ...(invoice.isRetroactive ? ['Issued some time after the payment; the tax point is the day of the payment.'] : []),
    ...(invoice.isMissingAddress
      ? ['The customer’s address was not known. Once it is given under Billing, a full invoice replaces this one.']
      : []),
    'All amounts are in pounds sterling.',
  ]
}

/** What it replaces, and by which credit notes that was taken back: none is added once an invoice is replaced. */
function replacement(ctx: Context, { replacesId }: InvoiceRow): string[] {
  const replaced = replacesId === null ? undefined : invoiceById(ctx, replacesId)
  if (replaced === undefined) return []
  const notes = ctx.sqlite
    .prepare<[string], { number: string }>('select number from credit_notes where invoiceId = ? order by sequence')
    .all(replaced.id)
    .map(({ number }) => number)
  return [`Replaces invoice ${replaced.number}, which was taken back by ${list.format(notes)}.`]
}

const list = new Intl.ListFormat('en-GB')

function noteDocument(note: CreditNoteRow, invoice: InvoiceRow): LegalDocument {
  const { number, net, vat, gross, createdAt, issuedOn, reason } = note
  const rate = Math.max(...invoice.lines.map((line) => line.rate))
  const what = invoice.lines.map(({ description }) => description).join('; ')
  return {
    title: 'VAT credit note',
    ...{ number, net, vat, gross, createdAt, seller: invoice.seller, customer: invoice.customer },
    facts: [
      { label: 'Credit note number', value: number },
      { label: 'Date of issue', value: formatLongDate(issuedOn) },
      { label: 'Credits invoice', value: `${invoice.number} of ${formatLongDate(invoice.issuedOn)}` },
      { label: 'Reason', value: reason },
    ],
    lines: [{ description: `Credit: ${what}`, discount: null, quantity: '1', unitPrice: net, rate, net, vat }],
    rates: [{ rate, net, vat }],
    remarks: [
      net === invoice.net && gross === invoice.gross
        ? `Takes back the whole of invoice ${invoice.number}.`
        : `Takes back ${formatPoundsAndPence(gross)} of the ${formatPoundsAndPence(invoice.gross)} of invoice ${invoice.number}.`,
      'All amounts are in pounds sterling.',
    ],
  }
}
