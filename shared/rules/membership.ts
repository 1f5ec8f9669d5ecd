import type { Offer, PaymentPause, SubscriptionStatus } from '#shared/contract/billing.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { formatLongDate, londonDay } from './london.ts'

/** An unpaid renewal keeps its access for 14 times 24 hours. */
export const graceMs = 14 * dayMs
export const graceEnd = (unpaidSince: string): Date => new Date(Date.parse(unpaidSince) + graceMs)

/** Final statuses. Every other one, known to us or not, is live, and a member has at most one live subscription. */
const endedStatuses: readonly string[] = ['canceled', 'incomplete_expired', 'none']
export const isLive = (status: string) => !endedStatuses.includes(status)

/** A payment at the provider, as far as it says whether a period is settled. */
export type Settling = {
  status: string
  amountPaid: number
  fromCredit: number
  freeMonthNet: number | null
  isUpgrade: boolean
  billingReason: string | null
  created: string
}

/** `settledPeriod` in `api/db/expressions.ts` says the same: upgrades and what owners charge beside are for no period. */
const settlesPeriod = ({ status, amountPaid, fromCredit, freeMonthNet, isUpgrade, billingReason }: Settling) =>
  status === 'paid' &&
  (freeMonthNet !== null || (amountPaid + fromCredit > 0 && !isUpgrade && billingReason !== 'manual'))

/**
 * A trial after a settled period only puts the next payment off: the member stays active, and nothing's a first payment. In SQL it's
 * `isPutOff` in `api/db/expressions.ts`.
 */
export const isPutOff = (trialEnd: string | null, payments: readonly Settling[]): boolean =>
  trialEnd !== null && payments.some((payment) => settlesPeriod(payment) && payment.created < trialEnd)

export type SubscriptionFacts = {
  status: Exclude<SubscriptionStatus, 'none' | 'unrecognised'>
  /** Its price names no tier. */
  isUnrecognised: boolean
  /** A trial counts only once its setup has succeeded and a payment method is attached; until then it's `incomplete`. */
  isSettled: boolean
  tierSlug: TierSlug
  currentPeriodEnd: string | null
  trialEnd: string | null
  /** When it's set to end; null if it renews. */
  endsAt: string | null
  /** `created` of the oldest open renewal invoice after the last paid one. A retry never moves it. */
  oldestUnpaidRenewal: string | null
  /** Payments are paused: what becomes due isn't collected. */
  isCollectionPaused: boolean
  collectionResumesAt: string | null
  /** Why it's paused altogether; null if it isn't. */
  pausedFor: string | null
  pausedAccessUntil: string | null
}

export type Membership = {
  status: SubscriptionStatus
  /** Whether the subscription by itself gives access now. */
  subscriptionGivesAccess: boolean
  showsBanner: boolean
  label: string
  offer: Offer
  nextBillingAt: string | null
  firstPaymentOn: string | null
  endsOn: string | null
  graceEndsOn: string | null
  pause: PaymentPause | null
  /** The last day of access of one that's paused altogether; null if that's over. */
  pausedAccessEndsOn: string | null
}

/** The statuses, with those set to end as states of their own. */
export type MembershipState = SubscriptionStatus | 'trialing_ending' | 'active_ending'

type Row = {
  access: 'no' | 'yes' | 'in_grace' | 'while_paid'
  showsBanner: boolean
  /** `on` is the day the label names; null if we don't know it. */
  label(on: string | null): string
  offer: Offer
}

const noSubscription = () => 'No Active Subscription'
const withDay = (words: string, before: string) => (on: string | null) =>
  on === null ? words : `${words}${before}${formatLongDate(on)}`
const nothing: Row = { access: 'no', showsBanner: true, label: noSubscription, offer: 'subscribe' }

/** The table of membership states: access, banner, label in Billing, and what reactivating offers. */
export const membershipStates: Record<MembershipState, Row> = {
  none: nothing,
  canceled: nothing,
  incomplete_expired: nothing,
  incomplete: { access: 'no', showsBanner: true, label: noSubscription, offer: 'pay_or_change_tier' },
  trialing: { access: 'yes', showsBanner: false, label: withDay('Set up', ' – first payment on '), offer: 'nothing' },
  trialing_ending: { access: 'yes', showsBanner: false, label: withDay('Set up', ', ends on '), offer: 'resume' },
  active: { access: 'yes', showsBanner: false, label: () => 'Active', offer: 'already_active' },
  active_ending: { access: 'yes', showsBanner: false, label: withDay('Active', ', ends on '), offer: 'resume' },
  past_due: { access: 'in_grace', showsBanner: true, label: noSubscription, offer: 'pay_or_change_card' },
  unpaid: { access: 'in_grace', showsBanner: true, label: noSubscription, offer: 'pay_or_restart' },
  paused: { access: 'while_paid', showsBanner: false, label: noSubscription, offer: 'resume' },
  unrecognised: { access: 'no', showsBanner: true, label: noSubscription, offer: 'nothing' },
}

