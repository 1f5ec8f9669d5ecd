import type { BillingSubscription } from '#shared/contract/billing.ts'
import { periodWord } from './charge.ts'
import { formatLongDate, londonDay } from './london.ts'
import { formatPoundsAndPence } from './money.ts'

/** What the sentence and the action depend on. Amounts are pence including VAT, days are YYYY-MM-DD of Europe/London. */
export type StateFacts = Omit<BillingSubscription, 'label' | 'showsBanner' | 'offer'>

/**
 * What the member needs to know, in one or two sentences: what's due or paid, until when they have access, and what happens next.
 * Screens, emails and the terminal all use it, so they can't disagree.
 */
export function stateLine(facts: StateFacts): string {
  if (facts.isRevoked) return join('Your access was ended by the owners. Please contact us.', stillRunning(facts))
  if (facts.isOwner) return join('You’re an owner, so everything’s open to you.', stillRunning(facts))
  if (facts.isComplimentary) {
    const until = facts.freeUntil === undefined ? '' : ` until ${day(facts.freeUntil)}`
    return join(`Your access is free${until}.`, stillRunning(facts) ?? 'There’s nothing to pay.')
  }
  return ownSubscription(facts)
}

const join = (first: string, second: string | null) => (second === null ? first : `${first} ${second}`)
const pounds = formatPoundsAndPence
const day = formatLongDate

/** What a subscription will still charge when access doesn't depend on it; null if nothing. */
function stillRunning({ status, endsOn, openInvoice, ...facts }: StateFacts): string | null {
  if (openInvoice !== null) return `You still have a subscription, with ${pounds(openInvoice.total)} unpaid.`
  if (status !== 'active' && status !== 'trialing') return null
  if (endsOn !== null) return `You still have a subscription until ${day(endsOn)}. We won’t take another payment.`
  const next = nextPayment(facts)
  return next === null ? 'You still have a subscription.' : `You still have a subscription: ${next}.`
}

function ownSubscription(facts: StateFacts): string {
  const { status, endsOn } = facts
  switch (status) {
    case 'active':
      return activeSentence(facts)
    case 'trialing':
      return endsOn === null
        ? join('You have access.', sentence(nextPayment(facts)))
        : `You keep your access until ${day(endsOn)}. We won’t take a payment.`
    case 'past_due':
    case 'unpaid':
      return `${dueText(facts)} ${accessText(facts)}`
    case 'paused':
      return facts.openInvoice === null
        ? 'Your membership is paused. We won’t take a payment until you resume it.'
        : `${dueText(facts)} Pay it and your membership starts again.`
    case 'incomplete':
      return `Your first payment${facts.plan ? ` of ${pounds(facts.plan.total)}` : ''} isn’t finished. You haven’t been charged.`
    default:
      return withoutSubscription(facts)
  }
}

function activeSentence(facts: StateFacts): string {
  const { next_billing_date, endsOn, openInvoice, plan, nextPlan, isNextFree, beingTaken } = facts
  if (openInvoice !== null) return `You have access. Payment due: ${pounds(openInvoice.total)}.`
  if (beingTaken !== undefined) return beingTakenSentence(facts, beingTaken)
  if (endsOn !== null) {
    const ends = `Paid until ${day(endsOn)}. You keep your access until then. We won’t take another payment.`
    return isNextFree === true ? `${ends} Resume it and the month after is free.` : ends
  }
  if (next_billing_date === null) return 'You have access.'
  const paid = `Paid until ${day(londonDayOf(next_billing_date))}.`
  if (isNextFree === true && nextPlan !== null && nextPlan.slug !== plan?.slug) {
    return `${paid} ${nextPlan.name} starts then, and its first month is free.`
  }
  if (isNextFree === true) return `${paid} The month after is free.`
  const next = nextPlan ?? plan
  return next === null
    ? paid
    : `${paid} Then we’ll take ${pounds(next.total)} for ${nextPlan?.name ?? `the next ${periodWord(plan?.months)}`}.`
}

