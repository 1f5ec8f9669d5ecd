import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import type { Pence } from './money.ts'

/** So many paying customers are aimed at, the owners not counted. */
export const customerGoal = 100

/** How one subscription counts towards monthly recurring revenue, and the rule that says so, in words. */
export function revenueRule(status: SubscriptionStatus): { isCounted: boolean; rule: string } {
  switch (status) {
    case 'active':
      return { isCounted: true, rule: 'active: counted' }
    case 'past_due':
      return { isCounted: true, rule: 'past due: counted, the provider is still collecting' }
    case 'trialing':
      return { isCounted: false, rule: 'trialing: nothing is paid yet' }
    case 'incomplete':
    case 'incomplete_expired':
      return { isCounted: false, rule: 'incomplete: the first payment never came' }
    case 'unpaid':
      return { isCounted: false, rule: 'unpaid: collection was given up' }
    case 'paused':
      return { isCounted: false, rule: 'paused: nothing is collected' }
    case 'canceled':
    case 'none':
      return { isCounted: false, rule: 'ended' }
  }
}

export type RecurringPrice = {
  /** What one period takes, in pence excluding VAT: unit amount times quantity. */
  amount: Pence
  interval: 'day' | 'week' | 'month' | 'year'
  intervalCount: number
}

/** A discount that comes off every period: for ever, or still running. One of the two is set. */
export type RecurringDiscount = { percentOff: number | null; amountOff: Pence | null }

const monthsIn = { day: 12 / 365, week: 12 / 52, month: 1, year: 12 }

/**
 * What a price brings in a month, after its recurring discounts: a yearly one counts as a twelfth. Rounded once, at the
 * end, as Stripe's monthly recurring revenue is.
 */
export function monthlyAmount(
  { amount, interval, intervalCount }: RecurringPrice,
  discounts: readonly RecurringDiscount[],
): Pence {
  const left = discounts.reduce(
    (rest, { percentOff, amountOff }) => Math.max(0, rest * (1 - (percentOff ?? 0) / 100) - (amountOff ?? 0)),
    amount,
  )
  return Math.round(left / (monthsIn[interval] * intervalCount))
}

/** Commission in per cent, where no rate was ever set for a tier. */
export const defaultRate = 10

export type CommissionRow = { name: string; count: number; rate: number; total: Pence }

/**
 * What the partner would earn on a month of this revenue: per tier, rate (per cent) of the tier's monthly net, rounded
 * once per tier. A forecast: what is owed is in the ledger.
 */
export function forecastCommission(
  tiers: readonly { slug: TierSlug; name: string; count: number; monthlyNet: Pence; rate: number }[],
): { total: Pence; breakdown: CommissionRow[] } {
  const breakdown = tiers.map(({ name, count, monthlyNet, rate }) => ({
    name,
    count,
    rate,
    total: Math.round((monthlyNet * rate) / 100),
  }))
  return { total: breakdown.reduce((sum, row) => sum + row.total, 0), breakdown }
}
