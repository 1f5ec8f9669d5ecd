import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountFrom, monthStarts, periodOf, unusedMonths, unusedText } from './paid-months.ts'
import { addMonths } from './price-move.ts'

const at = (day: string) => `${day}T10:00:00.000Z`
const startsOf = (start: string, end: string) =>
  monthStarts({ start: at(start), end: at(end) }).map((start) => start.slice(0, 10))

test('months start as the provider counts, from a long month’s last day too', () => {
  expect(startsOf('2027-01-31', '2027-02-28')).toEqual(['2027-01-31'])
  expect(startsOf('2027-02-28', '2027-03-31')).toEqual(['2027-02-28'])
  expect(startsOf('2027-01-31', '2027-04-30')).toEqual(['2027-01-31', '2027-02-28', '2027-03-31'])
  expect(startsOf('2028-02-29', '2029-02-28')).toHaveLength(12)
  expect(startsOf('2027-02-27', '2028-02-27').slice(-2)).toEqual(['2027-12-27', '2028-01-27'])
  // What an owner put off ends in the middle of a month.
  expect(startsOf('2027-02-27', '2027-04-10')).toEqual(['2027-02-27', '2027-03-27'])
  expect(startsOf('2027-02-27', '2027-03-06')).toEqual(['2027-02-27'])
})

test('a period is named by its whole months or weeks', () => {
  const named = (start: string, end: string) => periodOf({ start: at(start), end: at(end) })
  expect(named('2027-01-31', '2027-02-28')).toEqual({})
  expect(named('2027-02-28', '2027-03-31')).toEqual({})
  expect(named('2027-02-27', '2028-02-27')).toEqual({ months: 12 })
  expect(named('2027-11-30', '2028-02-29')).toEqual({ months: 3 })
  expect(named('2027-02-27', '2027-03-06')).toEqual({ days: 7 })
  expect(named('2027-02-27', '2027-04-10')).toEqual({})
})

test('the parts of an amount add up to it, whenever it’s divided', () => {
  const drawn = fc.tuple(fc.nat(1_000_000), fc.integer({ min: 1, max: 24 }))
  fc.assert(
    fc.property(drawn, ([amount, months]) => {
      const parts = Array.from(
        { length: months },
        (_, month) => amountFrom(amount, month, months) - amountFrom(amount, month + 1, months),
      )
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount)
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1)
    }),
  )
})

test('a month that has begun is used, and the last leaves nothing', () => {
  const paid = { start: at('2027-02-27'), end: at('2028-02-27') }
  const unusedAt = (months: number) => unusedMonths(paid, 300_000, addMonths(paid.start, months))
  expect(unusedAt(-1)).toEqual({ months: 11, of: 12, amount: 275_000 })
  expect(unusedAt(0)).toEqual({ months: 11, of: 12, amount: 275_000 })
  expect(unusedAt(6)).toEqual({ months: 5, of: 12, amount: 125_000 })
  expect(unusedAt(12)).toEqual({ months: 0, of: 12, amount: 0 })
  expect(unusedText(unusedAt(10))).toBe('£250.00 is for the 1 of 12 months still to come')
})
