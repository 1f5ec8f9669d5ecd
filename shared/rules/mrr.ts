import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import type { Pence } from './money.ts'

/** The owners' goal for paying customers. Owners don't count themselves. */
export const customerGoal = 100

/** Whether a subscription counts towards monthly recurring revenue (MRR), and why. */
export function mrrRule(status: SubscriptionStatus): { isCounted: boolean; rule: string } {
  switch (status) {
    case 'active':
      return { isCounted: true, rule: 'Paying: counted' }
    case 'past_due':
      return { isCounted: true, rule: 'Payment overdue: counted while we’re still trying the card' }
    case 'trialing':
      return { isCounted: false, rule: 'First payment still to come: not counted yet' }
    case 'incomplete':
    case 'incomplete_expired':
      return { isCounted: false, rule: 'First payment never made: not counted' }
    case 'unrecognised':
      return { isCounted: false, rule: 'Its price has no tier: not counted until it does' }
    case 'unpaid':
      return { isCounted: false, rule: 'Payments failed for good: not counted' }
    case 'paused':
      return { isCounted: false, rule: 'Payments paused: not counted' }
    case 'canceled':
    case 'none':
      return { isCounted: false, rule: 'Ended: not counted' }
  }
}

type Counted<Status> = { status: Status; isSettled: boolean; collectionPause: string | null }

/**
 * The status by which it counts. A trial is incomplete until its setup has succeeded and a payment method is attached. While payments
 * are paused nothing comes in, though the provider says `active`.
 */
export function settledStatus<Status extends SubscriptionStatus>({
  status,
  isSettled,
  collectionPause,
}: Counted<Status>) {
  if (status === 'trialing' && !isSettled) return 'incomplete'
  return collectionPause !== null && mrrRule(status).isCounted ? 'paused' : status
}

export type RecurringPrice = {
  /** The price of one period in pence excluding VAT: unit amount times quantity. */
  amount: Pence
  interval: 'day' | 'week' | 'month' | 'year'
  intervalCount: number
}

/** A discount that still applies to every period. Exactly one of the two is set. */
export type RecurringDiscount = { percentOff: number | null; amountOff: Pence | null }

const periodsInYear = { day: 365, week: 52, month: 12, year: 1 }

/** How many months a price is for, such as 12 or 3. */
export const monthsOfPeriod = ({
  interval,
  intervalCount,
}: Pick<RecurringPrice, 'interval' | 'intervalCount'>): number => (12 / periodsInYear[interval]) * intervalCount

/** How many days, of a price by the week or day; null for months and years. */
export function daysOfPeriod({ interval, intervalCount }: Pick<RecurringPrice, 'interval' | 'intervalCount'>) {
  if (interval === 'month' || interval === 'year') return null
  return intervalCount * (interval === 'week' ? 7 : 1)
}

/** What a discount takes off, in whole pence, half a penny rounded up as on the invoice. */
function discountOn(rest: Pence, { percentOff, amountOff }: RecurringDiscount): Pence {
  // Stripe keeps percentages to four decimals. Whole numbers stop binary fractions losing a half.
  const parts = Math.round((percentOff ?? 0) * 10_000)
  const share = Math.floor((rest * parts + 500_000) / 1_000_000)
  return Math.min(rest, share + (amountOff ?? 0))
}

/** What a period costs after its recurring discounts, applied in order. */
export const discountedAmount = (amount: Pence, discounts: readonly RecurringDiscount[]): Pence =>
  discounts.reduce((rest, discount) => rest - discountOn(rest, discount), amount)

/** What an amount of each period comes to in a year: twelve months, one year, 52 weeks. Rounded once. */
export const yearlyAmount = (amount: Pence, period: Pick<RecurringPrice, 'interval' | 'intervalCount'>): Pence =>
  Math.round((amount * periodsInYear[period.interval]) / period.intervalCount)

/** The twelfth of a year's pence: what a row of MRR shows, and its total, which is rounded once. */
export const monthlyOf = (yearly: Pence): Pence => Math.round(yearly / 12)

const daysInYear = (days: number) => (days % 7 === 0 ? 52 * 7 : 365)

/** What a year's pence come to in one period, of so many months or days. */
export const periodAmount = (yearly: Pence, { months, days }: { months: number; days: number | null }): Pence =>
  Math.round(days === null ? (yearly * months) / 12 : (yearly * days) / daysInYear(days))

/**
 * The twelfths of several sums in whole pence, which add up to `total`: what's lost by rounding down goes to the largest rests.
 * `total` is the sum's own twelfth, or the difference of two that are rounded.
 */
export function monthlyShares(yearly: readonly Pence[], total: Pence): Pence[] {
  const shares = yearly.map((amount) => Math.floor(amount / 12))
  const rest = (at: number) => (yearly[at] ?? 0) - (shares[at] ?? 0) * 12
  const byRest = [...shares.keys()].sort((one, other) => rest(other) - rest(one))
  const missing = total - shares.reduce((sum, share) => sum + share, 0)
  for (const at of byRest.slice(0, missing)) shares[at] = (shares[at] ?? 0) + 1
  return shares
}
