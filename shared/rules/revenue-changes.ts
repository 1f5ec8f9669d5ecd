import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import type { RevenueMovement } from '#shared/contract/revenue.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { isLive } from './membership.ts'
import type { Pence } from './money.ts'
import { mrrRule } from './mrr.ts'

/** What the provider says of a subscription, as far as revenue asks. Times are ISO-8601. */
export type SubscriptionRevenue = {
  id: string
  status: Exclude<SubscriptionStatus, 'none'>
  tierSlug: TierSlug
  monthlyNet: Pence
  created: string
  trialEnd: string | null
  currentPeriodStart: string | null
  endedAt: string | null
  cancellationReason: string | null
  /** A second one beside a live one, taken back with all it charged: it never counts. */
  isWithdrawn: boolean
  /** A step of it is written already. */
  isRecorded: boolean
  firstPaidAt: string | null
  lastPaidAt: string | null
  /** A renewal, or the payment after a trial, was asked for, paid or not. */
  hasRenewed: boolean
  hasUnpaidRenewal: boolean
}

/** What a customer counted last. */
export type Counted = { subscriptionId: string; tierSlug: TierSlug; after: Pence; at: string }

export type RevenueStep = Counted & { kind: RevenueMovement; tierBefore: TierSlug | null; before: Pence }

/**
 * What is missing between what a customer counted last (`null`: never anything) and what the provider says now, in the
 * order of time. A subscription that came and went unseen gives both its steps, so that late news ends in the same sums.
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
  for (const subscription of inTurn(last, subscriptions)) {
    const after = countedNow(subscription)
    const isNews = state?.subscriptionId !== subscription.id
    if (isNews && after === 0 && hasCounted(subscription) && !subscription.isRecorded) {
      count(subscription, subscription.monthlyNet, startOf(subscription, now))
    }
    count(subscription, after, effectOf(state, subscription, now))
  }
  return steps
}

const countedNow = ({ status, monthlyNet }: Pick<SubscriptionRevenue, 'status' | 'monthlyNet'>): Pence =>
  mrrRule(status).isCounted ? monthlyNet : 0

/** From the one that counted last onwards; one that took its place while it was withdrawn goes on where it stood. */
function inTurn(last: Counted | null, subscriptions: readonly SubscriptionRevenue[]): SubscriptionRevenue[] {
  const former = subscriptions.find(({ id }) => id === last?.subscriptionId)
  const hasSuccessor = subscriptions.some((one) => one.id !== former?.id && !one.isWithdrawn && countedNow(one) > 0)
  return subscriptions
    .filter((one) => {
      if (one.id === former?.id) return !(one.isWithdrawn && hasSuccessor)
      return !one.isWithdrawn && (former === undefined || byTurn(one, former) > 0 || isLive(one.status))
    })
    .toSorted(byTurn)
}

/** The older first; of two made in the same second the one that is over. */
const byTurn = (one: SubscriptionRevenue, other: SubscriptionRevenue) =>
  one.created.localeCompare(other.created) ||
  Number(isLive(one.status)) - Number(isLive(other.status)) ||
  one.id.localeCompare(other.id)

type Target = { subscription: SubscriptionRevenue; after: Pence; at: string }

/** Null where nothing changed. A tier or a subscription that takes over at the same price moves nothing, and is told. */
function stepTo(state: Counted | null, { subscription, after, at }: Target): RevenueStep | null {
  const before = state?.after ?? 0
  const takesOver = after > 0 && (state?.subscriptionId !== subscription.id || state.tierSlug !== subscription.tierSlug)
  if (after === before && !takesOver) return null
  return {
    kind: movementOf({ before, after, hasCounted: state !== null, failedToPay: failedToPay(subscription) }),
    subscriptionId: subscription.id,
    tierSlug: after === 0 && state !== null ? state.tierSlug : subscription.tierSlug,
    tierBefore: before > 0 && state !== null ? state.tierSlug : null,
    before,
    after,
    at: state !== null && state.at > at ? state.at : at,
  }
}

export function movementOf(change: {
  before: Pence
  after: Pence
  /** The customer counted at some time before. */
  hasCounted: boolean
  failedToPay: boolean
}): RevenueMovement {
  if (change.after === 0) return change.failedToPay ? 'churn_failed_payment' : 'churn_voluntary'
  if (change.before === 0) return change.hasCounted ? 'reactivation' : 'new'
  return change.after < change.before ? 'contraction' : 'expansion'
}

/** Its renewals were given up; where the provider names no reason, a renewal that nobody paid is one. */
function failedToPay({ status, cancellationReason, hasUnpaidRenewal }: SubscriptionRevenue): boolean {
  if (status === 'unpaid' || cancellationReason === 'payment_failed') return true
  return cancellationReason === null && hasUnpaidRenewal
}

const hasCounted = ({ firstPaidAt, hasRenewed }: SubscriptionRevenue) => firstPaidAt !== null || hasRenewed

/** When it began to count: with the end of its trial, else with its first payment. */
function startOf({ trialEnd, firstPaidAt, currentPeriodStart, hasRenewed }: SubscriptionRevenue, now: string): string {
  if (trialEnd !== null && trialEnd <= now && hasRenewed) return trialEnd
  return firstPaidAt ?? currentPeriodStart ?? now
}

/** Another tier takes effect with a period, and a payment when it comes; a discount begins and ends on a day between. */
function effectOf(state: Counted | null, subscription: SubscriptionRevenue, now: string): string {
  const { endedAt, lastPaidAt, currentPeriodStart, tierSlug, hasUnpaidRenewal } = subscription
  if (countedNow(subscription) === 0) return isLive(subscription.status) ? now : (endedAt ?? now)
  if (state?.subscriptionId !== subscription.id) return startOf(subscription, now)
  // The tier itself follows the payment, its price comes with the demand.
  const changedWithPeriod = tierSlug !== state.tierSlug || hasUnpaidRenewal
  const since = state.after === 0 ? lastPaidAt : changedWithPeriod ? currentPeriodStart : null
  return since !== null && since > state.at ? since : now
}
