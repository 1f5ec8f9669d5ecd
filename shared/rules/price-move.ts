import type { NextPrice, PriceMoveMember, PricePreview, StaysReason } from '#shared/contract/admin-tier.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { formatLongDate } from './london.ts'
import { formatPoundsAndPence } from './money.ts'

export const noticeDays = 30
export const noticeMs = noticeDays * dayMs

/** Times are ISO-8601 UTC. Stripe counts the months from `anchor`. */
type Renewals = { anchor: string; nextRenewal: string }

/**
 * The first renewal at least 30 days after the notice. Counts months from the anchor as Stripe does: 31 January, 28 February, 31
 * March. If the next renewal isn't on such a day, the anchor has moved, and we count from that renewal.
 */
export function priceMoveAt({ anchor, nextRenewal }: Renewals, toldAt: Date): string {
  const start = isRenewalOf(anchor, nextRenewal) ? anchor : nextRenewal
  const earliest = Math.max(toldAt.getTime() + noticeMs, Date.parse(nextRenewal))
  let months = Math.max(0, monthsBetween(start, new Date(earliest).toISOString()) - 1)
  while (addMonths(start, months).getTime() < earliest) months += 1
  return addMonths(start, months).toISOString()
}

export const monthAfter = (first: string): string => addMonths(first, 1).toISOString()

const isRenewalOf = (anchor: string, at: string) =>
  addMonths(anchor, monthsBetween(anchor, at)).getTime() === Date.parse(at)

/** By the calendar, whatever the days. */
export function monthsBetween(from: string, to: string): number {
  const [one, other] = [new Date(from), new Date(to)]
  return (other.getUTCFullYear() - one.getUTCFullYear()) * 12 + other.getUTCMonth() - one.getUTCMonth()
}

/** UTC months, as at Stripe. A shorter month gives its last day. */
export function addMonths(anchor: string, months: number): Date {
  const from = new Date(anchor)
  const first = new Date(from)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return first
}

const staysTexts: Record<StaysReason, string> = {
  later: 'No change: you can move them once it’s started',
  moving: 'Stays: already told about a new price',
  ending: 'Stays: the membership is set to end',
  arrears: 'Stays: a payment is due',
  paused: 'Stays: payments are paused',
  revoked: 'Stays: you ended the access',
  leaving: 'Stays: another tier is booked',
  mail_refused: 'Stays: their email address refuses mail',
  no_account: 'Stays: you removed the account',
}

/** What a tier's new price means for one of its members, if they move to it. */
export function outcomeText({ on, stays, isBooked }: PriceMoveMember) {
  if (stays !== null) return staysTexts[stays]
  return `From ${formatLongDate(on ?? '')}${isBooked ? ', after the tier they have booked' : ''}`
}

/** `£350.00 + VAT from 1 January 2027` */
export const nextPriceText = ({ price, from }: NextPrice) =>
  `${formatPoundsAndPence(price)} + VAT from ${formatLongDate(from)}`

/** What becomes of a price that's waiting already; null without one. */
export function waitingText({ nextPrice, replacesNext }: Pick<PricePreview, 'nextPrice' | 'replacesNext'>) {
  if (nextPrice === null) return null
  const waiting = nextPriceText(nextPrice)
  return replacesNext ? `This replaces ${waiting}.` : `Still to come: ${waiting}.`
}
