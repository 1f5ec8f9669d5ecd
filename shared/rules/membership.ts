import type { Offer, SubscriptionStatus } from '../contract/billing.ts'
import type { TierSlug } from '../contract/tier.ts'
import { formatLongDate, londonDay } from './london.ts'

/** How long an unpaid renewal keeps its access: 14 times 24 hours. */
export const graceMs = 14 * 24 * 60 * 60 * 1000

/** Statuses after which nothing more can come; every other one is live, and a member has at most one live subscription. */
const endedStatuses: readonly SubscriptionStatus[] = ['canceled', 'incomplete_expired', 'none']
export const isLive = (status: SubscriptionStatus) => !endedStatuses.includes(status)

export type SubscriptionFacts = {
  status: Exclude<SubscriptionStatus, 'none'>
  /** A trial counts only once its set-up succeeded and a payment method is attached; until then it is `incomplete`. */
  isSettled: boolean
  tierSlug: TierSlug
  currentPeriodEnd: string | null
  trialEnd: string | null
  /** When it ends by itself, if it does. */
  endsAt: string | null
  /** `created` of the oldest open renewal invoice after the last paid one; never moved by a retry. */
  oldestUnpaidRenewal: string | null
}

export type Standing = {
  status: SubscriptionStatus
  /** The subscription alone gives access now. */
  subscriptionGivesAccess: boolean
  showsBanner: boolean
  label: string
  offer: Offer
  nextBillingAt: string | null
  firstPaymentOn: string | null
  endsOn: string | null
  graceEndsOn: string | null
}

const noSubscription = 'No Active Subscription'
const nothingDue = { nextBillingAt: null, firstPaymentOn: null, endsOn: null, graceEndsOn: null }
const without = (status: SubscriptionStatus, offer: Offer): Standing => ({
  status,
  subscriptionGivesAccess: false,
  showsBanner: true,
  label: noSubscription,
  offer,
  ...nothingDue,
})

/** The table of membership states: access, banner, billing label and what reactivating offers, at one instant of billing time. */
export function standingOf(facts: SubscriptionFacts | null, billingNow: Date): Standing {
  const status = facts === null ? 'none' : facts.status === 'trialing' && !facts.isSettled ? 'incomplete' : facts.status
  switch (status) {
    case 'none':
    case 'canceled':
    case 'incomplete_expired':
      return without(status, 'subscribe')
    case 'incomplete':
      return without(status, 'pay_or_change_tier')
    case 'unpaid':
      return without(status, 'pay_or_restart')
    case 'paused':
      return { ...without(status, 'resume'), showsBanner: false }
    case 'trialing':
      return trialing(facts)
    case 'active':
      return active(facts)
    case 'past_due':
      return pastDue(facts?.oldestUnpaidRenewal ?? null, billingNow)
  }
}

const current = { subscriptionGivesAccess: true, showsBanner: false, ...nothingDue }

function trialing(facts: SubscriptionFacts | null): Standing {
  const trialEnd = facts?.trialEnd ?? null
  const endsOn = facts?.endsAt ? londonDay(new Date(facts.endsAt)) : null
  if (endsOn !== null) {
    return {
      ...current,
      status: 'trialing',
      label: `Set up, ends on ${formatLongDate(endsOn)}`,
      offer: 'resume',
      endsOn,
    }
  }
  const day = trialEnd === null ? null : londonDay(new Date(trialEnd))
  const label = day === null ? 'Set up' : `Set up – first payment on ${formatLongDate(day)}`
  return { ...current, status: 'trialing', label, offer: 'nothing', nextBillingAt: trialEnd, firstPaymentOn: day }
}

function active(facts: SubscriptionFacts | null): Standing {
  const endsOn = facts?.endsAt ? londonDay(new Date(facts.endsAt)) : null
  if (endsOn !== null) {
    return { ...current, status: 'active', label: `Active, ends on ${formatLongDate(endsOn)}`, offer: 'resume', endsOn }
  }
  return {
    ...current,
    status: 'active',
    label: 'Active',
    offer: 'already_active',
    nextBillingAt: facts?.currentPeriodEnd ?? null,
  }
}

function pastDue(oldestUnpaidRenewal: string | null, billingNow: Date): Standing {
  const graceEnds = oldestUnpaidRenewal === null ? null : new Date(Date.parse(oldestUnpaidRenewal) + graceMs)
  return {
    ...without('past_due', 'pay_or_change_card'),
    subscriptionGivesAccess: graceEnds === null || billingNow < graceEnds,
    graceEndsOn: graceEnds === null ? null : londonDay(graceEnds),
  }
}

export type AccessOverride = 'granted' | 'revoked' | null

/** The owners' override outranks the subscription; `granted` is complimentary only while no subscription gives access. */
export function accessOf(override: AccessOverride, subscriptionGivesAccess: boolean) {
  return {
    hasAccess: override === 'granted' || (override !== 'revoked' && subscriptionGivesAccess),
    isComplimentary: override === 'granted' && !subscriptionGivesAccess,
    isRevoked: override === 'revoked',
  }
}
