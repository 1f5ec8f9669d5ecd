import type { Pence } from '#shared/rules/money.ts'

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

/**
 * The look is that of the day of issue: `accent` where it was not the one that comes with the program, `logo` the address of
 * the owners' own picture.
 */
export type DocumentSeller = { name: string; address: string; vatNumber: string; accent?: string; logo?: string }

/**
 * An invoice or a credit note: all that is printed of it. It follows from the rows of the day of issue, so the same document
 * is always the same.
 */
export type LegalDocument = {
  title: 'VAT invoice' | 'VAT credit note'
  number: string
  /** Number, dates and what it refers to. */
  details: { label: string; value: string }[]
  seller: DocumentSeller
  /** The address has a line break between its lines. */
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
