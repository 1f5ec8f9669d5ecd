import { vatRate as ourRate, type Pence, type Price, withVat } from './money.ts'
import { monthlyOf } from './mrr.ts'
import type { Period } from './price-words.ts'

/* What a subscription charges that wasn't sold here: VAT inside the price or at another rate, or a period that isn't a month. */

/** VAT within an amount that includes it, one sixth, half a penny rounded up. The amount itself stays the same. */
export const vatWithin = (gross: Pence): Pence => taxWithin(gross, ourRate)

/** The same at any percentage, such as 12.5, and for a credit, which is negative. */
export const taxWithin = (gross: Pence, percentage: number): Pence =>
  share(gross, partsOf(percentage), wholeParts + partsOf(percentage))

/** VAT on top of an amount at any percentage, half a penny rounded up. */
export const taxOn = (net: Pence, percentage: number): Pence => share(net, partsOf(percentage), wholeParts)

const wholeParts = 1_000_000

/** Stripe keeps percentages to four decimals. Whole numbers stop binary fractions losing a half. */
const partsOf = (percentage: number) => Math.round(percentage * 10_000)

/** Half a penny goes up, and away from nought in a credit. */
function share(amount: Pence, part: number, whole: number): Pence {
  const pence = Math.floor((Math.abs(amount) * part * 2 + whole) / (whole * 2))
  return amount < 0 ? 0 - pence : pence
}

/** What one period costs. The VAT is 20% unless `vatRate` says otherwise, in per cent. */
export type PeriodPrice = Price & Period & { vatRate?: number | undefined }

/** A subscription's price as our row has it, with what a period charges where a year's net alone doesn't say it. */
export type Charged = {
  yearlyNet: Pence
  chargeTotal: Pence | null
  chargeVatRate: number
  chargeMonths: number
  chargeDays: number | null
}

/** What one period of a subscription charges. */
export function chargeOf({ yearlyNet, chargeTotal, chargeVatRate, chargeMonths, chargeDays }: Charged): PeriodPrice {
  if (chargeTotal === null) return withVat(monthlyOf(yearlyNet))
  const vat = taxWithin(chargeTotal, chargeVatRate)
  return {
    net: chargeTotal - vat,
    vat,
    total: chargeTotal,
    ...(chargeVatRate === ourRate ? {} : { vatRate: chargeVatRate }),
    ...(chargeMonths > 1 ? { months: chargeMonths } : {}),
    ...(chargeDays === null ? {} : { days: chargeDays }),
  }
}
