import { expect, test } from 'vitest'
import { daysOf, monthsOf, periodName, quarterOf, taxYearOf } from './periods.ts'

test('each month is in its own quarter and tax year, and both know their days', () => {
  for (let at = 0; at < 36; at++) {
    const month = `${2026 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`
    for (const period of [month, quarterOf(month), taxYearOf(month)]) expect(monthsOf(period)).toContain(month)
  }
  expect(taxYearOf('2027-03')).toBe('2026/27')
  expect(taxYearOf('2099-04')).toBe('2099/00')
  expect(daysOf('2026/27')).toEqual({ from: '2026-04-01', to: '2027-03-31' })
  expect(daysOf('2027-Q1')).toEqual({ from: '2027-01-01', to: '2027-03-31' })
  expect(daysOf('2028-02')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  expect(['2026-06', '2026-Q2', '2026/27'].map(periodName)).toEqual(['June 2026', 'Apr to Jun 2026', '2026/27'])
})
