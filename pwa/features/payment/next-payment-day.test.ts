import { expect, test } from 'vitest'
import { nextPaymentDay } from './next-payment-day.ts'

test.each([
  ['2026-06-12', '2026-07-12'],
  ['2026-12-12', '2027-01-12'],
  ['2026-01-31', '2026-02-28'],
  ['2028-01-30', '2028-02-29'],
  ['2026-12-31', '2027-01-31'],
])('paid on %s, the next payment is on %s', (paidOn, next) => {
  expect(nextPaymentDay(paidOn)).toBe(next)
})
