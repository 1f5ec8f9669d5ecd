import { expect, test } from 'vitest'
import type { OfferedPrice } from '#shared/contract/tier.ts'
import { withVat } from './money.ts'
import {
  besidePrice,
  chosenOf,
  chosenPrice,
  everyOfPeriod,
  hasBothPeriods,
  periodOf,
  priceFor,
  savingText,
} from './tier-prices.ts'

const price = (every: OfferedPrice['every'], net: number): OfferedPrice => ({
  id: `p-${every}`,
  every,
  ...withVat(net),
})
const month = price('month', 25_000)
const year = price('year', 250_000)
const both = { slug: 'standard', prices: [month, year] }

test('TIER-21 a tier by the month alone says nothing beside its price', () => {
  expect(besidePrice({ prices: [month] }, month)).toBeNull()
  expect(hasBothPeriods([{ prices: [month] }, { prices: [year] }])).toBe(false)
})

test.each([
  [250_000, 'two months free'],
  [275_000, 'one month free'],
  [290_000, 'saves £100'],
  [299_999, 'saves £0.01'],
  [300_000, null],
  [310_000, null],
])('a year at %i beside £250 a month saves: %s', (net, words) => {
  expect(savingText({ prices: [month, price('year', net)] })).toBe(words)
})

test('the other price stands beside the one that’s shown, and a month’s share beside a year that stands alone', () => {
  expect(besidePrice(both, month)).toBe('or £2,500 + VAT a year: two months free')
  expect(besidePrice(both, year)).toBe('Two months free, or £250 + VAT a month')
  expect(besidePrice({ prices: [year] }, year)).toBe('That’s £208.34 + VAT a month')
})

test('a choice keeps which price it was; one that’s gone is the month’s again, or the only one', () => {
  expect(chosenOf(both, month)).toEqual({ slug: 'standard' })
  const chosen = chosenOf(both, year)
  expect(chosenPrice(both, chosen)).toBe(year)
  expect(periodOf([both], chosen)).toBe('year')
  expect(chosenPrice({ prices: [month] }, chosen)).toBe(month)
  expect(chosenPrice({ prices: [year] }, { slug: 'standard' })).toBe(year)
  expect(priceFor({ prices: [year] }, 'month')).toBe(year)
})

test('a period is a month or a year, or one that no tier is sold by', () => {
  expect([{}, { months: 1 }, { months: 12 }, { months: 3 }, { days: 7 }].map(everyOfPeriod)).toEqual([
    'month',
    'month',
    'year',
    undefined,
    undefined,
  ])
})
