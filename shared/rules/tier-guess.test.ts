import { expect, test } from 'vitest'
import type { PriceFacts } from './adoption.ts'
import { guessTiers } from './tier-guess.ts'

const tiers = [
  { slug: 'lite', name: 'Club Lite', price: 12_500, prices: [] },
  { slug: 'standard', name: 'Club', price: 25_000, prices: [] },
  { slug: 'xl', name: 'Club XL', price: 45_000, prices: [] },
] as const

type Named = PriceFacts & { name: string }

const price = (amount: number | null, name = 'Membership', more: Partial<PriceFacts> = {}): Named => ({
  id: `${name} ${amount}`,
  amount,
  currency: 'gbp',
  interval: 'month',
  intervalCount: 1,
  ownTier: null,
  ...more,
  name,
})

const guess = (...prices: Named[]) => [...guessTiers(prices, tiers).values()]
const byAmount = (...of: Parameters<typeof price>) => guess(price(...of))[0]?.tier ?? null

test('a price’s tier is guessed by what a month costs, with or without VAT, and only where one is near', () => {
  expect([byAmount(12_500), byAmount(30_000), byAmount(45_000)]).toEqual(['lite', 'standard', 'xl'])
  expect(byAmount(250_000, 'Membership', { interval: 'year' })).toBe('standard')
  expect(byAmount(37_500, 'Membership', { intervalCount: 3 })).toBe('lite')
  expect([byAmount(900), byAmount(200_000), byAmount(null)]).toEqual([null, null, null])
  expect(byAmount(25_000, 'Membership', { currency: 'usd' })).toBeNull()
  expect(guess(price(900, 'Membership', { ownTier: 'xl' }))).toEqual([{ tier: 'xl' }])
  expect(guess(price(12_500))).toEqual([{ tier: 'lite', guess: 'amount' }])
})

test('a year is compared with what a tier costs by the year, a month with what it costs by the month', () => {
  const both = [
    { every: 'month', net: 25_000 },
    { every: 'year', net: 130_000 },
  ] as const
  const sold = tiers.map((tier) => (tier.slug === 'standard' ? { ...tier, prices: both } : tier))
  const guessed = (amount: number, more: Partial<PriceFacts> = {}) =>
    [...guessTiers([price(amount, 'Membership', more)], sold).values()][0]?.tier
  expect(guessed(130_000, { interval: 'year' })).toBe('standard')
  expect([guessed(12_500), guessed(25_000), guessed(150_000, { interval: 'year' })]).toEqual([
    ...['lite', 'standard', 'lite'],
  ])
})

test('a tier’s name in a price’s own name wins over the amount, and no other price takes that tier by a far amount', () => {
  expect(guess(price(24_900, 'Coaching XL'), price(9900, 'Coaching'), price(4900, 'Coaching, lite (2019)'))).toEqual([
    ...[{ tier: 'xl', guess: 'name' }, null, { tier: 'lite', guess: 'name' }],
  ])
  // What every tier is called says nothing.
  expect(guess(price(12_500, 'Club membership'))).toEqual([{ tier: 'lite', guess: 'amount' }])
  expect(guess(price(12_500, 'Club'))).toEqual([{ tier: 'standard', guess: 'name' }])
  expect(guess(price(12_500, 'From Lite to XL'))).toEqual([{ tier: 'lite', guess: 'amount' }])
})
