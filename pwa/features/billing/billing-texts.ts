import type { BillingSubscription, PaymentMethod } from '#shared/contract/billing.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { dueText, nextText } from '#shared/rules/payment-words.ts'

/** The day of the next payment, or of the end if there's none; null if we know neither. YYYY-MM-DD in London. */
export const nextPaymentDay = ({ next_billing_date, firstPaymentOn, endsOn }: BillingSubscription): string | null =>
  firstPaymentOn ?? (next_billing_date === null ? endsOn : londonDay(new Date(next_billing_date * 1000)))

export const openInvoiceLabel = ({ openInvoice }: BillingSubscription) =>
  openInvoice === null ? 'what you owe' : `the ${dueText(openInvoice)} you owe`

export function cardConsentText(billing: BillingSubscription): string {
  const { status, nextPayment: next } = billing
  const use = 'Use this card from now on.'
  // The provider retries automatically, with the card on file by then.
  if (status === 'past_due') return `${use} We’ll try it next for ${openInvoiceLabel(billing)}.`
  if (next === undefined) return `${use} You won’t be charged today.`
  return `${use} You won’t be charged today. ${nextText(next, 'Your', billing.plan)}`
}

/** There's no card to charge: what that means, and how to add one if they can. */
export function noMethodText(billing: BillingSubscription, canAdd: boolean): string {
  if (!canAdd) return 'No card saved.'
  const { nextPayment } = billing
  return nextPayment === undefined || nextPayment.due === 0
    ? 'No card saved. Add one below.'
    : `No card saved. Add one by ${formatLongDate(nextPayment.on)} so your next payment goes through.`
}

export function openInvoiceText({ status, openInvoice }: BillingSubscription): string {
  const since = openInvoice && `Due since ${formatLongDate(openInvoice.created)}.`
  return [openReasons[status], since].filter(Boolean).join(' ')
}

const openReasons: Partial<Record<BillingSubscription['status'], string>> = {
  past_due: 'Your last payment didn’t go through.',
  unpaid: 'Your payments didn’t go through, and we won’t try your card again.',
}

type Expiry = { text: string; state: 'valid' | 'soon' | 'expired' }

/** We say a card expires soon this many months before its end. */
const soonMonths = 2

/** A card is valid to the end of its month. Null if a method doesn't expire. */
export function expiryOf({ expMonth, expYear }: PaymentMethod, now: Date): Expiry | null {
  if (expMonth === null || expYear === null) return null
  const monthsLeft = expYear * 12 + expMonth - (now.getFullYear() * 12 + now.getMonth() + 1)
  const date = `${String(expMonth).padStart(2, '0')}/${expYear}`
  if (monthsLeft < 0) return { text: `Expired ${date}`, state: 'expired' }
  if (monthsLeft < soonMonths) return { text: `Expires soon, ${date}`, state: 'soon' }
  return { text: `Expires ${date}`, state: 'valid' }
}
