import type { BillingAddress, BillingSubscription, NextPayment, NextPaymentPreview } from '#shared/contract/billing.ts'
import type { MemberActivity, MemberRecord } from '#shared/contract/member-record.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { isLive } from '#shared/rules/membership.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { dueText, lastPaymentText, nextText } from '#shared/rules/payment-words.ts'
import { periodWord } from '#shared/rules/price-words.ts'

/** Of a dialog about a member. */
export type DialogProps = { record: MemberRecord; name: string; onClose: () => void }

export const nextPaymentOn = ({ next_billing_date: at, firstPaymentOn }: BillingSubscription): string | null =>
  firstPaymentOn ?? (at === null ? null : londonDay(new Date(at * 1000)))

export const addressText = ({ line1, line2, town, postcode }: BillingAddress) =>
  [line1, line2, town, postcode].filter(Boolean).join(', ')

export function freeAccessText(access: MemberRecord['freeAccess']): string {
  if (access === null) return 'None'
  return access.until === null ? 'No end' : `Until ${formatLongDate(access.until)}`
}

/** When they said so, and in which file if it wasn't here. */
export function newsText(news: MemberRecord['news']): string {
  if (news === null) return 'Hasn’t agreed'
  const { isWanted, at, source } = news
  if (!isWanted) return `Stopped them on ${formatLongDate(at)}`
  return `Agreed on ${formatLongDate(at)}${source === null ? '' : `, in ${source}`}`
}

const running = ['active', 'trialing', 'past_due']

export type Can = Record<
  'cancel' | 'resume' | 'changeTier' | 'freeMonth' | 'putOff' | 'undoFreeMonth' | 'undoTier' | 'card',
  boolean
>

/** Only hides what can’t work. The server decides. */
export function actionsOf({ billing, paymentMethod }: MemberRecord): Can {
  const { status, endsOn, nextPlan, isRevoked, isNextFree, plan, pause, waitingStart } = billing
  const isSettled =
    (status === 'active' || status === 'trialing') && endsOn === null && !isRevoked && pause === undefined
  const isByYear = (plan?.months ?? 1) >= 12
  return {
    cancel: isLive(status) && (endsOn === null || !running.includes(status)),
    resume: !isRevoked && waitingStart === undefined && ((isLive(status) && endsOn !== null) || status === 'paused'),
    changeTier: isSettled && plan !== null,
    undoTier: isSettled && nextPlan !== null && nextPlan.slug !== plan?.slug,
    freeMonth: isSettled && nextPlan === null && isNextFree !== true && !isByYear,
    putOff: status === 'active' && isSettled && nextPlan === null && isByYear,
    undoFreeMonth: isSettled && nextPlan === null && isNextFree === true,
    card: paymentMethod !== null || isLive(status),
  }
}

/** `last`: what Stripe says it would still take at the end. Until it has said so nothing is promised. */
export function cancelText({ billing }: Pick<MemberRecord, 'billing'>, known: NextPaymentPreview | undefined): string {
  const last = known?.nextPayment
  const on = nextPaymentOn(billing)
  const open = billing.openInvoice
  if (billing.status === 'active' || billing.status === 'trialing') {
    const until =
      on === null ? `to the end of the ${periodWord(billing.plan ?? {})} they’ve paid for` : `to ${formatLongDate(on)}`
    return `They keep their access ${until}. ${lastText(known, 'We won’t take any more payments')}There’s no refund.`
  }
  const owed = open === null ? 'what they owe' : `the ${dueText(open)} they owe`
  return billing.status === 'past_due'
    ? `We won’t charge them for their next ${periodWord(billing.plan ?? {})}. ${last && last.due > 0 ? lastText(known, '') : ''}They can still pay ${owed}. Their access doesn’t change.`
    : `It ends now, and we’ll write off ${owed}.`
}

function lastText(known: NextPaymentPreview | undefined, none: string): string {
  if (known === undefined) return ''
  const { nextPayment: last, waitingStart: then } = known
  return `${lastPaymentText(last, { none, whose: 'Their', when: last ? `on ${formatLongDate(last.on)}` : '', then })} `
}

/** `next`: what Stripe says it would take. Without its word nothing is promised. */
export function resumeText({ billing }: Pick<MemberRecord, 'billing'>, next: NextPayment | null): string {
  if (billing.status === 'paused') {
    if (next?.due === 0)
      return `A new ${periodWord(billing.plan ?? {})} starts. ${nextText(next, 'Their', billing.plan)}`
    const sum = next === null ? '' : ` of ${dueText(next)}`
    return `A new ${periodWord(billing.plan ?? {})} starts with an unpaid invoice${sum}. We won’t charge them now.`
  }
  return next === null ? 'Payments carry on as before.' : nextText(next, 'Their', billing.plan)
}

export function nextBillText({ billing }: Pick<MemberRecord, 'billing'>, next: NextPayment | null): string {
  const day = next?.on ?? nextPaymentOn(billing)
  const on = day === null ? 'the next bill' : formatLongDate(day)
  if (next === null) return `The new tier starts on ${on}.`
  return `The new tier starts on ${on}. ${nextText(next, 'Their', billing.plan)}`
}

export function freeMonthText({ billing }: MemberRecord, next: NextPayment | null): string {
  const on = next?.on ?? nextPaymentOn(billing)
  const day = on === null ? 'the next payment day' : formatLongDate(on)
  const taken =
    next === null || next.due === 0 ? `We won’t take a payment on ${day}.` : nextText(next, 'Their', billing.plan)
  return `${taken} They pay as usual the month after. The free month has no invoice and no commission.`
}

export const billingStateFacts = ({ openInvoice, endsOn, ...billing }: BillingSubscription) => ({
  ...billing,
  isEnding: endsOn !== null,
  hasOpenInvoice: openInvoice !== null,
})

const who = { member: 'The member', owner: 'An owner', terminal: 'The terminal', site: 'The site' } as const

export const byText = ({ by, name }: Pick<MemberActivity, 'by' | 'name'>) => name ?? who[by]

type Owed = { due: number; nextAttemptAt?: string | null }

/** `owed`: null if they owe nothing, undefined where that isn’t known, as whether and when we’ll try a card again. */
export function cardLinkText(email: string, owed?: Owed | null): string {
  const link = `We’ll email ${email} a link to Billing, where they log in and add a new card. Adding it doesn’t charge them.`
  if (owed === null) return link
  if (owed === undefined) return `${link} If they owe you anything, they can pay it there.`
  const { due, nextAttemptAt } = owed
  const next = nextAttemptAt
    ? ` If they don’t, we’ll charge the new card on ${formatLongDate(nextAttemptAt)}.`
    : nextAttemptAt === null && ' We won’t try a card again.'
  return `${link} They owe ${formatPoundsAndPence(due)} and can pay it there straight away.${next || ''}`
}
