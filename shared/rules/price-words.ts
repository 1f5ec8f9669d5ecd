import { formatPounds, type Pence } from './money.ts'

/* The one place that says for how long a price is: “a month”, “a year”, “/month”. */

/** A period is a month, unless one of the two says otherwise. */
export type Period = { months?: number | undefined; days?: number | undefined }

/** £250 + VAT/month, £2,500 + VAT/year. */
export const formatPlanPrice = ({ net, ...period }: { net: Pence } & Period) =>
  `${formatPounds(net)} + VAT/${periodWord(period)}`

/** Completes “£300.00”: a month, a year, every 3 months. */
export function everyPeriod(period: Period = {}): string {
  const word = periodWord(period)
  return /^\d/.test(word) ? `every ${word}` : `a ${word}`
}

/** A month, a year, 3 months: what’s paid for, before “of Alliance”. */
export function onePeriod(period: Period): string {
  const word = periodWord(period)
  return /^\d/.test(word) ? word : `a ${word}`
}

/** Month, year, week, 3 months: what follows “the next” or a slash. */
export function periodWord({ months = 1, days }: Period = {}): string {
  if (days === undefined) return months === 12 ? 'year' : counted(months, 'month')
  return days % 7 === 0 ? counted(days / 7, 'week') : counted(days, 'day')
}

/** 1 month, 1 year, 3 months: how much of it an invoice’s line is for. */
export function periodQuantity(quantity: number, period: Period): string {
  const word = periodWord(period)
  if (/^\d/.test(word)) return quantity === 1 ? word : `${quantity} × ${word}`
  return `${quantity} ${word}${quantity === 1 ? '' : 's'}`
}

const counted = (count: number, unit: string) => (count === 1 ? unit : `${count} ${unit}s`)
