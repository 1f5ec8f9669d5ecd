import { cardError } from '#api/sandbox/errors.ts'
import type { Behaviour } from '#api/sandbox/store/payment-objects.ts'

type Funding = 'credit' | 'debit' | 'prepaid'

type TestCard = {
  number: string
  brand: string
  behaviour: Behaviour
  funding: Funding
  /** What follows `pm_card_` and `tok_` in Stripe's names for the card. */
  names: string[]
}

type Row = readonly [number: string, brand: string, behaviour: Behaviour, names: string, funding?: Funding]

/** Numbers from Stripe's list of test cards. Any other number is declined and never stored. */
const testCardTable: readonly Row[] = [
  ['4242424242424242', 'visa', 'succeeds', 'visa us'],
  ['4012888888881881', 'visa', 'succeeds', ''],
  ['4000000000000077', 'visa', 'succeeds', 'bypassPending'],
  ['4000056655665556', 'visa', 'succeeds', 'visa_debit', 'debit'],
  ['4000008260000000', 'visa', 'succeeds', 'gb'],
  ['4000058260000005', 'visa', 'succeeds', 'gb_debit', 'debit'],
  ['5555555555554444', 'mastercard', 'succeeds', 'mastercard'],
  ['2223003122003222', 'mastercard', 'succeeds', ''],
  ['5200828282828210', 'mastercard', 'succeeds', 'mastercard_debit', 'debit'],
  ['5105105105105100', 'mastercard', 'succeeds', 'mastercard_prepaid', 'prepaid'],
  ['378282246310005', 'amex', 'succeeds', 'amex'],
  ['371449635398431', 'amex', 'succeeds', ''],
  ['6011111111111117', 'discover', 'succeeds', 'discover'],
  ['3056930009020004', 'diners', 'succeeds', 'diners'],
  ['3566002020360505', 'jcb', 'succeeds', 'jcb'],
  ['6200000000000005', 'unionpay', 'succeeds', 'unionpay'],
  ['4000000000003055', 'visa', 'succeeds', 'threeDSecureOptional'],
  ['4000002500003155', 'visa', 'authenticates_once', 'authenticationRequiredOnSetup'],
  ['4000002760003184', 'visa', 'authenticates_always', 'authenticationRequired'],
  ['4000000000003220', 'visa', 'authenticates_always', 'threeDSecure2Required'],
  ['4000003800000446', 'visa', 'authenticates_on_session', 'authenticationRequiredSetupForOffSession'],
  ['4000008400001629', 'visa', 'authenticates_in_vain', 'threeDSecureRequiredChargeDeclined'],
  ['4000008260003178', 'visa', 'authenticates_without_funds', 'authenticationRequiredChargeDeclinedInsufficientFunds'],
  ['4000000000000002', 'visa', 'declined', 'visa_chargeDeclined chargeDeclined'],
  [
    '4000000000009995',
    'visa',
    'insufficient_funds',
    'visa_chargeDeclinedInsufficientFunds chargeDeclinedInsufficientFunds',
  ],
  ['4000000000009987', 'visa', 'lost_card', 'visa_chargeDeclinedLostCard chargeDeclinedLostCard'],
  ['4000000000009979', 'visa', 'stolen_card', 'visa_chargeDeclinedStolenCard chargeDeclinedStolenCard'],
  ['4000000000006975', 'visa', 'too_often', 'visa_chargeDeclinedVelocityLimitExceeded'],
  ['4100000000000019', 'visa', 'fraudulent', 'radarBlock chargeDeclinedFraudulent'],
  ['4000000000000069', 'visa', 'expired_card', 'chargeDeclinedExpiredCard'],
  ['4000000000000127', 'visa', 'incorrect_cvc', 'chargeDeclinedIncorrectCvc'],
  ['4000000000000119', 'visa', 'processing_error', 'chargeDeclinedProcessingError'],
  ['4000000000000341', 'visa', 'fails_later', 'chargeCustomerFail'],
]

const testCards: readonly TestCard[] = testCardTable.map(([number, brand, behaviour, names, funding = 'credit']) => ({
  number,
  brand,
  behaviour,
  funding,
  names: names.split(' '),
}))

function findTestCard(number: string): TestCard | undefined {
  return testCards.find((card) => card.number === number)
}

function testCardByName(name: string, prefix: 'pm_card_' | 'tok_'): TestCard | undefined {
  if (!name.startsWith(prefix)) return undefined
  return testCards.find(({ names }) => names.includes(name.slice(prefix.length)))
}

export type CardParams = { number: string; exp_month: number; exp_year: number; cvc?: string | undefined }
export type Card = Omit<TestCard, 'number' | 'names'> & { last4: string; exp_month: number; exp_year: number }

function isLuhnValid(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** The year with four digits. `now` is in unix seconds. */
export function parseExpiryYear(given: number, month: number, now: number): number {
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

/** Checks an entered card in Stripe's order: number, expiry, security code. `now` is in unix seconds. */
export function parseCard(params: CardParams, now: number): Card {
  const number = params.number.replaceAll(/[\s-]/g, '')
  if (!/^\d{12,19}$/.test(number) || !isLuhnValid(number)) {
    throw cardError('incorrect_number', 'Your card number is incorrect.', { param: 'number' })
  }
  const year = parseExpiryYear(params.exp_year, params.exp_month, now)
  if (params.cvc !== undefined && !/^\d{3,4}$/.test(params.cvc)) {
    throw cardError('invalid_cvc', "Your card's security code is invalid.", { param: 'cvc' })
  }
  const known = findTestCard(number)
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

export function cardByName(name: string, prefix: 'pm_card_' | 'tok_', now: number): Card | null {
  const number = testCardByName(name, prefix)?.number
  if (number === undefined) return null
  return parseCard({ number, exp_month: 12, exp_year: new Date(now * 1000).getUTCFullYear() + 4 }, now)
}
