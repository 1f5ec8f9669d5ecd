import { namedCard, type TestCard, testCard } from '#api/sandbox/billing/test-cards.ts'
import { cardError } from '#api/sandbox/http/errors.ts'

export type CardParams = { number: string; exp_month: number; exp_year: number; cvc?: string | undefined }
export type KnownCard = Omit<TestCard, 'number' | 'names'> & { last4: string; exp_month: number; exp_year: number }

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** The year in full; `now` in unix seconds. */
export function checkExpiry(given: number, month: number, now: number): number {
  const year = given < 100 ? given + 2000 : given
  const today = new Date(now * 1000)
  if (month < 1 || month > 12) {
    throw cardError('invalid_expiry_month', "Your card's expiration month is invalid.", { param: 'exp_month' })
  }
  const thisYear = today.getUTCFullYear()
  if (year < thisYear || year > thisYear + 50) {
    throw cardError('invalid_expiry_year', "Your card's expiration year is invalid.", { param: 'exp_year' })
  }
  if (year === thisYear && month < today.getUTCMonth() + 1) {
    throw cardError('expired_card', 'Your card has expired.', { param: 'exp_month' })
  }
  return year
}

/** Checks a typed card as Stripe does, in its order: number, expiry, security code. `now` in unix seconds. */
export function readCard(params: CardParams, now: number): KnownCard {
  const number = params.number.replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) {
    throw cardError('incorrect_number', 'Your card number is incorrect.', { param: 'number' })
  }
  const year = checkExpiry(params.exp_year, params.exp_month, now)
  if (params.cvc !== undefined && !/^\d{3,4}$/.test(params.cvc)) {
    throw cardError('invalid_cvc', "Your card's security code is invalid.", { param: 'cvc' })
  }
  const known = testCard(number)
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
    funding: known.funding,
    exp_month: params.exp_month,
    exp_year: year,
  }
}

/** The card behind one of Stripe's ready-made names, as it is given to a payment method. */
export function readyCard(name: string, prefix: 'pm_card_' | 'tok_', now: number): KnownCard | null {
  const number = namedCard(name, prefix)?.number
  if (number === undefined) return null
  return readCard({ number, exp_month: 12, exp_year: new Date(now * 1000).getUTCFullYear() + 4 }, now)
}
