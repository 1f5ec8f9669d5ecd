import type { SandboxError } from './queries.ts'

export type CardText = { name: string; number: string; expiry: string; code: string }
export type CardField = keyof CardText
export type CardErrors = Partial<Record<CardField, string>>

type Card = { number: string; exp_month: number; exp_year: number; cvc: string }

export type PaymentMethodData = { type: 'card'; card: Card; name?: string } | { type: 'paypal' }

export type CardElementOptions = {
  /** The ways to pay, in the order of their tabs; a card on its own needs no tab. */
  paymentMethodOrder?: readonly string[]
  fields?: { billingDetails?: { name?: 'auto' | 'never' } }
  defaultValues?: { billingDetails?: { name?: string } }
}

const methodTypes = ['card', 'paypal'] as const
export type MethodType = (typeof methodTypes)[number]

type CardState = {
  text: CardText
  errors: CardErrors
  asksName: boolean
  methods: readonly MethodType[]
  method: MethodType
}

export const emptyCard: CardText = { name: '', number: '', expiry: '', code: '' }

export type CardStore = ReturnType<typeof createCardStore>

/** One card form's state, for the form and for the element around it. */
export function createCardStore({ fields, defaultValues, paymentMethodOrder = ['card'] }: CardElementOptions) {
  const asksName = fields?.billingDetails?.name !== 'never'
  const name = defaultValues?.billingDetails?.name ?? ''
  const methods = methodTypes.filter((type) => paymentMethodOrder.includes(type))
  let state: CardState = { text: { ...emptyCard, name }, errors: {}, asksName, methods, method: methods[0] ?? 'card' }
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set: (change: Partial<CardState>) => {
      state = { ...state, ...change }
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** The chosen payment method, or null with the card's errors. */
export function checkCardState({ text, asksName, method }: CardState): {
  data: PaymentMethodData | null
  errors: CardErrors
} {
  if (method === 'paypal') return { data: { type: method }, errors: {} }
  const { card, errors } = checkCard(asksName ? text : { ...text, name: 'asked by the site' }, new Date())
  if (Object.keys(errors).length > 0) return { data: null, errors }
  return { data: { type: 'card', card, ...(asksName && { name: text.name.trim() }) }, errors }
}

const digitsOf = (text: string) => text.replace(/\D/g, '')

export const formatNumber = (text: string) =>
  digitsOf(text)
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, '$1 ')

/** 03 / 27; also from 3/27, 0327 and a password manager's 03/2027. */
export function formatExpiry(text: string): string {
  const parts = /^\s*(\d{1,2})\s*[/-]\s*(?:\d\d)?(\d\d)\s*$/.exec(text)
  if (parts) return `${(parts[1] ?? '').padStart(2, '0')} / ${parts[2]}`
  const digits = digitsOf(text.replace(/^\s*(\d)\s*[/-]/, '0$1')).slice(0, 4)
  const month = /^[2-9]/.test(digits) ? `0${digits}` : digits
  return month.length > 2 ? `${month.slice(0, 2)} / ${month.slice(2, 4)}` : month
}

export const formatCode = (text: string) => digitsOf(text).slice(0, 4)

/** Errors say what's missing or impossible; `today` decides whether the date has passed. */
export function checkCard(text: CardText, today: Date): { card: Card; errors: CardErrors } {
  const number = digitsOf(text.number)
  const [month = 0, year = 0] = text.expiry.split('/').map((part) => Number(digitsOf(part)))
  const card = { number, exp_month: month, exp_year: 2000 + year, cvc: digitsOf(text.code) }
  const messages: Record<CardField, string | undefined> = {
    name: text.name.trim() === '' ? 'Name on card is required' : undefined,
    number: numberError(number),
    expiry: expiryError(text.expiry, card, today),
    code: codeError(card.cvc),
  }
  const errors: CardErrors = {}
  for (const field of ['name', 'number', 'expiry', 'code'] as const) {
    if (messages[field] !== undefined) errors[field] = messages[field]
  }
  return { card, errors }
}

function numberError(number: string): string | undefined {
  if (number === '') return 'Card number is required'
  if (number.length < 12) return 'The card number is too short'
  return isLuhnValid(number) ? undefined : 'Check the card number'
}

function codeError(code: string): string | undefined {
  if (code === '') return 'Security code is required'
  return code.length < 3 ? 'The security code is too short' : undefined
}

function expiryError(text: string, { exp_month, exp_year }: Card, today: Date): string | undefined {
  if (text === '') return 'Expiry date is required'
  if (digitsOf(text).length < 4) return 'The date is too short'
  if (exp_month < 1 || exp_month > 12) return 'The month is from 01 to 12'
  const thisYear = today.getFullYear()
  const hasPassed = exp_year < thisYear || (exp_year === thisYear && exp_month < today.getMonth() + 1)
  return hasPassed ? 'This date has passed' : undefined
}

/** The check digit of every card number (ISO/IEC 7812). */
function isLuhnValid(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** The field a rejection belongs to, with the message under it; none if no field is at fault. */
export function errorsOfRejection({ code }: Pick<SandboxError, 'code'>): CardErrors {
  switch (code) {
    case 'card_declined':
      return { number: 'This card was declined' }
    case 'incorrect_number':
    case 'invalid_number':
      return { number: 'Check the card number' }
    case 'expired_card':
      return { expiry: 'This date has passed' }
    case 'invalid_expiry_month':
    case 'invalid_expiry_year':
      return { expiry: 'Check the date' }
    case 'incorrect_cvc':
    case 'invalid_cvc':
      return { code: 'Check the security code' }
    default:
      return {}
  }
}
