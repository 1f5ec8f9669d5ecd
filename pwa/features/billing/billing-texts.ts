import type { BillingSubscription, OpenInvoice, PaymentMethod } from '#shared/contract/billing.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { formatPoundsAndPence, type Price } from '#shared/rules/money.ts'

/** £300.00 (£250.00 + £50.00 VAT) */
export const priceText = ({ net, vat, total }: Price): string =>
  `${formatPoundsAndPence(total)} (${formatPoundsAndPence(net)} + ${formatPoundsAndPence(vat)} VAT)`

/** The day of the next payment, or of the end if no payment follows; null if neither is known. YYYY-MM-DD in London. */
export const nextPaymentDay = ({ next_billing_date, firstPaymentOn, endsOn }: BillingSubscription): string | null =>
  firstPaymentOn ?? (next_billing_date === null ? endsOn : londonDay(new Date(next_billing_date * 1000)))

/** `from` is a label such as "Visa ending 4242". Null if no payment follows. */
export function nextPaymentText(billing: BillingSubscription, from: string | null): string | null {
  const { status, endsOn, nextPlan, plan } = billing
  const price = nextPlan ?? plan
  if (status !== 'active' && status !== 'trialing') return null
  if (endsOn !== null) {
    const access = billing.isRevoked ? 'Your subscription runs until' : 'You keep your access until'
    return `${access} ${formatLongDate(endsOn)}. No further payment is taken.`
  }
  const day = nextPaymentDay(billing)
  if (price === null || day === null) return null
  const which = status === 'trialing' ? 'first' : 'next'
  return `Your ${which} payment of ${priceText(price)} is taken on ${formatLongDate(day)}${from ? ` from ${from}` : ''}.`
}

export const openInvoiceLabel = ({ openInvoice }: BillingSubscription) =>
  openInvoice === null ? 'The open invoice' : `The open invoice of ${priceText(openInvoice)}`

/** What the member agrees to with another card: what is taken from it, and when. */
export function cardConsentText(billing: BillingSubscription): string {
  const { status, endsOn, plan, nextPlan } = billing
  const [use, price, day] = ['Use this card from now on.', nextPlan ?? plan, nextPaymentDay(billing)]
  // The provider retries by itself, with the card that is on file by then.
  if (status === 'past_due') return `${use} ${openInvoiceLabel(billing)} is taken from it at the next try.`
  const isRunning = (status === 'active' || status === 'trialing') && endsOn === null
  const next = isRunning && price && day ? ` ${priceText(price)} is taken from it on ${formatLongDate(day)}.` : ''
  return `${use} Nothing is taken today.${next}`
}

export function openInvoiceText({ status, hasAccess, graceEndsOn }: BillingSubscription): string {
  if (status === 'unpaid') return 'We have stopped asking for it. Pay it, and your membership goes on.'
  const day = graceEndsOn && formatLongDate(graceEndsOn)
  if (status !== 'past_due') return 'Pay it, and everything is in order.'
  if (hasAccess)
    return `Your last payment didn’t go through. You keep your access${day ? ` until ${day}` : ' for now'}.`
  return `Your last payment didn’t go through, and your access ended${day ? ` on ${day}` : ''}. Pay it, and it is back.`
}

/** "Open since 12 July 2026." */
export const openSinceText = ({ created }: OpenInvoice): string => `Open since ${formatLongDate(created)}.`

const brandNames: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'Eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** For payment methods other than cards. */
const methodTypeNames: Record<string, string> = { paypal: 'PayPal', bacs_debit: 'Direct Debit', link: 'Link' }

/** "Visa ending 4242", "PayPal". */
export function methodLabel({ type, brand, last4 }: PaymentMethod): string {
  const name = (brand ? brandNames[brand] : methodTypeNames[type]) ?? (type === 'card' ? 'Card' : capitalize(type))
  return last4 ? `${name} ending ${last4}` : name
}

function capitalize(type: string) {
  const words = type.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

type Expiry = { text: string; state: 'valid' | 'soon' | 'expired' }

/** How many months before its end a card is said to expire soon. */
const soonMonths = 2

/** A card is valid to the end of its month. Null if a method does not expire. */
export function expiryOf({ expMonth, expYear }: PaymentMethod, now: Date): Expiry | null {
  if (expMonth === null || expYear === null) return null
  const monthsLeft = expYear * 12 + expMonth - (now.getFullYear() * 12 + now.getMonth() + 1)
  const date = `${String(expMonth).padStart(2, '0')}/${expYear}`
  if (monthsLeft < 0) return { text: `Has expired, ${date}`, state: 'expired' }
  if (monthsLeft < soonMonths) return { text: `Expires soon, ${date}`, state: 'soon' }
  return { text: `Expires ${date}`, state: 'valid' }
}
