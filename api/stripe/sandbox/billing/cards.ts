import { cardError } from '#api/stripe/sandbox/http/errors.ts'
import type { Behaviour } from '#api/stripe/sandbox/store/payment-objects.ts'

type TestCard = { number: string; token: string; brand: string; behaviour: Behaviour }

/** The numbers of Stripe's own list that the sandbox knows; any other real-looking number is refused and never stored. */
const TABLE: readonly (readonly [number: string, token: string, brand: string, behaviour: Behaviour])[] = [
  ['4242424242424242', 'pm_card_visa', 'visa', 'succeeds'],
  ['5555555555554444', 'pm_card_mastercard', 'mastercard', 'succeeds'],
  ['378282246310005', 'pm_card_amex', 'amex', 'succeeds'],
  ['4000002500003155', 'pm_card_authenticationRequiredOnSetup', 'visa', 'authenticates_once'],
  ['4000002760003184', 'pm_card_authenticationRequired', 'visa', 'authenticates_always'],
  ['4000008400001629', 'pm_card_threeDSecureRequiredChargeDeclined', 'visa', 'authenticates_in_vain'],
  ['4000000000000002', 'pm_card_chargeDeclined', 'visa', 'declined'],
  ['4000000000009995', 'pm_card_chargeDeclinedInsufficientFunds', 'visa', 'insufficient_funds'],
  ['4000000000009987', 'pm_card_chargeDeclinedLostCard', 'visa', 'lost_card'],
  ['4000000000009979', 'pm_card_chargeDeclinedStolenCard', 'visa', 'stolen_card'],
  ['4000000000000069', 'pm_card_chargeDeclinedExpiredCard', 'visa', 'expired_card'],
  ['4000000000000127', 'pm_card_chargeDeclinedIncorrectCvc', 'visa', 'incorrect_cvc'],
  ['4000000000000119', 'pm_card_chargeDeclinedProcessingError', 'visa', 'processing_error'],
  ['4000000000000341', 'pm_card_chargeCustomerFail', 'visa', 'fails_later'],
]

const TEST_CARDS: readonly TestCard[] = TABLE.map(([number, token, brand, behaviour]) => ({
  number,
  token,
  brand,
  behaviour,
}))

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
  const number = TEST_CARDS.find((card) => card.token === token)?.number
  if (number === undefined) return null
  return readCard({ number, exp_month: 12, exp_year: new Date(now * 1000).getUTCFullYear() + 4 }, now)
}
