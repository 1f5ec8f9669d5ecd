import type { BillingSubscription, NextPayment, NextPlan } from '#shared/contract/billing.ts'
import { formatLongDate, londonDay } from './london.ts'
import { pauseText } from './member-state.ts'
import { formatPoundsAndPence } from './money.ts'
import { dueOf, lastPaymentText, untakenText, waitingText } from './payment-words.ts'
import { onePeriod, periodWord } from './price-words.ts'

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

/** An end that owners set beyond what's paid has payments before it. */
function isPaidToEnd({ endsOn, next_billing_date: at, nextPayment }: StateFacts): boolean {
  const next = nextPayment?.on ?? (at === null ? null : londonDayOf(at))
  return endsOn !== null && (next === null || next >= endsOn)
}

/** What's collected at the end, on the day named before. */
function lastText({ nextPayment, isCardMissing, waitingStart: then }: StateFacts, none?: string): string {
  return isCardMissing === true && nextPayment !== undefined
    ? join(
        `You’ve no card saved for one last payment of ${pounds(nextPayment.due)} that day.`,
        then ? waitingText(then) : null,
      )
    : lastPaymentText(nextPayment, none === undefined ? { then } : { none, then })
}

const endText = ({ endsOn }: StateFacts) => (endsOn === null ? null : `Your membership ends on ${day(endsOn)}.`)
const day = formatLongDate

/** What a subscription will still charge when access doesn't depend on it; null if nothing. */
function stillRunning(given: StateFacts): string | null {
  const { status, endsOn, openInvoice, ...facts } = given
  if (openInvoice !== null) return `You still have a subscription, with ${pounds(dueOf(openInvoice))} unpaid.`
  if (status !== 'active' && status !== 'trialing') return facts.waitingStart ? waitingText(facts.waitingStart) : null
  if (endsOn !== null && isPaidToEnd(given))
    return `You still have a subscription until ${day(endsOn)}. ${lastText(given)}`
  const next = nextPaymentText(facts)
  return next === null ? 'You still have a subscription.' : `You still have a subscription: ${next}.`
}

function ownSubscription(facts: StateFacts): string {
  const { status } = facts
  switch (status) {
    case 'active':
      return activeSentence(facts)
    case 'trialing':
      return trialSentence(facts)
    case 'past_due':
    case 'unpaid':
      return `${dueText(facts)} ${accessText(facts)}`
    case 'paused':
      return pausedMembership(facts)
    case 'unrecognised':
      return 'You’re paying, but we haven’t set up your membership yet. Contact us.'
    case 'incomplete':
      return `Your first payment${facts.plan ? ` of ${pounds(facts.plan.total)}` : ''} isn’t finished. You haven’t been charged.`
    default:
      return withoutSubscription(facts)
  }
}

function trialSentence(facts: StateFacts): string {
  const { endsOn, pause } = facts
  const access =
    endsOn === null || !isPaidToEnd(facts)
      ? join(join('You have access.', sentence(nextPaymentText(facts))), endText(facts))
      : `You keep your access until ${day(endsOn)}. ${lastText(facts, 'We won’t take a payment')}`
  return pause === undefined ? access : `${pauseText(pause)}. ${access}`
}

/** Paused altogether: by the owners, or because there was no card when the first payment was due. */
function pausedMembership(facts: StateFacts): string {
  const { openInvoice, pause, pausedAccessEndsOn: until } = facts
  if (openInvoice !== null) return `${dueText(facts)} Pay it and your membership starts again.`
  if (pause === undefined) return 'Your membership is paused. We won’t take a payment until you resume it.'
  const access =
    until === undefined ? 'You have no access until you resume.' : `You keep your access until ${day(until)}.`
  return `${pauseText(pause)}. ${access}`
}

