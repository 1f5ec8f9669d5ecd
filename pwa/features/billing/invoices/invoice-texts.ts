import type { BadgeTone } from '#pwa/ui/badge.tsx'
import type { Invoice, InvoiceCreditNote } from '#shared/contract/billing.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { fromBeforeText } from '#shared/rules/payment-words.ts'

type StatusBadge = { tone: BadgeTone; label: string }

const statusLabels: Record<string, string> = {
  paid: 'Paid',
  open: 'Open',
  draft: 'Draft',
  void: 'Void',
  uncollectible: 'Not collected',
}

export const statusBadge = ({ status }: Pick<Invoice, 'status'>): StatusBadge => ({
  tone: status === 'paid' ? 'ok' : status === 'open' ? 'open' : 'bad',
  label: statusLabels[status] ?? capitalize(status.replaceAll('_', ' ')),
})

/** Members and owners call some of these differently. */
const memberLabels: Record<string, string> = { open: 'Unpaid', void: 'Cancelled', uncollectible: 'Written off' }

const memberBadge = (invoice: Invoice): StatusBadge => {
  const badge = statusBadge(invoice)
  return { ...badge, label: memberLabels[invoice.status] ?? badge.label }
}

const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

export type DocumentRow = {
  id: string
  /** Its title, which is also in its links' labels. */
  name: string
  note: string | null
  date: string
  total: string
  badge: StatusBadge
  pdf: string | null
  page: string | null
}

export const documentRows = (invoices: readonly Invoice[]): DocumentRow[] =>
  invoices.flatMap((invoice) => [invoiceRow(invoice), ...(invoice.credit_notes ?? []).map(creditNoteRow)])

const dayOf = (seconds: number) => formatLongDate(new Date(seconds * 1000))

const invoiceRow = (invoice: Invoice): DocumentRow => ({
  id: invoice.id,
  name: invoice.number ? `Invoice ${invoice.number}` : 'Invoice',
  note: noteOf(invoice),
  date: dayOf(invoice.created),
  total: formatPoundsAndPence(invoice.total),
  badge: memberBadge(invoice),
  pdf: invoice.invoice_pdf,
  page: invoice.hosted_invoice_url,
})

function noteOf({ number, total, fromBefore, refunded, replaces, status, isHistory }: Invoice): string | null {
  if (number === null && status === 'open') return 'Numbered when it’s paid'
  const debt = fromBefore ? fromBeforeText({ total, fromBefore }) : null
  const refund = refunded ? `${formatPoundsAndPence(refunded)} refunded` : null
  const history = isHistory ? 'From before we moved here' : null
  const replacement = replaces ? `Replaces ${replaces}` : null
  return [history, debt, refund, replacement].filter((text) => text !== null).join('. ') || null
}

const noteLabels: Record<InvoiceCreditNote['kind'], string> = {
  refund: 'Refund',
  correction: 'Correction',
  removal: 'Removal',
}

const creditNoteRow = ({ id, number, kind, invoice, created, total, url, pdf }: InvoiceCreditNote): DocumentRow => ({
  id,
  name: `Credit note ${number}`,
  note: `For invoice ${invoice}`,
  date: dayOf(created),
  total: `−${formatPoundsAndPence(total)}`,
  badge: { tone: 'plain', label: noteLabels[kind] },
  pdf,
  page: url,
})
