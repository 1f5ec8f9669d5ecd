import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import { discountedAmount, monthlyOf, monthlyShares, mrrRule, settledStatus, yearlyAmount } from './mrr.ts'

test('ENT-19 active and past due count towards recurring revenue, nothing else does, and each says why', () => {
  const counted = subscriptionStatuses.filter((status) => mrrRule(status).isCounted)
  expect(counted.sort()).toEqual(['active', 'past_due'])
  expect(mrrRule('none').isCounted).toBe(false)
  const named = subscriptionStatuses.filter((status) => !['canceled', 'incomplete_expired'].includes(status))
  expect(new Set(named.map((status) => mrrRule(status).rule)).size).toBe(named.length)
  expect(mrrRule('incomplete_expired')).toEqual(mrrRule('incomplete'))
  expect(mrrRule('canceled').rule).toBe('Ended: not counted')
})

test('ENT-19 a price counts by the year, and a period’s recurring discounts come off before', () => {
  expect(yearlyAmount(25_000, { interval: 'month', intervalCount: 1 })).toBe(300_000)
  expect(yearlyAmount(25_000, { interval: 'month', intervalCount: 3 })).toBe(100_000)
  expect(yearlyAmount(100_000, { interval: 'year', intervalCount: 1 })).toBe(100_000)
  expect(yearlyAmount(100_001, { interval: 'year', intervalCount: 2 })).toBe(50_001)
  expect(yearlyAmount(1_200, { interval: 'week', intervalCount: 1 })).toBe(62_400)
  expect(yearlyAmount(1_000, { interval: 'day', intervalCount: 7 })).toBe(52_143)
  // Whole pence, as on the invoice: £149.99 off £450, not £149.985.
  const third = { percentOff: 33.33, amountOff: null }
  expect(discountedAmount(45_000, [third])).toBe(30_001)
  expect(discountedAmount(45_000, [third, third])).toBe(20_002)
  expect(discountedAmount(25_000, [{ percentOff: 50, amountOff: null }])).toBe(12_500)
  const [tenth, fiver] = [
    { percentOff: 10, amountOff: null },
    { percentOff: null, amountOff: 500 },
  ]
  expect(discountedAmount(25_000, [tenth, fiver])).toBe(22_000)
  expect(discountedAmount(25_000, [{ percentOff: null, amountOff: 30_000 }])).toBe(0)
})

test('twelfths add up to the rounded total, each within a penny of its own, and whole ones stay as they are', () => {
  const years = fc.array(fc.integer({ min: -500_000, max: 500_000 }), { maxLength: 8 })
  fc.assert(
    fc.property(years, fc.nat(10_000_000), (yearly, opening) => {
      const closing = yearly.reduce((sum, amount) => sum + amount, opening)
      const total = monthlyOf(closing) - monthlyOf(opening)
      const shares = monthlyShares(yearly, total)
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total + 0)
      for (const [at, share] of shares.entries()) {
        const twelfth = (yearly[at] ?? 0) / 12
        expect(Number.isInteger(twelfth) ? share === twelfth : Math.abs(share - twelfth) < 1).toBe(true)
      }
    }),
  )
})

test('a trial whose setup isn’t done is incomplete, and no other status changes', () => {
  const settled = (status: SubscriptionStatus, isSettled: boolean, collectionPause: string | null = null) =>
    settledStatus({ status, isSettled, collectionPause })
  expect([settled('trialing', true), settled('trialing', false)]).toEqual(['trialing', 'incomplete'])
  expect([settled('active', true), settled('active', false)]).toEqual(['active', 'active'])
  // Payments that are paused bring nothing in.
  expect([settled('active', true, 'void'), settled('past_due', true, 'void')]).toEqual(['paused', 'paused'])
  expect([settled('trialing', true, 'void'), settled('canceled', true, 'void')]).toEqual(['trialing', 'canceled'])
})
