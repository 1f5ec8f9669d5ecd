import type { PaymentMethod } from '#shared/contract/billing.ts'

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

const methodTypeNames: Record<string, string> = { paypal: 'PayPal', bacs_debit: 'Direct Debit', link: 'Link' }

export function methodLabel({ type, brand, last4 }: PaymentMethod): string {
  const name = (brand ? brandNames[brand] : methodTypeNames[type]) ?? (type === 'card' ? 'Card' : capitalize(type))
  return last4 ? `${name} ending ${last4}` : name
}

function capitalize(type: string) {
  const words = type.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
