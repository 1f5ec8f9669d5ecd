import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import type { RevenueMovement } from '#shared/contract/revenue.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { isLive } from './membership.ts'
import type { Pence } from './money.ts'
import { mrrRule } from './mrr.ts'

/** The fields of a subscription that MRR depends on. Times are ISO-8601. */
export type SubscriptionRevenue = {
  id: string
  status: Exclude<SubscriptionStatus, 'none'>
  tierSlug: TierSlug
  yearlyNet: Pence
  created: string
  trialEnd: string | null
  currentPeriodStart: string | null
  endedAt: string | null
  cancellationReason: string | null
  /** A second subscription next to a live one, cancelled and refunded: it never counts. */
  isDuplicate: boolean
  isRecorded: boolean
  firstPaidAt: string | null
  lastPaidAt: string | null
  upgradedAt: string | null
  /** A renewal, or the payment after a trial, fell due, paid or not. */
  hasRenewed: boolean
  hasUnpaidRenewal: boolean
}

/** `afterYearly` and `beforeYearly` are pence a year. */
export type Counted = { subscriptionId: string; tierSlug: TierSlug; afterYearly: Pence; at: string }

export type RevenueStep = Counted & { kind: RevenueMovement; tierBefore: TierSlug | null; beforeYearly: Pence }

/**
 * The steps from what a customer last counted as (`null`: nothing yet) to what Stripe says now, oldest first. A subscription that
 * began and ended between two syncs gives both its steps, so late events end in the same sums.
 */
export function revenueSteps(
  last: Counted | null,
  subscriptions: readonly SubscriptionRevenue[],
  now: string,
): RevenueStep[] {
  const steps: RevenueStep[] = []
  let state = last
  const count = (subscription: SubscriptionRevenue, after: Pence, at: string) => {
    const step = stepTo(state, { subscription, after, at })
    if (step === null) return
    steps.push(step)
    state = step
  }
  for (const subscription of inOrder(last, subscriptions)) {
    const after = countedNow(subscription)
    const isNew = state?.subscriptionId !== subscription.id
    if (isNew && after === 0 && hasCounted(subscription) && !subscription.isRecorded) {
      count(subscription, subscription.yearlyNet, startOf(subscription, now))
    }
    count(subscription, after, effectOf(state, subscription, now))
  }
  return steps
}

const countedNow = ({ status, yearlyNet }: Pick<SubscriptionRevenue, 'status' | 'yearlyNet'>): Pence =>
  mrrRule(status).isCounted ? yearlyNet : 0

/** From the subscription that counted last. If that one is a duplicate, it's left out when its successor counts. */
function inOrder(last: Counted | null, subscriptions: readonly SubscriptionRevenue[]): SubscriptionRevenue[] {
  const former = subscriptions.find(({ id }) => id === last?.subscriptionId)
  const hasSuccessor = subscriptions.some((one) => one.id !== former?.id && !one.isDuplicate && countedNow(one) > 0)
  return subscriptions
    .filter((one) => {
      if (one.id === former?.id) return !(one.isDuplicate && hasSuccessor)
      return !one.isDuplicate && (former === undefined || byAge(one, former) > 0 || isLive(one.status))
    })
    .toSorted(byAge)
}

/** Oldest first. If two are from the same second, the one that has ended comes first. */
const byAge = (one: SubscriptionRevenue, other: SubscriptionRevenue) =>
  one.created.localeCompare(other.created) ||
  Number(isLive(one.status)) - Number(isLive(other.status)) ||
  one.id.localeCompare(other.id)

type Target = { subscription: SubscriptionRevenue; after: Pence; at: string }

/** Null if nothing changed. A new tier or subscription at the same price is still a step, with amount 0. */
function stepTo(state: Counted | null, { subscription, after, at }: Target): RevenueStep | null {
  const before = state?.afterYearly ?? 0
  const takesOver = after > 0 && (state?.subscriptionId !== subscription.id || state.tierSlug !== subscription.tierSlug)
  if (after === before && !takesOver) return null
  return {
    kind: movementOf({ before, after, hasCounted: state !== null, hasFailedToPay: hasFailedToPay(subscription) }),
    subscriptionId: subscription.id,
    tierSlug: after === 0 && state !== null ? state.tierSlug : subscription.tierSlug,
    tierBefore: before > 0 && state !== null ? state.tierSlug : null,
    beforeYearly: before,
    afterYearly: after,
    at: state !== null && state.at > at ? state.at : at,
  }
}

export function movementOf(change: {
  before: Pence
  after: Pence
  hasCounted: boolean
  hasFailedToPay: boolean
}): RevenueMovement {
  if (change.after === 0) return change.hasFailedToPay ? 'churn_failed_payment' : 'churn_voluntary'
  if (change.before === 0) return change.hasCounted ? 'reactivation' : 'new'
  return change.after < change.before ? 'contraction' : 'expansion'
}

/** Whether it ended because a renewal wasn't paid. Stripe says so; if it gives no reason, an unpaid renewal shows it. */
function hasFailedToPay({ status, cancellationReason, hasUnpaidRenewal }: SubscriptionRevenue): boolean {
  if (status === 'unpaid' || cancellationReason === 'payment_failed') return true
  return cancellationReason === null && hasUnpaidRenewal
}

/** An `incomplete` one with a payment was read just between the two: it's about to start, and hasn't ended. */
const hasCounted = ({ status, firstPaidAt, hasRenewed }: SubscriptionRevenue) =>
  status !== 'incomplete' && (firstPaidAt !== null || hasRenewed)

function startOf({ trialEnd, firstPaidAt, currentPeriodStart, hasRenewed }: SubscriptionRevenue, now: string): string {
  // One that began after a payment only put the next one off.
  const isFirst = firstPaidAt === null || trialEnd === null || firstPaidAt >= trialEnd
  if (trialEnd !== null && trialEnd <= now && hasRenewed && isFirst) return trialEnd
  return firstPaidAt ?? currentPeriodStart ?? now
}

/**
 * A new tier takes effect with a period or with an upgrade's payment, and a payment when it arrives. A discount may start and end
 * in between.
 */
function effectOf(state: Counted | null, subscription: SubscriptionRevenue, now: string): string {
  const { endedAt, lastPaidAt, tierSlug, hasUnpaidRenewal } = subscription
  if (countedNow(subscription) === 0) return isLive(subscription.status) ? now : (endedAt ?? now)
  if (state?.subscriptionId !== subscription.id) return startOf(subscription, now)
  // The tier changes with the payment, but its price already changes with the invoice.
  const changedWithPeriod = tierSlug !== state.tierSlug || hasUnpaidRenewal
  const since = state.afterYearly === 0 ? lastPaidAt : changedWithPeriod ? tierSince(subscription) : null
  return since !== null && since > state.at ? since : now
}

function tierSince({ currentPeriodStart, upgradedAt }: SubscriptionRevenue): string | null {
  return upgradedAt !== null && upgradedAt > (currentPeriodStart ?? '') ? upgradedAt : currentPeriodStart
}