function activeSentence(facts: StateFacts): string {
  const { next_billing_date, endsOn, openInvoice, isNextFree, isNotPaid, beingTaken, pause, nextPayment } = facts
  const owed = openInvoice === null ? '' : ` Payment due: ${pounds(dueOf(openInvoice))}.`
  if (pause !== undefined) return `${pauseText(pause)}. ${pausedSentence(facts)}${owed}`
  if (openInvoice !== null) return `You have access.${owed}`
  if (beingTaken !== undefined) return beingTakenSentence(facts, beingTaken)
  if (endsOn !== null && isPaidToEnd(facts)) {
    const access =
      isNotPaid === true
        ? `You keep your access until ${day(endsOn)}.`
        : `Paid until ${day(endsOn)}. You keep your access until then.`
    const ends = `${access} ${lastText(facts)}`
    return isNextFree === true && facts.waitingStart === undefined
      ? `${ends} Resume your membership and the ${periodWord(facts.plan ?? {})} after is free.`
      : ends
  }
  const paidUntil = next_billing_date === null || isNotPaid === true ? null : londonDayOf(next_billing_date)
  const paid = paidUntil === null ? 'You have access.' : `Paid until ${day(paidUntil)}.`
  return join(
    nextPayment === undefined ? paid : `${paid} ${thenSentence(facts, nextPayment, paidUntil)}`,
    endText(facts),
  )
}

/** Pausing payments leaves the access as it is. */
function pausedSentence(facts: StateFacts): string {
  const { endsOn, nextPayment } = facts
  if (endsOn !== null && isPaidToEnd(facts)) return `You keep your access until ${day(endsOn)}. ${lastText(facts)}`
  return nextPayment === undefined ? 'You have access.' : `You have access. ${thenSentence(facts, nextPayment, null)}`
}

/** A change of period is named with what it pays for: a year of Alliance. */
const nextName = (next: NextPlan, plan: StateFacts['plan']): string =>
  periodWord(next) === periodWord(plan ?? {}) ? next.name : `${onePeriod(next)} of ${next.name}`

/** What's taken next, by the provider's word. `after`: the sentence before has named this day. */
function thenSentence(facts: StateFacts, next: NextPayment, after: string | null): string {
  const { on, due, fromCredit } = next
  const { plan, nextPlan, isCardMissing } = facts
  const isOther = nextPlan !== null && nextPlan.slug !== plan?.slug
  const when = on === after ? '' : ` on ${day(on)}`
  const what = nextPlan === null ? `the next ${periodWord(plan ?? {})}` : nextName(nextPlan, plan)
  if (isCardMissing === true) return `You’ve no card saved for the next ${pounds(due)}. Add one by ${day(on)}.`
  if (due === 0) {
    const free = isOther
      ? `${nextPlan.name} starts then, and its first ${periodWord(nextPlan)} is free`
      : `The ${periodWord(nextPlan ?? plan ?? {})} after is free`
    const credit = `Then ${what} is paid from your credit, ${pounds(fromCredit)}${when}`
    return `${untakenText(next, { free, credit, none: `Nothing to pay for ${what}${when}` })}.`
  }
  const rest = fromCredit > 0 ? ` Another ${pounds(fromCredit)} comes from your credit.` : ''
  return `Then we’ll take ${pounds(due)} for ${what}${when}.${rest}`
}

function beingTakenSentence(facts: StateFacts, total: number): string {
  const { next_billing_date, endsOn, plan } = facts
  const taking = `We’re taking your payment of ${pounds(total)}`
  if (endsOn !== null && isPaidToEnd(facts))
    return `${taking}. You keep your access until ${day(endsOn)}. ${lastText(facts, 'We won’t take another one')}`
  const month =
    next_billing_date === null ? '' : ` for the ${periodWord(plan ?? {})} until ${day(londonDayOf(next_billing_date))}`
  return join(`You have access. ${taking}${month}.`, endText(facts))
}

function withoutSubscription({ hasBeenMember, endedOn, status, waitingStart: then }: StateFacts): string {
  const ended = endedOn === null ? 'Your membership has ended.' : `Your membership ended on ${day(endedOn)}.`
  if (then !== undefined) return `${hasBeenMember ? ended : 'You don’t have a membership yet.'} ${waitingText(then)}`
  if (!hasBeenMember) {
    return status === 'incomplete_expired'
      ? 'Your first payment wasn’t finished, so you haven’t been charged. You don’t have a membership yet.'
      : 'You don’t have a membership yet. Join to get the videos and the community.'
  }
  return `${ended} Start again and pick up where you left off.`
}

