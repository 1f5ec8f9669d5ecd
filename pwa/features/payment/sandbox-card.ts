/** What is typed into the sandbox's card form. */
export type CardText = { name: string; number: string; expiry: string; code: string }
export type CardField = keyof CardText
export type CardErrors = Partial<Record<CardField, string>>

/** A card as the provider's API takes it. */
export type Card = { number: string; exp_month: number; exp_year: number; cvc: string }

const digitsOf = (text: string) => text.replace(/\D/g, '')

/** 4242 4242 4242 4242 */
export const formatNumber = (text: string) =>
  digitsOf(text)
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, '$1 ')

/** 03 / 27; also from 3/27, 0327 and a password store's 03/2027. */
export function formatExpiry(text: string): string {
  const parts = /^\s*(\d{1,2})\s*[/-]\s*(?:\d\d)?(\d\d)\s*$/.exec(text)
  if (parts) return `${(parts[1] ?? '').padStart(2, '0')} / ${parts[2]}`
  const digits = digitsOf(text.replace(/^\s*(\d)\s*[/-]/, '0$1')).slice(0, 4)
  const month = /^[2-9]/.test(digits) ? `0${digits}` : digits
  return month.length > 2 ? `${month.slice(0, 2)} / ${month.slice(2, 4)}` : month
}

export const formatCode = (text: string) => digitsOf(text).slice(0, 4)

/** Marks what is missing or cannot be; `today` decides whether the date has passed. */
export function checkCard(text: CardText, today: Date): { card: Card; errors: CardErrors } {
  const number = digitsOf(text.number)
  const [month = 0, year = 0] = text.expiry.split('/').map((part) => Number(digitsOf(part)))
  const card = { number, exp_month: month, exp_year: 2000 + year, cvc: digitsOf(text.code) }
  const found: Record<CardField, string | undefined> = {
    name: text.name.trim() === '' ? 'Name on card is required' : undefined,
    number: numberError(number),
    expiry: expiryError(text.expiry, card, today),
    code: codeError(card.cvc),
  }
  const errors: CardErrors = {}
  for (const field of ['name', 'number', 'expiry', 'code'] as const) {
    if (found[field] !== undefined) errors[field] = found[field]
  }
  return { card, errors }
}

function numberError(number: string): string | undefined {
  if (number === '') return 'Card number is required'
  if (number.length < 12) return 'The card number is too short'
  return passesLuhn(number) ? undefined : 'The card number is not right'
}

function codeError(code: string): string | undefined {
  if (code === '') return 'Security code is required'
  return code.length < 3 ? 'The security code is too short' : undefined
}

function expiryError(text: string, { exp_month, exp_year }: Card, today: Date): string | undefined {
  if (text === '') return 'Expiry date is required'
  if (digitsOf(text).length < 4) return 'The date is too short'
  if (exp_month < 1 || exp_month > 12) return 'There is no such month'
  const thisYear = today.getFullYear()
  const hasPassed = exp_year < thisYear || (exp_year === thisYear && exp_month < today.getMonth() + 1)
  return hasPassed ? 'This date has passed' : undefined
}

/** The check digit of every card number (ISO/IEC 7812). */
function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** Which field a refusal of the provider belongs to, and what is said under it; none for a fault that is nobody's field. */
export function errorsOfRefusal({ code }: { code?: string | undefined }): CardErrors {
  switch (code) {
    case 'card_declined':
      return { number: 'This card was declined' }
    case 'incorrect_number':
    case 'invalid_number':
      return { number: 'The card number is not right' }
    case 'expired_card':
      return { expiry: 'This date has passed' }
    case 'invalid_expiry_month':
    case 'invalid_expiry_year':
      return { expiry: 'This date is not right' }
    case 'incorrect_cvc':
    case 'invalid_cvc':
      return { code: 'The security code is not right' }
    default:
      return {}
  }
}
