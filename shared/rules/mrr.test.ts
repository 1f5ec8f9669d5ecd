import { expect, test } from 'vitest'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import { forecastCommission, monthlyAmount, revenueRule } from './mrr.ts'

test('ENT-19 active and past due count towards recurring revenue, nothing else does, and each says why', () => {
  const counted = subscriptionStatuses.filter((status) => revenueRule(status).isCounted)
  expect(counted.sort()).toEqual(['active', 'past_due'])
  expect(revenueRule('none').isCounted).toBe(false)
  for (const status of subscriptionStatuses) expect(revenueRule(status).rule).not.toBe('')
})

test('ENT-19 the partner’s forecast: each tier’s rate on its net, rounded once, and their sum', () => {
  const { total, breakdown } = forecastCommission([
    { slug: 'lite', name: 'Lite', count: 3, monthlyNet: 37_500, rate: 10 },
    { slug: 'standard', name: 'Alliance', count: 1, monthlyNet: 25_005, rate: 10 },
    { slug: 'xl', name: 'XL', count: 0, monthlyNet: 0, rate: 15 },
  ])
  expect(breakdown).toEqual([
    { name: 'Lite', count: 3, rate: 10, total: 3_750 },
    { name: 'Alliance', count: 1, rate: 10, total: 2_501 },
    { name: 'XL', count: 0, rate: 15, total: 0 },
  ])
  expect(total).toBe(6_251)
  expect(forecastCommission([])).toEqual({ total: 0, breakdown: [] })
})

test('ENT-19 a price counts by the month, after its recurring discounts, rounded once at the end', () => {
  const monthly = { amount: 25_000, interval: 'month', intervalCount: 1 } as const
  expect(monthlyAmount(monthly, [])).toBe(25_000)
  expect(monthlyAmount({ ...monthly, intervalCount: 3 }, [])).toBe(8_333)
  expect(monthlyAmount({ amount: 100_000, interval: 'year', intervalCount: 1 }, [])).toBe(8_333)
  expect(monthlyAmount({ amount: 1_200, interval: 'week', intervalCount: 1 }, [])).toBe(5_200)
  expect(monthlyAmount(monthly, [{ percentOff: 50, amountOff: null }])).toBe(12_500)
  expect(
    monthlyAmount(monthly, [
      { percentOff: 10, amountOff: null },
      { percentOff: null, amountOff: 500 },
    ]),
  ).toBe(22_000)
  expect(monthlyAmount(monthly, [{ percentOff: null, amountOff: 30_000 }])).toBe(0)
})
