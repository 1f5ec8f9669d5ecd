import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noticeMs, outcomeText, periodAfter, priceMoveAt } from './price-move.ts'

const at = (day: string) => `${day}T10:00:00.000Z`
const moves = (anchor: string, next: string, told: string, every = 1) =>
  priceMoveAt({ anchor: at(anchor), nextRenewal: at(next), every }, new Date(at(told))).slice(0, 10)

test.each([
  [
    'told on the day of a payment in a month of 31 days: the next one',
    '2026-07-12',
    '2026-08-12',
    '2026-07-12',
    '2026-08-12',
  ],
  [
    'told on the day of a payment in a month of 30 days: just the next one',
    '2026-06-12',
    '2026-07-12',
    '2026-06-12',
    '2026-07-12',
  ],
  ['told on the day of a payment in February: the one after', '2026-02-12', '2026-03-12', '2026-02-12', '2026-04-12'],
  ['told a day later: the one after', '2026-06-12', '2026-07-12', '2026-06-13', '2026-08-12'],
  ['short months end earlier, and the next one is long again', '2026-01-31', '2026-02-28', '2026-02-10', '2026-03-31'],
  ['an anchor that was moved counts no more', '2026-01-31', '2026-03-05', '2026-02-20', '2026-04-05'],
])('%s', (_name, anchor, next, told, expected) => {
  expect(moves(anchor, next, told)).toBe(expected)
})

test.each([
  ['told more than 30 days before a year ends: from then', '2026-07-12', '2027-07-12', '2027-06-01', '2027-07-12'],
  ['told less than 30 days before: a year later', '2026-07-12', '2027-07-12', '2027-06-13', '2028-07-12'],
  ['years from 29 February', '2024-02-29', '2027-02-28', '2027-02-10', '2028-02-29'],
  ['a year that began within a month’s anchor', '2026-01-31', '2027-06-15', '2027-06-01', '2028-06-15'],
  ['a year that began on the anchor’s day of another month', '2026-01-12', '2027-06-12', '2027-06-01', '2028-06-12'],
])('by the year, %s', (_name, anchor, next, told, expected) => {
  expect(moves(anchor, next, told, 12)).toBe(expected)
})

test('a trial’s first renewal is a period after its first payment', () => {
  expect(periodAfter(at('2026-01-31'), 1)).toBe(at('2026-02-28'))
  expect(periodAfter(at('2024-02-29'), 12)).toBe(at('2025-02-28'))
})

test.each([1, 12])(
  'by %i months it’s never sooner than 30 days, never before the next renewal, and always a renewal soon after',
  (every) => {
    const day = fc.date({ min: new Date('2025-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 31 * every * 86_400_000 }), (anchor, since) => {
        const told = new Date(anchor.getTime() + since)
        const next = Date.parse(periodAfter(anchor.toISOString(), every)) > told.getTime() ? anchor : told
        const nextRenewal = periodAfter(next.toISOString(), every)
        const moved = Date.parse(priceMoveAt({ anchor: anchor.toISOString(), nextRenewal, every }, told))
        expect(moved).toBeGreaterThanOrEqual(told.getTime() + noticeMs)
        expect(moved).toBeGreaterThanOrEqual(Date.parse(nextRenewal))
        expect(moved - told.getTime()).toBeLessThanOrEqual((every + 1) * 31 * 86_400_000)
      }),
    )
  },
)

test('a member is said to stay and why, or from when the price is theirs', () => {
  const member = { memberId: 'm', name: 'Danny', email: null, from: 25_000, to: 27_000, isBooked: false }
  expect(outcomeText({ ...member, on: null, stays: 'arrears' })).toBe('Stays: a payment is due')
  expect(outcomeText({ ...member, on: '2026-08-12', stays: null })).toBe('From 12 August 2026')
  expect(outcomeText({ ...member, on: '2026-08-12', stays: null, isBooked: true })).toBe(
    'From 12 August 2026, after the tier they have booked',
  )
})