function beingTakenSentence({ next_billing_date, endsOn, plan }: StateFacts, total: number): string {
  const taking = `We’re taking your payment of ${pounds(total)}`
  if (endsOn !== null) return `${taking}. You keep your access until ${day(endsOn)}. We won’t take another one.`
  const month =
    next_billing_date === null
      ? ''
      : ` for the ${periodWord(plan?.months)} until ${day(londonDayOf(next_billing_date))}`
  return `You have access. ${taking}${month}.`
}

function withoutSubscription({ hasBeenMember, endedOn, status }: StateFacts): string {
  if (!hasBeenMember) {
    return status === 'incomplete_expired'
      ? 'Your first payment wasn’t finished, so you haven’t been charged. You don’t have a membership yet.'
      : 'You don’t have a membership yet. Join to get the videos and the community.'
  }
  const ended = endedOn === null ? 'Your membership has ended.' : `Your membership ended on ${day(endedOn)}.`
  return `${ended} Start again and pick up where you left off.`
}

const dueText = ({ openInvoice }: StateFacts) =>
  openInvoice === null ? 'A payment is due.' : `Payment due: ${pounds(openInvoice.total)}.`

/** How long an unpaid renewal keeps its access, or until the membership ends if that's sooner. */
function accessText({ hasAccess, graceEndsOn, endsOn }: StateFacts): string {
  const until = [graceEndsOn, endsOn].filter((one) => one !== null).sort()[0]
  if (hasAccess) return until === undefined ? 'You keep your access.' : `You keep your access until ${day(until)}.`
  return `Your access ${graceEndsOn === null ? 'has ended' : `ended on ${day(graceEndsOn)}`}. Pay it and your access comes straight back.`
}

const londonDayOf = (unixSeconds: number) => londonDay(new Date(unixSeconds * 1000))

/** "your next payment of £300.00 is taken on 12 July 2026"; null if we don't know the amount or the day. */
function nextPayment(
  facts: Pick<StateFacts, 'firstPaymentOn' | 'next_billing_date' | 'isNextFree' | 'nextPlan' | 'plan'>,
): string | null {
  const { firstPaymentOn, next_billing_date, isNextFree, nextPlan, plan } = facts
  const on = firstPaymentOn ?? (next_billing_date === null ? null : londonDayOf(next_billing_date))
  if (on === null || plan === null) return null
  if (isNextFree === true)
    return `your ${firstPaymentOn === null ? 'next' : 'first'} month, from ${day(on)}, is free${nextPlan === null ? '' : `, for ${nextPlan.name}`}`
  const what = `your ${firstPaymentOn === null ? 'next' : 'first'} payment of ${pounds((nextPlan ?? plan).total)}`
  return `${what} is on ${day(on)}${nextPlan === null ? '' : `, for ${nextPlan.name}`}`
}

const sentence = (text: string | null) => text && `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

/** What the member does next: `kind` says where, `label` is the button. */
export type StateAction = {
  kind: 'pay' | 'finish' | 'resume' | 'reactivate' | 'join' | 'contact'
  label: string
}

/** The state's one action; null if there's nothing to do. */
export function stateAction(facts: StateFacts): StateAction | null {
  const { status, isRevoked, isOwner, isComplimentary, openInvoice, endsOn } = facts
  if (isRevoked) return { kind: 'contact', label: 'Contact us' }
  if (openInvoice !== null) return { kind: 'pay', label: `Pay ${pounds(openInvoice.total)}` }
  if (isOwner || isComplimentary) return null
  switch (status) {
    case 'past_due':
    case 'unpaid':
      return { kind: 'pay', label: 'Pay now' }
    case 'incomplete':
      return { kind: 'finish', label: 'Finish paying' }
    case 'paused':
      return { kind: 'resume', label: 'Resume membership' }
    case 'active':
    case 'trialing':
      return endsOn === null ? null : { kind: 'resume', label: 'Resume membership' }
    default:
      return facts.hasBeenMember ? { kind: 'reactivate', label: 'Reactivate' } : { kind: 'join', label: 'Join' }
  }
}
