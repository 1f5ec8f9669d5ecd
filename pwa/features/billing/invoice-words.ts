import type { BadgeTone } from '#pwa/ui/badge.tsx'
import type { Invoice, InvoiceCreditNote } from '#shared/contract/billing.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

type Standing = { tone: BadgeTone; words: string }

const statusWords: Record<string, string> = {
  paid: 'Paid',
  open: 'Open',
  draft: 'Draft',
  void: 'Void',
  uncollectible: 'Not collected',
}

/** Paid is green, open yellow, and anything else red. */
export const badgeOf = ({ status }: Pick<Invoice, 'status'>): Standing => ({
  tone: status === 'paid' ? 'ok' : status === 'open' ? 'open' : 'bad',
  words: statusWords[status] ?? capitalised(status.replaceAll('_', ' ')),
})

const capitalised = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

export type DocumentLine = {
  id: string
  /** What it is called, also in the names of its links. */
  name: string
  /** A second line under the name. */
  note: string | null
  date: string
  total: string
  badge: Standing
  pdf: string | null
  page: string | null
}

/** Each invoice, followed by the credit notes that took it back. */
export const linesOf = (invoices: readonly Invoice[]): DocumentLine[] =>
  invoices.flatMap((invoice) => [lineOf(invoice), ...(invoice.credit_notes ?? []).map(creditLineOf)])

const dayOf = (seconds: number) => formatLongDate(new Date(seconds * 1000))

const lineOf = (invoice: Invoice): DocumentLine => ({
  id: invoice.id,
  name: invoice.number ? `Invoice ${invoice.number}` : 'Invoice',
  note: noteOf(invoice),
  date: dayOf(invoice.created),
  total: formatPoundsAndPence(invoice.total),
  badge: badgeOf(invoice),
  pdf: invoice.invoice_pdf,
  page: invoice.hosted_invoice_url,
})

function noteOf({ number, refunded, replaces, status }: Invoice): string | null {
  if (number === null && status === 'open') return 'Gets its number once it is paid'
  const back = refunded ? `${formatPoundsAndPence(refunded)} refunded` : null
  const instead = replaces ? `Replaces ${replaces}` : null
  return [back, instead].filter((words) => words !== null).join('. ') || null
}

const noteWords: Record<InvoiceCreditNote['kind'], string> = {
  refund: 'Refund',
  correction: 'Correction',
  removal: 'Removal',
}

const creditLineOf = ({ id, number, kind, invoice, created, total, url, pdf }: InvoiceCreditNote): DocumentLine => ({
  id,
  name: `Credit note ${number}`,
  note: `For invoice ${invoice}`,
  date: dayOf(created),
  total: `−${formatPoundsAndPence(total)}`,
  badge: { tone: 'plain', words: noteWords[kind] },
  pdf,
  page: url,
})
