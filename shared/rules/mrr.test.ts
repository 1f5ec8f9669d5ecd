import { expect, test } from 'vitest'
import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import { monthlyAmount, mrrRule, settledStatus } from './mrr.ts'

test('ENT-19 active and past due count towards recurring revenue, nothing else does, and each says why', () => {
  const counted = subscriptionStatuses.filter((status) => mrrRule(status).isCounted)
  expect(counted.sort()).toEqual(['active', 'past_due'])
  expect(mrrRule('none').isCounted).toBe(false)
  const named = subscriptionStatuses.filter((status) => !['canceled', 'incomplete_expired'].includes(status))
  expect(new Set(named.map((status) => mrrRule(status).rule)).size).toBe(named.length)
  expect(mrrRule('incomplete_expired')).toEqual(mrrRule('incomplete'))
  expect(mrrRule('canceled').rule).toBe('Ended: not counted')
})

test('ENT-19 a price counts by the month, after its recurring discounts', () => {
  const monthly = { amount: 25_000, interval: 'month', intervalCount: 1 } as const
  expect(monthlyAmount(monthly, [])).toBe(25_000)
  expect(monthlyAmount({ ...monthly, intervalCount: 3 }, [])).toBe(8_333)
  expect(monthlyAmount({ amount: 100_000, interval: 'year', intervalCount: 1 }, [])).toBe(8_333)
  expect(monthlyAmount({ amount: 1_200, interval: 'week', intervalCount: 1 }, [])).toBe(5_200)
  // Whole pence, as on the invoice: £149.99 off £450, not £149.985.
  const third = { percentOff: 33.33, amountOff: null }
  expect(monthlyAmount({ ...monthly, amount: 45_000 }, [third])).toBe(30_001)
  expect(monthlyAmount({ ...monthly, amount: 45_000 }, [third, third])).toBe(20_002)
  expect(monthlyAmount(monthly, [{ percentOff: 50, amountOff: null }])).toBe(12_500)
  expect(
    monthlyAmount(monthly, [
      { percentOff: 10, amountOff: null },
      { percentOff: null, amountOff: 500 },
    ]),
  ).toBe(22_000)
  expect(monthlyAmount(monthly, [{ percentOff: null, amountOff: 30_000 }])).toBe(0)
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
