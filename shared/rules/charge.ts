import { formatPounds, type Pence, type Price, vatRate, withVat } from './money.ts'

/* What a subscription charges that another program sold: VAT inside the price, or a period that isn't a month. */

/** VAT within an amount that includes it, one sixth, half a penny rounded up. The amount itself stays the same. */
export const vatWithin = (gross: Pence): Pence => taxWithin(gross, vatRate)

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

/** A subscription's price, with what a period charges where a month's net alone doesn't say it. */
type Charged = { monthlyNet: Pence; chargeTotal: Pence | null; chargeMonths?: number }

/** Ours first, then what else there is in the UK, or was. */
const knownRates = [vatRate, 0, 5, 12.5, 17.5]

/**
 * What one period of a subscription charges. A total that's given has VAT within it, at our rate unless a month's net comes to
 * another. That's rounded, and says nothing of weeks, which aren't whole months.
 */
export function chargeOf({ monthlyNet, chargeTotal, chargeMonths = 1 }: Charged): Price {
  if (chargeTotal === null) return withVat(monthlyNet)
  const rest = chargeTotal - monthlyNet * chargeMonths
  const isClose = (rate: number) => Math.abs(taxWithin(chargeTotal, rate) - rest) <= chargeMonths
  const vat = taxWithin(chargeTotal, knownRates.find(isClose) ?? vatRate)
  return { net: chargeTotal - vat, vat, total: chargeTotal }
}

/** The rate of a price's VAT, in per cent. */
export const rateOf = ({ net, vat }: Pick<Price, 'net' | 'vat'>): number =>
  Math.abs(taxOn(net, vatRate) - vat) <= 1 ? vatRate : Math.round((vat * 1000) / net) / 10

/** £250 + VAT/month. A subscription from another program may be paid by the year. */
export const formatPlanPrice = ({ net, months = 1 }: { net: Pence; months?: number | undefined }) =>
  `${formatPounds(net)} + VAT/${periodWord(months)}`

/** Completes “£300.00”: a month, a year, every 3 months. */
export const everyPeriod = (months = 1) => (isNamed(months) ? `a ${periodWord(months)}` : `every ${periodWord(months)}`)

/** Month, year, 3 months: what follows “the next” or a slash. */
export const periodWord = (months = 1) => (months === 1 ? 'month' : months === 12 ? 'year' : `${months} months`)

const isNamed = (months: number) => months === 1 || months === 12
