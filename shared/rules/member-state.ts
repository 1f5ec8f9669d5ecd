import type { PaymentPause, SubscriptionStatus } from '#shared/contract/billing.ts'
import { formatLongDate } from './london.ts'

export type MemberStateKind =
  | 'owner'
  | 'revoked'
  | 'free'
  | 'payment-due'
  | 'set-up'
  | 'active'
  | 'ending'
  | 'paused'
  | 'unfinished'
  | 'ended'
  | 'never-joined'

/** `text` is what owners read. `tone`: fine, waiting, ending, in trouble, or nothing to say. */
export type MemberState = { kind: MemberStateKind; tone: 'ok' | 'wait' | 'open' | 'bad' | 'plain'; text: string }

/** `label` is Billing's, with its day. `isEnding`: the subscription is set to end. */
export type SubscriptionStateFacts = {
  status: SubscriptionStatus
  label: string
  isEnding: boolean
  hasOpenInvoice?: boolean
  pause?: PaymentPause | null | undefined
}

/** It leads wherever a state is told. */
export const pauseText = ({ until }: PaymentPause): string =>
  `Payments are paused ${until === null ? 'for now' : `until ${formatLongDate(until)}`}`

/** What's true of the subscription alone. A payment that's due comes before all else. */
export function subscriptionState({
  status,
  label,
  isEnding,
  hasOpenInvoice,
  pause,
}: SubscriptionStateFacts): MemberState {
  if (status === 'past_due' || status === 'unpaid' || hasOpenInvoice === true)
    return { kind: 'payment-due', tone: 'bad', text: 'Payment due' }
  if (pause && !isEnding) return { kind: 'paused', tone: 'wait', text: pauseText(pause) }
  if (status === 'paused') return { kind: 'paused', tone: 'plain', text: 'Paused' }
  if (status === 'active' || status === 'trialing') {
    if (isEnding) return { kind: 'ending', tone: 'open', text: label }
    return status === 'active'
      ? { kind: 'active', tone: 'ok', text: label }
      : { kind: 'set-up', tone: 'wait', text: label }
  }
  if (status === 'incomplete' || status === 'incomplete_expired')
    return { kind: 'unfinished', tone: 'plain', text: 'First payment not finished' }
  if (status === 'unrecognised') return { kind: 'unfinished', tone: 'bad', text: 'Price has no tier' }
  return status === 'none'
    ? { kind: 'never-joined', tone: 'plain', text: 'Never joined' }
    : { kind: 'ended', tone: 'plain', text: 'Ended' }
}

export type MemberStateFacts = SubscriptionStateFacts & {
  isOwner: boolean
  isRevoked: boolean
  isComplimentary: boolean
  /** The last day of free access that has run out. */
  freeEndedOn?: string | null | undefined
}

/** A member's state in lists, on their page and in the terminal: what the owners decided, or else their subscription's. */
export function memberState({
  isOwner,
  isRevoked,
  isComplimentary,
  freeEndedOn,
  ...subscription
}: MemberStateFacts): MemberState {
  if (isOwner) return { kind: 'owner', tone: 'plain', text: 'Owner' }
  if (isRevoked) return { kind: 'revoked', tone: 'bad', text: 'Access revoked' }
  if (isComplimentary) return { kind: 'free', tone: 'ok', text: 'Free access' }
  if (freeEndedOn && subscription.status === 'none')
    return { kind: 'ended', tone: 'plain', text: `Free access ended ${formatLongDate(freeEndedOn)}` }
  return subscriptionState(subscription)
}

type ListedMember = Omit<MemberStateFacts, 'isOwner' | 'isEnding' | 'hasOpenInvoice'> & {
  isAdmin: boolean
  nextBillingOn: string | null
}

/** A running subscription without a next payment is set to end, unless its payments are paused. */
export const listedMemberState = ({ isAdmin, nextBillingOn, ...facts }: ListedMember): MemberState =>
  memberState({ ...facts, isOwner: isAdmin, isEnding: nextBillingOn === null && !facts.pause })
