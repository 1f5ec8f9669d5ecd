/** Integer pence, for every amount in code and database. */
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

/** The one rate all lines have, in per cent. Null if they differ. */
export function onlyRate([first, ...others]: readonly { rate: number }[]): number | null {
  const rate = first?.rate ?? vatRate
  return others.every((line) => line.rate === rate) ? rate : null
}

/** VAT 20%. `rate`: null if there are several. */
export const vatLabel = (rate: number | null = vatRate) => (rate === null ? 'VAT' : `VAT ${rate}%`)

function wholePence(amount: number): Pence {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`Not whole pence: ${amount}`)
  return amount
}

/** £1,250 or −£1,250 for whole pounds, else £1,250.50: for cards. */
export function formatPounds(amount: Pence): string {
  if (amount % 100 !== 0) return formatPoundsAndPence(amount)
  return `${signOf(amount)}£${groupThousands(Math.abs(wholePence(amount)) / 100)}`
}

/** £250.00, −£250.00: for receipts and tables. */
export function formatPoundsAndPence(amount: Pence): string {
  const pence = String(Math.abs(wholePence(amount)) % 100).padStart(2, '0')
  return `${signOf(amount)}£${groupThousands(Math.floor(Math.abs(amount) / 100))}.${pence}`
}

/** A minus sign before the pound sign, not a hyphen. */
const signOf = (amount: Pence) => (amount < 0 ? '\u2212' : '')

/** `Intl.NumberFormat` takes a phone 40 ms to load, and pages with prices would pay that first. */
const groupThousands = (whole: number) => String(whole).replace(/\B(?=(\d{3})+$)/g, ',')

/** What a discount takes off a line: its rate, to two decimals at most, and its amount; null without a discount. */
export function discountText(full: Pence, net: Pence): string | null {
  if (full <= net) return null
  const rate = Math.round(((full - net) * 10_000) / full) / 100
  return `Discount ${rate}%: ${formatPoundsAndPence(full - net)} off`
}
