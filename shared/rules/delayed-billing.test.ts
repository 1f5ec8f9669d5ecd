import fc from 'fast-check'
import { expect, test } from 'vitest'
import { delayedBilling, delayedPaymentAt } from './delayed-billing.ts'
import { addDays, londonDay } from './london.ts'

const longAgo = '2000-01-01'

test('DELY-10 DELY-11 the first payment is 30 days after the last one, by the calendar', () => {
  const dates: [last: string, first: string][] = [
    ['2026-01-31', '2026-03-02'],
    ['2028-01-31', '2028-03-01'],
    ['2026-01-30', '2026-03-01'],
    ['2028-01-30', '2028-02-29'],
    ['2028-02-29', '2028-03-30'],
    ['2027-02-28', '2027-03-30'],
    ['2100-01-31', '2100-03-02'],
    ['2026-12-31', '2027-01-30'],
    ['2026-12-02', '2027-01-01'],
    ['2026-02-27', '2026-03-29'],
    ['2026-02-28', '2026-03-30'],
    ['2026-09-25', '2026-10-25'],
    ['2026-09-26', '2026-10-26'],
    ['2026-06-30', '2026-07-30'],
  ]
  for (const [last, first] of dates) expect([last, delayedBilling(last, longAgo).date]).toEqual([last, first])
})

test('DELY-10 without a last payment it is today, and due', () => {
  expect(delayedBilling(null, '2026-02-28')).toEqual({ date: '2026-02-28', isDue: true })
})

test('DELY-10 on the day itself and after it the payment is due; the day before it is not', () => {
  expect(delayedBilling('2026-01-31', '2026-03-01')).toEqual({ date: '2026-03-02', isDue: false })
  expect(delayedBilling('2026-01-31', '2026-03-02')).toEqual({ date: '2026-03-02', isDue: true })
  expect(delayedBilling('2026-01-31', '2026-07-01')).toEqual({ date: '2026-03-02', isDue: true })
})

test('the payment is taken at 09:00 by London’s clocks, on both sides of each change', () => {
  const instants: [day: string, at: string][] = [
    ['2026-03-28', '2026-03-28T09:00:00Z'],
    ['2026-03-29', '2026-03-29T08:00:00Z'],
    ['2026-03-30', '2026-03-30T08:00:00Z'],
    ['2026-10-24', '2026-10-24T08:00:00Z'],
    ['2026-10-25', '2026-10-25T09:00:00Z'],
    ['2026-10-26', '2026-10-26T09:00:00Z'],
    ['2027-03-28', '2027-03-28T08:00:00Z'],
    ['2027-10-31', '2027-10-31T09:00:00Z'],
    ['2028-02-29', '2028-02-29T09:00:00Z'],
    ['2026-01-01', '2026-01-01T09:00:00Z'],
  ]
  for (const [day, at] of instants) expect([day, delayedPaymentAt(day)]).toEqual([day, Date.parse(at) / 1000])
})

test('whatever the last payment, the first one is 30 calendar days later, in the future while it is not due', () => {
  const day = fc
    .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2060-01-01T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  fc.assert(
    fc.property(day, fc.integer({ min: -40, max: 40 }), fc.integer({ min: 0, max: 86_399 }), (last, offset, second) => {
      const today = addDays(last, offset)
      const { date, isDue } = delayedBilling(last, today)
      expect(Date.parse(date) - Date.parse(last)).toBe(30 * 86_400_000)
      expect(isDue).toBe(offset >= 30)
      const at = new Date(delayedPaymentAt(date) * 1000)
      expect(londonDay(at)).toBe(date)
      // Noon is the same day in UTC and in London. Any second of today is before the payment while it isn't due.
      const now = Date.parse(`${today}T00:00:00Z`) - 3_600_000 + second * 1000
      if (!isDue) expect(at.getTime()).toBeGreaterThan(now)
    }),
  )
})
