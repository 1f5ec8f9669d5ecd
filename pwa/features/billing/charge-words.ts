import type { BillingSubscription, OpenInvoice } from '#shared/contract/billing.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { formatPoundsAndPence, type Price } from '#shared/rules/money.ts'

/** £300.00 (£250.00 + £50.00 VAT) */
export const priceInWords = ({ net, vat, total }: Price): string =>
  `${formatPoundsAndPence(total)} (${formatPoundsAndPence(net)} + ${formatPoundsAndPence(vat)} VAT)`

/** A day, YYYY-MM-DD of Europe/London: of the next payment, or of the end where there is none. Null where neither is known. */
export const nextDayOf = ({ next_billing_date, firstPaymentOn, endsOn }: BillingSubscription): string | null =>
  firstPaymentOn ?? (next_billing_date === null ? endsOn : londonDay(new Date(next_billing_date * 1000)))

const onDay = (day: string | null) => (day === null ? 'With your next payment' : `On ${formatLongDate(day)}`)

/** What is taken next, when, and from where (a name, such as "Visa ending 4242"). Null where nothing is. */
export function nextPaymentWords(billing: BillingSubscription, from: string | null): string | null {
  const { status, endsOn, nextPlan, plan } = billing
  const price = nextPlan ?? plan
  if (status !== 'active' && status !== 'trialing') return null
  if (endsOn !== null) {
    const kept = billing.isRevoked ? 'Your subscription runs until' : 'You keep your access until'
    return `${kept} ${formatLongDate(endsOn)}. No further payment is taken.`
  }
  const day = nextDayOf(billing)
  if (price === null || day === null) return null
  const which = status === 'trialing' ? 'first' : 'next'
  return `Your ${which} payment of ${priceInWords(price)} is taken on ${formatLongDate(day)}${from ? ` from ${from}` : ''}.`
}

type NamedPrice = Price & { name: string }

/** What a change of tier costs, and when. */
export function tierChangeWords(billing: BillingSubscription, to: NamedPrice): string[] {
  const kept = billing.plan ? [`Until then you keep ${billing.plan.name}.`] : []
  return [
    'Nothing is taken today.',
    `${onDay(nextDayOf(billing))} we take ${priceInWords(to)} for ${to.name}, and the same every month after.`,
    ...kept,
    'You can undo this until that day, and cancel anytime.',
  ]
}

/** What cancelling does in a state. */
export function cancelWords(billing: BillingSubscription): string[] {
  const day = nextDayOf(billing)
  switch (billing.status) {
    case 'active':
      return [
        ...(billing.isRevoked ? [] : [day ? `You keep your access until ${formatLongDate(day)}.` : keptToTheEnd]),
        'After that your membership ends and no further payment is taken.',
        ...droppedChange(billing),
        'There is no minimum and no notice. You can take this back until then.',
      ]
    case 'trialing':
      return [
        day
          ? `Your membership ends on ${formatLongDate(day)}, before its first payment.`
          : 'It ends before its first payment.',
        ...droppedChange(billing),
        'Nothing is taken. You can take this back until then.',
      ]
    case 'past_due':
      return [
        'Your membership ends with the month that is running, and no new payment is asked for.',
        `${openDemand(billing)} stays open until then, and may still be taken from your card. After that it is dropped.`,
      ]
    case 'incomplete':
      return ['The payment that was begun is dropped. Nothing has been taken, and nothing will be.']
    default:
      return ['Your membership ends at once, and no further payment is asked for.', 'You can start a new one anytime.']
  }
}

const openDemand = ({ openInvoice }: BillingSubscription) =>
  openInvoice === null ? 'The open invoice' : `The open invoice of ${priceInWords(openInvoice)}`

/** What another card is agreed to for: what is taken from it, and when. */
export function cardChangeWords(billing: BillingSubscription): string {
  const { status, endsOn, plan, nextPlan } = billing
  const [use, price, day] = ['Use this card from now on.', nextPlan ?? plan, nextDayOf(billing)]
  // The provider tries again by itself, and takes whichever card there is then.
  if (status === 'past_due') return `${use} ${openDemand(billing)} is taken from it at the next try.`
  const runs = (status === 'active' || status === 'trialing') && endsOn === null
  const next = runs && price && day ? ` ${priceInWords(price)} is taken from it on ${formatLongDate(day)}.` : ''
  return `${use} Nothing is taken today.${next}`
}

/** A booked tier goes with the cancelling, and does not come back with the membership. */
const droppedChange = ({ nextPlan }: BillingSubscription) =>
  nextPlan === null ? [] : [`Your change to ${nextPlan.name} is dropped.`]

const keptToTheEnd = 'You keep your access until the end of the month you have paid for.'

/** What ending a membership does that asks for payments no more. */
export const endWords = [
  'Your membership ends at once. What is still open is dropped: nothing more is asked for it.',
  'Then you choose a tier and start a new membership. Nothing is taken before you pay for that.',
]

/** What going on costs, and when. */
export function resumeWords(billing: BillingSubscription): string[] {
  const day = nextDayOf(billing)
  const price = billing.nextPlan ?? billing.plan
  if (billing.status === 'paused') {
    return [
      price === null
        ? 'Your membership goes on, and its next month is asked for.'
        : `Your membership goes on, and ${priceInWords(price)} is asked for now, and the same every month until you cancel.`,
      'This press takes nothing: you pay in the next step.',
    ]
  }
  if (price === null) return ['Your membership goes on. Nothing is taken today.']
  return [
    'Nothing is taken today, and your membership goes on.',
    `${onDay(day)} we take ${priceInWords(price)}, and the same every month until you cancel.`,
  ]
}

/** Why an invoice is open, and what paying it does. */
export function openInvoiceWords({ status, hasAccess, graceEndsOn }: BillingSubscription): string {
  if (status === 'unpaid') return 'We have stopped asking for it. Pay it, and your membership goes on.'
  const day = graceEndsOn && formatLongDate(graceEndsOn)
  if (status !== 'past_due') return 'Pay it, and everything is in order.'
  if (hasAccess)
    return `Your last payment didn’t go through. You keep your access${day ? ` until ${day}` : ' for now'}.`
  return `Your last payment didn’t go through, and your access ended${day ? ` on ${day}` : ''}. Pay it, and it is back.`
}

/** "Open since 12 July 2026." */
export const openSince = ({ created }: OpenInvoice): string => `Open since ${formatLongDate(created)}.`
