import { expect, test } from 'vitest'
import { nextBoundary } from './periods.ts'

function seconds(date: string): number {
  return Date.parse(`${date}T09:00:00Z`) / 1000
}

test.each([
  ['2027-01-31', '2027-01-31', '2027-02-28'],
  ['2028-01-31', '2028-01-31', '2028-02-29'],
  ['2028-01-31', '2028-02-29', '2028-03-31'],
  ['2027-01-30', '2027-04-30', '2027-05-30'],
  ['2026-12-15', '2031-06-20', '2031-07-15'],
])('monthly from %s, after %s: %s', (anchor, from, next) => {
  expect(nextBoundary(seconds(anchor), { interval: 'month', interval_count: 1 }, seconds(from))).toBe(seconds(next))
})

test.each([
  ['day', 10, '2027-01-11'],
  ['week', 2, '2027-01-15'],
  ['month', 3, '2027-04-01'],
  ['year', 1, '2028-01-01'],
])('every %s × %i', (interval, interval_count, next) => {
  const anchor = seconds('2027-01-01')
  expect(nextBoundary(anchor, { interval, interval_count }, anchor)).toBe(seconds(next))
})
