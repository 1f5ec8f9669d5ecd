import type { Pence } from '#shared/rules/money.ts'

export type DocumentLine = {
  description: string
  discount: string | null
  quantity: string
  unitPrice: Pence
  rate: number
  net: Pence
  vat: Pence
}

/** The look on the day of issue: `accent` if it wasn't the default, and `logo` the address of the owners' picture. */
export type DocumentSeller = { name: string; address: string; vatNumber: string; accent?: string; logo?: string }

/** Everything printed on an invoice or credit note. It comes from rows fixed on the day of issue, so it never changes. */
export type LegalDocument = {
  title: 'VAT invoice' | 'VAT credit note'
  number: string
  details: { label: string; value: string }[]
  seller: DocumentSeller
  /** The address has line breaks. */
  customer: { name: string; businessName?: string | null; address: string | null }
  lines: DocumentLine[]
  rates: { rate: number; net: Pence; vat: Pence }[]
  net: Pence
  vat: Pence
  gross: Pence
  remarks: string[]
  /** ISO-8601 UTC. */
  createdAt: string
}
