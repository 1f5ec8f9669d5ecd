import type { QuotientPackage } from '#shared/contract/quotient.ts'
import type { Pence } from './money.ts'

/** The one-off price, in pence excluding VAT. */
export const quotientPrices: Record<QuotientPackage, Pence> = { professional: 45_000, master: 75_000 }

export const quotientInvoiceLines: Record<QuotientPackage, string> = {
  professional: 'Quotient Professional Setup',
  master: 'Quotient Master Setup',
}