export function membershipOf(facts: SubscriptionFacts | null, billingNow: Date): Membership {
  const state = stateOf(facts)
  const row = membershipStates[state]
  const dates = datesOf(state, facts)
  const graceEnds = row.access === 'in_grace' ? graceEndOf(facts) : null
  // A late payment that isn't for a renewal starts no grace period. An `unpaid` subscription may never have been paid.
  const isInGrace = graceEnds === null ? state === 'past_due' : billingNow < graceEnds
  const paidUntil = row.access === 'while_paid' ? (facts?.pausedAccessUntil ?? null) : null
  const isPaid = paidUntil !== null && billingNow < new Date(paidUntil)
  return {
    status: state === 'trialing_ending' ? 'trialing' : state === 'active_ending' ? 'active' : state,
    subscriptionGivesAccess:
      row.access === 'yes' || (row.access === 'in_grace' && isInGrace) || (row.access === 'while_paid' && isPaid),
    showsBanner: row.showsBanner,
    label: row.label(dates.firstPaymentOn ?? dates.endsOn),
    offer: row.offer,
    graceEndsOn: dayOf(graceEnds),
    pause: facts === null ? null : pauseOf(facts),
    pausedAccessEndsOn: isPaid ? dayOf(paidUntil) : null,
    ...dates,
  }
}

/** Pausing can be undone by the owners alone, at the provider. A trial that ended without a card is another thing. */
function pauseOf(facts: SubscriptionFacts): PaymentPause | null {
  if (facts.status === 'paused') return facts.pausedFor === 'pause_requested' ? { until: null } : null
  return facts.isCollectionPaused && isLive(facts.status) ? { until: dayOf(facts.collectionResumesAt) } : null
}

/** Whether a payment that's due then is collected. */
export const isCollectedAt = (
  at: string,
  {
    isCollectionPaused,
    collectionResumesAt: until,
  }: Pick<SubscriptionFacts, 'isCollectionPaused' | 'collectionResumesAt'>,
): boolean => !isCollectionPaused || (until !== null && until <= at)

/** A trial whose card was never confirmed is `incomplete` everywhere. */
function stateOf(facts: SubscriptionFacts | null): MembershipState {
  if (facts === null) return 'none'
  const { status, isSettled, endsAt } = facts
  if (status === 'trialing' && !isSettled) return 'incomplete'
  if (status === 'unpaid' && facts.isUnrecognised && facts.oldestUnpaidRenewal === null) return 'unrecognised'
  if (endsAt === null) return status
  return status === 'trialing' ? 'trialing_ending' : status === 'active' ? 'active_ending' : status
}

const dayOf = (at: string | Date | null) => (at === null ? null : londonDay(new Date(at)))

function datesOf(state: MembershipState, facts: SubscriptionFacts | null) {
  const none = { nextBillingAt: null, firstPaymentOn: null, endsOn: null }
  const collectedAt = (at: string | null | undefined) => (at && facts && isCollectedAt(at, facts) ? at : null)
  switch (state) {
    case 'trialing':
      return { ...none, nextBillingAt: collectedAt(facts?.trialEnd), firstPaymentOn: dayOf(facts?.trialEnd ?? null) }
    case 'active':
      return { ...none, nextBillingAt: collectedAt(facts?.currentPeriodEnd) }
    // Owners may set an end beyond what's paid. It's billed as ever until then.
    case 'trialing_ending':
    case 'active_ending': {
      const at = state === 'trialing_ending' ? facts?.trialEnd : facts?.currentPeriodEnd
      const endsAt = facts?.endsAt ?? null
      const goesOn = at != null && endsAt !== null && at < endsAt
      return { ...none, nextBillingAt: goesOn ? collectedAt(at) : null, endsOn: dayOf(endsAt) }
    }
    case 'past_due':
    case 'unpaid':
    case 'unrecognised':
      return { ...none, endsOn: dayOf(facts?.endsAt ?? null) }
    default:
      return none
  }
}

function graceEndOf(facts: SubscriptionFacts | null): Date | null {
  const since = facts?.oldestUnpaidRenewal ?? null
  return since === null ? null : graceEnd(since)
}

export type AccessOverride = 'granted' | 'revoked' | null

/** The owners' override outranks the subscription. `granted` counts as complimentary only while no subscription gives access. */
export function accessOf(override: AccessOverride, subscriptionGivesAccess: boolean) {
  return {
    hasAccess: override === 'granted' || (override !== 'revoked' && subscriptionGivesAccess),
    isComplimentary: override === 'granted' && !subscriptionGivesAccess,
    isRevoked: override === 'revoked',
  }
}
