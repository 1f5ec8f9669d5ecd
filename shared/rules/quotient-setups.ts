import type { Pence } from './money.ts'

/** The quoting system's setup packages; `data/content` says what they include. */
export const quotientPackages = ['professional', 'master'] as const
export type QuotientPackage = (typeof quotientPackages)[number]

/** The one-off price, in pence excluding VAT. */
export const quotientPrices: Record<QuotientPackage, Pence> = { professional: 45_000, master: 75_000 }

export const quotientInvoiceLines: Record<QuotientPackage, string> = {
  professional: 'Quotient Professional Setup',
  master: 'Quotient Master Setup',
}
