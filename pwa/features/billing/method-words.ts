import type { PaymentMethod } from '#shared/contract/billing.ts'

const brands: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'Eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** Of kinds that are not cards. */
const kinds: Record<string, string> = { paypal: 'PayPal', bacs_debit: 'Direct Debit', link: 'Link' }

/** "Visa ending 4242", "PayPal". */
export function nameOfMethod({ type, brand, last4 }: PaymentMethod): string {
  const name = (brand ? brands[brand] : kinds[type]) ?? (type === 'card' ? 'Card' : capitalised(type))
  return last4 ? `${name} ending ${last4}` : name
}

function capitalised(type: string) {
  const words = type.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

export type Expiry = { words: string; state: 'good' | 'soon' | 'over' }

/** How many months before its end a card is said to expire. */
const soonMonths = 2

/** A card is good to the end of its month. Null where a method does not expire. */
export function expiryOf({ expMonth, expYear }: PaymentMethod, now: Date): Expiry | null {
  if (expMonth === null || expYear === null) return null
  const left = expYear * 12 + expMonth - (now.getFullYear() * 12 + now.getMonth() + 1)
  const date = `${String(expMonth).padStart(2, '0')}/${expYear}`
  if (left < 0) return { words: `Has expired, ${date}`, state: 'over' }
  if (left < soonMonths) return { words: `Expires soon, ${date}`, state: 'soon' }
  return { words: `Expires ${date}`, state: 'good' }
}
