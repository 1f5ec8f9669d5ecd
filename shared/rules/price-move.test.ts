import fc from 'fast-check'
import { expect, test } from 'vitest'
import { monthAfter, noticeMs, outcomeText, priceMoveAt } from './price-move.ts'

const at = (day: string) => `${day}T10:00:00.000Z`
const moves = (anchor: string, next: string, told: string) =>
  priceMoveAt({ anchor: at(anchor), nextRenewal: at(next) }, new Date(at(told))).slice(0, 10)

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

test('a trial’s first renewal is a month after its first payment', () => {
  expect(monthAfter(at('2026-01-31'))).toBe(at('2026-02-28'))
})

test('it is never sooner than 30 days, never before the next renewal, and always a renewal within two months', () => {
  const day = fc.date({ min: new Date('2025-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 31 * 86_400_000 }), (anchor, since) => {
      const told = new Date(anchor.getTime() + since)
      const next = Date.parse(monthAfter(anchor.toISOString())) > told.getTime() ? anchor : told
      const nextRenewal = monthAfter(next.toISOString())
      const moved = Date.parse(priceMoveAt({ anchor: anchor.toISOString(), nextRenewal }, told))
      expect(moved).toBeGreaterThanOrEqual(told.getTime() + noticeMs)
      expect(moved).toBeGreaterThanOrEqual(Date.parse(nextRenewal))
      expect(moved - told.getTime()).toBeLessThanOrEqual(62 * 86_400_000)
    }),
  )
})

test('a member is said to stay and why, or from when the price is theirs', () => {
  const member = { memberId: 'm', name: 'Danny', email: null, from: 25_000, to: 27_000, isBooked: false }
  expect(outcomeText({ ...member, on: null, stays: 'arrears' })).toBe('Stays: a payment is due')
  expect(outcomeText({ ...member, on: '2026-08-12', stays: null })).toBe('From 12 August 2026')
  expect(outcomeText({ ...member, on: '2026-08-12', stays: null, isBooked: true })).toBe(
    'From 12 August 2026, after the tier they have booked',
  )
})