const dueText = ({ openInvoice }: StateFacts) =>
  openInvoice === null ? 'A payment is due.' : `Payment due: ${pounds(dueOf(openInvoice))}.`

/** How long an unpaid renewal keeps its access, or until the membership ends if that's sooner. */
function accessText({ hasAccess, graceEndsOn, endsOn }: StateFacts): string {
  const until = [graceEndsOn, endsOn].filter((one) => one !== null).sort()[0]
  if (hasAccess) return until === undefined ? 'You keep your access.' : `You keep your access until ${day(until)}.`
  return `Your access ${graceEndsOn === null ? 'has ended' : `ended on ${day(graceEndsOn)}`}. Pay it and your access comes straight back.`
}

const londonDayOf = (unixSeconds: number) => londonDay(new Date(unixSeconds * 1000))

/** "your next payment of £300.00 is taken on 12 July 2026"; null if the provider doesn't say. */
function nextPaymentText(
  facts: Pick<StateFacts, 'firstPaymentOn' | 'nextPlan' | 'plan' | 'nextPayment' | 'isCardMissing'>,
): string | null {
  const { firstPaymentOn, nextPlan, plan, nextPayment, isCardMissing } = facts
  if (nextPayment === undefined) return null
  const { on, due } = nextPayment
  const [which, tier] = [
    firstPaymentOn === null ? 'next' : 'first',
    nextPlan === null ? '' : `, for ${nextName(nextPlan, plan)}`,
  ]
  if (isCardMissing === true)
    return `you’ve no card saved for your ${which} payment of ${pounds(due)} on ${day(on)}${tier}`
  if (due > 0) return `your ${which} payment of ${pounds(due)} is on ${day(on)}${tier}`
  return untakenText(nextPayment, {
    free: `your ${which} ${periodWord(nextPlan ?? plan ?? {})}, from ${day(on)}, is free${tier}`,
    credit: `your ${which} payment, on ${day(on)}, comes from your credit${tier}`,
    none: `there’s nothing to pay on ${day(on)}${tier}`,
  })
}

const sentence = (text: string | null) => text && `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

/** What the member does next: `kind` says where, `label` is the button. */
export type StateAction = {
  kind: 'pay' | 'finish' | 'resume' | 'reactivate' | 'join' | 'contact'
  label: string
}

/** Someone who has never been a member applies, wherever they're asked to join. */
export const pageOf = ({ kind }: StateAction) =>
  kind === 'contact' ? '/contact' : kind === 'join' ? '/membership-application' : '/reactivate'

const isRunningStatus = (status: StateFacts['status']) => status === 'active' || status === 'trialing'

/** The state's one action; null if there's nothing to do. */
export function stateAction(facts: StateFacts): StateAction | null {
  const { status, isRevoked, isOwner, isComplimentary, openInvoice, endsOn } = facts
  if (isRevoked) return { kind: 'contact', label: 'Contact us' }
  if (openInvoice !== null) return { kind: 'pay', label: `Pay ${pounds(dueOf(openInvoice))}` }
  if (isOwner || isComplimentary) return null
  if (facts.waitingStart !== undefined && (endsOn !== null || !isRunningStatus(status)))
    return { kind: 'contact', label: 'Contact us' }
  switch (status) {
    case 'past_due':
    case 'unpaid':
      return { kind: 'pay', label: 'Pay now' }
    case 'unrecognised':
      return { kind: 'contact', label: 'Contact us' }
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

/** For owners. A pause of payments kept it, and only they decide what becomes of it. */
export const keptDraftText = ({ total, created }: { total: number; created: string }): string =>
  `${pounds(total)} for ${day(londonDay(new Date(created)))} is a draft at Stripe. Collect or void it there.`
