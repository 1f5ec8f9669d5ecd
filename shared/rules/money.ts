/** Integer pence. Every amount in code and database is one of these. */
export type Pence = number

/** UK standard rate, in per cent. */
export const vatRate = 20

export type Price = { net: Pence; vat: Pence; total: Pence }

/** VAT on one invoice line, half a penny rounded up. Throws on anything but whole pence. */
export function vatOn(net: Pence): Pence {
  return Math.floor((wholePence(net) * vatRate + 50) / 100)
}

export function withVat(net: Pence): Price {
  const vat = vatOn(net)
  return { net, vat, total: net + vat }
}

function wholePence(amount: number): Pence {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`Not whole pence: ${amount}`)
  return amount
}

/** £1,250 for whole pounds, else £1,250.50: for cards. */
export function formatPounds(amount: Pence): string {
  if (amount % 100 !== 0) return formatPoundsAndPence(amount)
  return `£${amount < 0 ? '-' : ''}${groupThousands(Math.abs(wholePence(amount)) / 100)}`
}

/** £250.00, −£250.00: for receipts and tables. */
export function formatPoundsAndPence(amount: Pence): string {
  const pence = String(Math.abs(wholePence(amount)) % 100).padStart(2, '0')
  return `${amount < 0 ? '\u2212' : ''}£${groupThousands(Math.floor(Math.abs(amount) / 100))}.${pence}`
}

/** The browser's own number formats take a phone 40 milliseconds to load, on the pages with prices before all else. */
const groupThousands = (whole: number) => String(whole).replace(/\B(?=(\d{3})+$)/g, ',')

/** £250 + VAT/month. */
export const formatMonthlyPrice = (net: Pence) => `${formatPounds(net)} + VAT/month`

/** What a discount takes off a line: its rate, to two decimals at most, and its amount; null where there is none. */
export function discountText(full: Pence, net: Pence): string | null {
  if (full <= net) return null
  const rate = Math.round(((full - net) * 10_000) / full) / 100
  return `Discount ${rate}%: ${formatPoundsAndPence(full - net)} off`
}
