import type { BillingAddress, BillingSubscription } from '#shared/contract/billing.ts'
import type { MemberActivity, MemberRecord } from '#shared/contract/member-record.ts'
import { periodWord } from '#shared/rules/charge.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { isLive } from '#shared/rules/membership.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

export type Price = { net: number; vat: number; total: number }

/** `£300.00 (£250.00 + £50.00 VAT)` */
export const priceText = ({ net, vat, total }: Price) =>
  `${formatPoundsAndPence(total)} (${formatPoundsAndPence(net)} + ${formatPoundsAndPence(vat)} VAT)`

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
  if (news === null) return 'Hasn’t said yes to them'
  const { isWanted, at, source } = news
  if (!isWanted) return `Stopped them on ${formatLongDate(at)}`
  return `Agreed on ${formatLongDate(at)}${source === null ? '' : `, in ${source}`}`
}

const running = ['active', 'trialing', 'past_due']

export type Can = Record<
  'cancel' | 'resume' | 'changeTier' | 'freeMonth' | 'undoFreeMonth' | 'undoTier' | 'card',
  boolean
>

/** Only hides what can’t work. The server decides. */
export function actionsOf({ billing, paymentMethod }: MemberRecord): Can {
  const { status, endsOn, nextPlan, isRevoked, isNextFree, plan } = billing
  const isSettled = (status === 'active' || status === 'trialing') && endsOn === null && !isRevoked
  return {
    cancel: isLive(status) && (endsOn === null || !running.includes(status)),
    resume: !isRevoked && ((isLive(status) && endsOn !== null) || status === 'paused'),
    changeTier: isSettled && plan !== null,
    undoTier: isSettled && nextPlan !== null && nextPlan.slug !== plan?.slug,
    freeMonth: isSettled && nextPlan === null && isNextFree !== true,
    undoFreeMonth: isSettled && nextPlan === null && isNextFree === true,
    card: paymentMethod !== null || isLive(status),
  }
}

export function cancelText({ billing }: MemberRecord): string {
  const on = nextPaymentOn(billing)
  const open = billing.openInvoice
  if (billing.status === 'active' || billing.status === 'trialing') {
    const until = on === null ? 'to the end of the month they’ve paid for' : `to ${formatLongDate(on)}`
    return `We won’t take any more payments. They keep their access ${until}. There’s no refund.`
  }
  const owed = open === null ? 'what they owe' : `the ${priceText(open)} they owe`
  return billing.status === 'past_due'
    ? `We won’t charge another month. They can still pay ${owed}. Their access doesn’t change.`
    : `It ends now, and we’ll write off ${owed}.`
}

export function resumeText({ billing }: Pick<MemberRecord, 'billing'>): string {
  if (billing.status === 'paused') return 'A new month starts with an unpaid invoice. We won’t charge them now.'
  const price = billing.nextPlan ?? billing.plan
  if (price === null || billing.endsOn === null) return 'Payments carry on as before.'
  const on = formatLongDate(billing.endsOn)
  return billing.isNextFree
    ? `The month from ${on} is free, then we’ll take ${priceText(price)} a month.`
    : `We’ll take ${priceText(price)} on ${on}, and every ${periodWord(billing.nextPlan === null ? billing.plan?.months : 1)} after.`
}

export function nextBillText({ billing }: Pick<MemberRecord, 'billing'>, to: Price): string {
  const day = nextPaymentOn(billing)
  const on = day === null ? 'the next bill' : formatLongDate(day)
  return billing.isNextFree
    ? `The new tier starts on ${on}. Its first month is free, then it’s ${priceText(to)} a month.`
    : `They’ll pay ${priceText(to)} a month from ${on}.`
}

export function freeMonthText({ billing }: MemberRecord): string {
  const on = nextPaymentOn(billing)
  const day = on === null ? 'the next payment day' : formatLongDate(on)
  return billing.plan === null
    ? `We won’t take a payment on ${day}.`
    : `We won’t take ${priceText(billing.plan)} on ${day}. They pay as usual the month after. The free month has no invoice and no commission.`
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
