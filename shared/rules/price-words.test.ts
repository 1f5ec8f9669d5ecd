import { expect, test } from 'vitest'
import { everyPeriod, formatPlanPrice, periodQuantity, periodWord } from './price-words.ts'

test('TIER-21 LIMIT-4 a monthly price is whole pounds, + VAT, a month', () => {
  expect(formatPlanPrice({ net: 14_700 })).toBe('£147 + VAT/month')
  expect(formatPlanPrice({ net: 14_750 })).toBe('£147.50 + VAT/month')
  expect([12_500, 25_000, 45_000].map((net) => formatPlanPrice({ net }))).toEqual([
    '£125 + VAT/month',
    '£250 + VAT/month',
    '£450 + VAT/month',
  ])
})

test.each([
  [{}, 'month', 'a month', '1 month'],
  [{ months: 12 }, 'year', 'a year', '1 year'],
  [{ months: 3 }, '3 months', 'every 3 months', '3 months'],
  [{ days: 7 }, 'week', 'a week', '1 week'],
  [{ days: 14 }, '2 weeks', 'every 2 weeks', '2 weeks'],
])('%j is one period in every word', (period, word, every, quantity) => {
  expect([periodWord(period), everyPeriod(period), periodQuantity(1, period)]).toEqual([word, every, quantity])
  expect(formatPlanPrice({ net: 250_000, ...period })).toBe(`£2,500 + VAT/${word}`)
})

test('more than one of them', () => {
  expect([periodQuantity(2, {}), periodQuantity(2, { months: 12 }), periodQuantity(2, { months: 3 })]).toEqual([
    '2 months',
    '2 years',
    '2 × 3 months',
  ])
})
