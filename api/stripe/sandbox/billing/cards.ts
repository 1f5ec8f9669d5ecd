import { cardError } from '#api/stripe/sandbox/http/errors.ts'
import type { Behaviour } from '#api/stripe/sandbox/store/payment-objects.ts'

type TestCard = { number: string; brand: string; behaviour: Behaviour }

/** The numbers of Stripe's own list that the sandbox knows; any other real-looking number is refused and never stored. */
const TEST_CARDS: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', behaviour: 'succeeds' },
  { number: '5555555555554444', brand: 'mastercard', behaviour: 'succeeds' },
  { number: '4000002500003155', brand: 'visa', behaviour: 'authenticates_once' },
  { number: '4000002760003184', brand: 'visa', behaviour: 'authenticates_always' },
  { number: '4000000000000002', brand: 'visa', behaviour: 'declined' },
  { number: '4000000000009995', brand: 'visa', behaviour: 'insufficient_funds' },
  { number: '4000000000000341', brand: 'visa', behaviour: 'fails_later' },
]

const TOKENS: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeCustomerFail: '4000000000000341',
}

export type CardParams = { number: string; exp_month: number; exp_year: number; cvc?: string | undefined }
export type KnownCard = { last4: string; brand: string; behaviour: Behaviour; exp_month: number; exp_year: number }

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

function checkExpiry(year: number, month: number, today: Date): void {
  if (month < 1 || month > 12) {
    throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.", { param: 'exp_month' })
  }
  const thisYear = today.getUTCFullYear()
  if (year > thisYear + 50) {
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", { param: 'exp_year' })
  }
  if (year < thisYear || (year === thisYear && month < today.getUTCMonth() + 1)) {
    throw cardError('expired_card', 'Your card has expired.', { param: 'exp_month' })
  }
}

/** Checks a typed card as Stripe does, in its order: number, expiry, security code. `now` in unix seconds. */
export function readCard(params: CardParams, now: number): KnownCard {
  const number = params.number.replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) {
    throw cardError('incorrect_number', 'Your card number is incorrect.', { param: 'number' })
  }
  const year = params.exp_year < 100 ? params.exp_year + 2000 : params.exp_year
  checkExpiry(year, params.exp_month, new Date(now * 1000))
  if (params.cvc !== undefined && !/^\d{3,4}$/.test(params.cvc)) {
    throw cardError('incorrect_cvc', "Your card's security code is incorrect.", { param: 'cvc' })
  }
  const known = TEST_CARDS.find((card) => card.number === number)
  if (known === undefined) {
    throw cardError(
      'card_declined',
      'Your card was declined. Your request was in test mode, but used a non test card.',
      {
        decline_code: 'test_mode_live_card',
        param: 'number',
      },
    )
  }
  return {
    last4: number.slice(-4),
    brand: known.brand,
    behaviour: known.behaviour,
    exp_month: params.exp_month,
    exp_year: year,
  }
}

/** The card behind one of Stripe's ready-made names such as `pm_card_visa`. */
export function tokenCard(token: string, now: number): KnownCard | null {
  const number = Object.hasOwn(TOKENS, token) ? TOKENS[token] : undefined
  if (number === undefined) return null
  return readCard({ number, exp_month: 12, exp_year: new Date(now * 1000).getUTCFullYear() + 4 }, now)
}
