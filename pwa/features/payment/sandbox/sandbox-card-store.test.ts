import { describe, expect, test } from 'vitest'
import { checkCard, errorsOfRejection, formatExpiry, formatNumber } from './sandbox-card-store.ts'

const today = new Date('2026-06-12T12:00:00Z')
const good = { name: 'D Marsh', number: '4242 4242 4242 4242', expiry: '03 / 27', code: '123' }

test('a card is read as the provider takes it', () => {
  expect(checkCard(good, today)).toEqual({
    card: { number: '4242424242424242', exp_month: 3, exp_year: 2027, cvc: '123' },
    errors: {},
  })
})

test('each empty field is marked', () => {
  const { errors } = checkCard({ name: ' ', number: '', expiry: '', code: '' }, today)
  expect(Object.keys(errors)).toEqual(['name', 'number', 'expiry', 'code'])
})

test.each([
  ['a mistyped number', { number: '4242 4242 4242 4241' }, { number: 'Check the card number' }],
  ['last month', { expiry: '05 / 26' }, { expiry: 'This date has passed' }],
  ['a thirteenth month', { expiry: '13 / 27' }, { expiry: 'The month is from 01 to 12' }],
])('%s is marked', (_, change, errors) => {
  expect(checkCard({ ...good, ...change }, today).errors).toEqual(errors)
})

test('the card is good through its last month', () => {
  expect(checkCard({ ...good, expiry: '06 / 26' }, today).errors).toEqual({})
})

describe('what is typed is grouped', () => {
  test.each([
    ['4242424242424242', '4242 4242 4242 4242'],
    ['42424', '4242 4'],
    ['4242-4242x', '4242 4242'],
  ])('number %s as %s', (typed, shown) => expect(formatNumber(typed)).toBe(shown))

  test.each([
    ['0327', '03 / 27'],
    ['3', '03'],
    ['1', '1'],
    ['1/', '01'],
    ['12', '12'],
    ['03 / 2', '03 / 2'],
    ['3/27', '03 / 27'],
    ['03/2027', '03 / 27'],
    ['', ''],
  ])('date %s as %s', (typed, shown) => expect(formatExpiry(typed)).toBe(shown))
})

test('a refusal is said under the field it belongs to', () => {
  expect(errorsOfRejection({ code: 'card_declined' })).toEqual({ number: 'This card was declined' })
  expect(errorsOfRejection({ code: 'expired_card' })).toEqual({ expiry: 'This date has passed' })
  expect(errorsOfRejection({ code: 'processing_error' })).toEqual({})
})
