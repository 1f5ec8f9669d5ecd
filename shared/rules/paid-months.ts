import { formatPoundsAndPence, type Pence } from './money.ts'
import { plural } from './plural.ts'
import { addMonths, monthsBetween } from './price-move.ts'
import type { Period } from './price-words.ts'

/* A payment for several months, split into them. Times are ISO-8601 UTC. */

type Paid = { start: string; end: string }

/**
 * When each month of a paid period starts, by the provider's count: 31 January, 28 February, 31 March. What's left of a month at the
 * end counts as one.
 */
export function monthStarts({ start, end }: Paid): string[] {
  const count = monthsBetween(start, end)
  // A period that begins on a short month's last day is counted from its end.
  const isFromEnd = addMonths(start, count).toISOString() !== end && addMonths(end, -count).toISOString() === start
  const at = (month: number) => (isFromEnd ? addMonths(end, month - count) : addMonths(start, month)).toISOString()
  const starts = [start]
  for (let month = 1; at(month) < end; month += 1) starts.push(at(month))
  return starts
}

/** What a paid period is, of whole months or weeks; a month where it's neither. */
export function periodOf({ start, end }: Paid): Period {
  const days = (Date.parse(end) - Date.parse(start)) / 86_400_000
  if (days < 28 && days % 7 === 0) return { days }
  const months = monthStarts({ start, end }).length
  const isWhole = [addMonths(start, months).toISOString() === end, addMonths(end, -months).toISOString() === start]
  return months > 1 && isWhole.includes(true) ? { months } : {}
}

/** The amount for the months from this one on, counted from nought. The parts add up to the amount. */
export const amountFrom = (amount: Pence, month: number, months: number): Pence =>
  amount - Math.floor((amount * month) / months)

/** The whole months that haven't begun, and what of a payment they are. */
export function unusedMonths(paid: Paid, amount: Pence, now: Date): { months: number; of: number; amount: Pence } {
  const starts = monthStarts(paid)
  const begun = Math.max(1, starts.filter((start) => Date.parse(start) <= now.getTime()).length)
  return { months: starts.length - begun, of: starts.length, amount: amountFrom(amount, begun, starts.length) }
}

/** £2,500.00 is for the 10 of 12 months still to come: no full stop. */
export const unusedText = ({ months, of, amount }: { months: number; of: number; amount: Pence }): string =>
  `${formatPoundsAndPence(amount)} is for the ${months} of ${plural(of, 'month')} still to come`
