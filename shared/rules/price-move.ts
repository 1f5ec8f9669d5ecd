import type { NextPrice, PriceMoveMember, PricePreview, StaysReason } from '#shared/contract/admin-tier.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { formatLongDate } from './london.ts'
import { exactPriceText } from './tier-prices.ts'

export const noticeDays = 30
export const noticeMs = noticeDays * dayMs

/** Times are ISO-8601 UTC. Stripe counts periods of `every` months from `anchor`: 12 for a year. */
type Renewals = { anchor: string; nextRenewal: string; every: number }

/**
 * The first renewal at least 30 days after the notice. Counts months from the anchor as Stripe does: 31 January, 28 February, 31
 * March. If the next renewal isn't on such a day, the anchor has moved, as a change of period does, and we count from that renewal.
 */
export function priceMoveAt({ anchor, nextRenewal, every }: Renewals, toldAt: Date): string {
  const start = isRenewalOf({ anchor, every }, nextRenewal) ? anchor : nextRenewal
  const earliest = Math.max(toldAt.getTime() + noticeMs, Date.parse(nextRenewal))
  const periods = Math.floor(monthsBetween(start, new Date(earliest).toISOString()) / every)
  let months = Math.max(0, periods - 1) * every
  while (addMonths(start, months).getTime() < earliest) months += every
  return addMonths(start, months).toISOString()
}

export const periodAfter = (first: string, every: number): string => addMonths(first, every).toISOString()

function isRenewalOf({ anchor, every }: Pick<Renewals, 'anchor' | 'every'>, at: string): boolean {
  const months = monthsBetween(anchor, at)
  return months % every === 0 && addMonths(anchor, months).getTime() === Date.parse(at)
}

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

/** £350.00 + VAT a month from 1 January 2027. */
export const nextPriceText = ({ price: net, from }: NextPrice, every: PricePeriod) =>
  `${exactPriceText({ net, every })} from ${formatLongDate(from)}`

/** What becomes of a price that's waiting already; null without one. */
export function waitingText({
  nextPrice,
  replacesNext,
  every,
}: Pick<PricePreview, 'nextPrice' | 'replacesNext' | 'every'>) {
  if (nextPrice === null) return null
  const waiting = nextPriceText(nextPrice, every)
  return replacesNext ? `This replaces ${waiting}.` : `Still to come: ${waiting}.`
}
