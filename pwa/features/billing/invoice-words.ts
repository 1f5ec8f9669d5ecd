import type { BadgeTone } from '#pwa/ui/badge.tsx'
import type { Invoice } from '#shared/contract/billing.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

const words: Record<string, string> = {
  paid: 'Paid',
  open: 'Open',
  draft: 'Draft',
  void: 'Void',
  uncollectible: 'Not collected',
}

/** Paid is green, open yellow, and anything else red. */
export const badgeOf = ({ status }: Pick<Invoice, 'status'>): { tone: BadgeTone; words: string } => ({
  tone: status === 'paid' ? 'ok' : status === 'open' ? 'open' : 'bad',
  words: words[status] ?? capitalised(status.replaceAll('_', ' ')),
})

const capitalised = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

export type InvoiceLine = {
  id: string
  /** What it is called, also in the names of its links. */
  name: string
  date: string
  total: string
  badge: ReturnType<typeof badgeOf>
  pdf: string | null
  page: string | null
}

/** A credit note gives money back: its total is below nought. */
export const lineOf = (invoice: Invoice): InvoiceLine => {
  const { id, number, created, total } = invoice
  const kind = total < 0 ? 'Credit note' : 'Invoice'
  return {
    id,
    name: number ? `${kind} ${number}` : `${kind}, no number yet`,
    date: formatLongDate(new Date(created * 1000)),
    total: total < 0 ? `−${formatPoundsAndPence(-total)}` : formatPoundsAndPence(total),
    badge: badgeOf(invoice),
    pdf: invoice.invoice_pdf,
    page: invoice.hosted_invoice_url,
  }
}
