import { expect, test } from 'vitest'
import { isExpiring, lastDayOfCard, lastExpiringMonth } from './card-expiry.ts'

test('a card works to the last day of its month, and is expiring for 30 days', () => {
  expect(['2026-02', '2026-12', '2028-02'].map(lastDayOfCard)).toEqual(['2026-02-28', '2026-12-31', '2028-02-29'])
  expect(['2026-05-31', '2026-06-01', '2026-07-02'].map((today) => isExpiring('2026-06-30', today))).toEqual([
    true,
    true,
    true,
  ])
  expect(isExpiring('2026-06-30', '2026-05-30')).toBe(false)
})

test('cards that expire next month count once they have 30 days left', () => {
  const months = (year: number, month: number) => year * 12 + month
  expect(lastExpiringMonth('2026-05-30')).toBe(months(2026, 5))
  expect(lastExpiringMonth('2026-05-31')).toBe(months(2026, 6))
  expect(lastExpiringMonth('2026-12-31')).toBe(months(2026, 12))
  expect(lastExpiringMonth('2027-01-29')).toBe(months(2027, 2))
})
