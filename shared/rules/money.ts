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

/** £250 for whole pounds, else £250.50: for cards. */
export function formatPounds(amount: Pence): string {
  return amount % 100 === 0 ? `£${(wholePence(amount) / 100).toLocaleString('en-GB')}` : formatPoundsAndPence(amount)
}

/** £250.00, −£250.00: for receipts and tables. */
export function formatPoundsAndPence(amount: Pence): string {
  const pounds = Math.abs(wholePence(amount)) / 100
  const sign = amount < 0 ? '\u2212' : ''
  return `${sign}£${pounds.toLocaleString('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}

/** £250 + VAT/month. */
export const formatMonthlyPrice = (net: Pence) => `${formatPounds(net)} + VAT/month`
