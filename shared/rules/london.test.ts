import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addDays,
  formatLongDate,
  formatMonthAndYear,
  londonClock,
  londonDay,
  londonInstant,
  londonMonth,
  momentTyped,
  monthBefore,
  nextMonth,
  readTypedMoment,
  tomorrowInLondon,
  weekdayName,
  weekdayOf,
} from './london.ts'

const day = 86_400_000

test('the day in London turns at midnight there: an hour before UTC’s in summer', () => {
  const turns: [instant: string, london: string][] = [
    ['2026-01-31T23:59:59.999Z', '2026-01-31'],
    ['2026-02-01T00:00:00.000Z', '2026-02-01'],
    ['2026-07-31T22:59:59.999Z', '2026-07-31'],
    ['2026-07-31T23:00:00.000Z', '2026-08-01'],
    ['2026-12-31T23:59:59.999Z', '2026-12-31'],
    ['2027-01-01T00:00:00.000Z', '2027-01-01'],
  ]
  for (const [instant, london] of turns) expect([instant, londonDay(new Date(instant))]).toEqual([instant, london])
})

test('the month follows the day, so a payment late on 31 July is August’s', () => {
  expect(londonMonth(new Date('2026-07-31T22:59:00Z'))).toBe('2026-07')
  expect(londonMonth(new Date('2026-07-31T23:00:00Z'))).toBe('2026-08')
})

test('the month before and the month after, over the ends of a year', () => {
  expect(['2026-01', '2026-03', '2026-12'].map(monthBefore)).toEqual(['2025-12', '2026-02', '2026-11'])
  expect(['2025-12', '2026-02', '2026-11'].map(nextMonth)).toEqual(['2026-01', '2026-03', '2026-12'])
})

test('days are added by the calendar: over months, leap days and the clocks’ changes', () => {
  const sums: [from: string, days: number, to: string][] = [
    ['2026-01-31', 30, '2026-03-02'],
    ['2028-01-31', 30, '2028-03-01'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2100-02-28', 1, '2100-03-01'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2026-03-28', 1, '2026-03-29'],
    ['2026-03-29', 1, '2026-03-30'],
    ['2026-10-25', 1, '2026-10-26'],
    ['2026-06-12', 0, '2026-06-12'],
    ['2026-03-01', -1, '2026-02-28'],
  ]
  for (const [from, days, to] of sums) expect([from, days, addDays(from, days)]).toEqual([from, days, to])
  expect(() => addDays('2026-13-01', 1)).toThrow(RangeError)
})

test('API-03 tomorrow is London’s: late on a summer evening, and on both sides of the clocks’ changes', () => {
  const tomorrows: [instant: string, tomorrow: string][] = [
    ['2026-06-12T22:59:59.999Z', '2026-06-13'],
    ['2026-06-12T23:30:00.000Z', '2026-06-14'],
    ['2026-01-12T23:30:00.000Z', '2026-01-13'],
    ['2026-03-28T23:30:00.000Z', '2026-03-29'],
    ['2026-03-29T00:30:00.000Z', '2026-03-30'],
    ['2026-03-29T23:30:00.000Z', '2026-03-31'],
    ['2026-10-24T23:30:00.000Z', '2026-10-26'],
    ['2026-10-25T01:30:00.000Z', '2026-10-26'],
    ['2026-10-25T23:30:00.000Z', '2026-10-26'],
    ['2026-12-31T23:30:00.000Z', '2027-01-01'],
    ['2028-02-28T12:00:00.000Z', '2028-02-29'],
  ]
  for (const [instant, tomorrow] of tomorrows) {
    expect([instant, tomorrowInLondon(new Date(instant))]).toEqual([instant, tomorrow])
  }
})

test('nine in the morning is nine on London’s clocks, winter and summer, and on the days they change', () => {
  const mornings: [day: string, instant: string][] = [
    ['2026-01-15', '2026-01-15T09:00:00.000Z'],
    ['2026-03-28', '2026-03-28T09:00:00.000Z'],
    ['2026-03-29', '2026-03-29T08:00:00.000Z'],
    ['2026-07-12', '2026-07-12T08:00:00.000Z'],
    ['2026-10-24', '2026-10-24T08:00:00.000Z'],
    ['2026-10-25', '2026-10-25T09:00:00.000Z'],
    ['2028-02-29', '2028-02-29T09:00:00.000Z'],
  ]
  for (const [morning, instant] of mornings) {
    expect([morning, londonInstant(morning, '09:00').toISOString()]).toEqual([morning, instant])
  }
})

test('a time of day and back, for every day of forty years', () => {
  const start = Date.parse('2020-01-01T12:00:00Z')
  fc.assert(
    fc.property(fc.nat(40 * 365), fc.constantFrom('00:00', '00:30', '02:30', '09:00', '23:59'), (days, time) => {
      const date = new Date(start + days * day).toISOString().slice(0, 10)
      const instant = londonInstant(date, time)
      expect([londonDay(instant), londonClock(instant)]).toEqual([date, time])
    }),
  )
})

test('dates as people read them', () => {
  expect(formatLongDate('2026-07-12')).toBe('12 July 2026')
  expect(formatLongDate('2026-07-31T23:30:00.000Z')).toBe('1 August 2026')
  expect(formatLongDate(new Date('2026-01-01T00:00:00Z'))).toBe('1 January 2026')
  expect(formatMonthAndYear('2024-03-31T23:30:00.000Z')).toBe('April 2024')
  expect(londonClock('2026-07-12T06:40:00.000Z')).toBe('07:40')
  expect(londonClock('2026-01-12T00:05:00.000Z')).toBe('00:05')
  expect(['2026-06-15', '2026-06-20', '2026-06-21'].map(weekdayOf)).toEqual([0, 5, 6])
  expect([weekdayName('2026-06-21'), weekdayName('2026-06-21T23:30:00.000Z')]).toEqual(['Sunday', 'Monday'])
})

test('days and dates are those of the clocks in London, at any instant', () => {
  const time = { timeZone: 'Europe/London', month: 'long', year: 'numeric' } as const
  const long = new Intl.DateTimeFormat('en-GB', { ...time, day: 'numeric' })
  const month = new Intl.DateTimeFormat('en-GB', time)
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' })
  const years = { min: new Date('1996-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }
  fc.assert(
    fc.property(fc.date(years), (instant) => {
      expect(londonDay(instant)).toBe(day.format(instant))
      expect(formatLongDate(instant)).toBe(long.format(instant))
      expect(formatMonthAndYear(instant.toISOString())).toBe(month.format(instant))
    }),
  )
})

test.each(['Europe/London', 'Pacific/Auckland', 'America/Los_Angeles'])(
  'a moment that is typed is UK time on a device in %s, on both sides of the clocks’ changes',
  (zone) => {
    const own = process.env.TZ
    process.env.TZ = zone
    try {
      const moments: [typed: string, instant: string | null][] = [
        ['2026-07-01T09:00', '2026-07-01T08:00:00.000Z'],
        ['2026-12-01 09:00', '2026-12-01T09:00:00.000Z'],
        ['2026-03-29T00:59', '2026-03-29T00:59:00.000Z'],
        ['2026-03-29T02:00', '2026-03-29T01:00:00.000Z'],
        ['2026-10-25T00:59', '2026-10-24T23:59:00.000Z'],
        ['2026-10-25T01:30', '2026-10-25T01:30:00.000Z'],
        ['2026-10-25T02:00', '2026-10-25T02:00:00.000Z'],
        ['2026-02-30T09:00', null],
        ['2026-07-01T24:00', null],
        ['2026-07-01', null],
        ['0000-01-01 00:00', null],
      ]
      for (const [typed, instant] of moments) {
        expect([typed, readTypedMoment(typed)]).toEqual([typed, instant])
        if (instant !== null) expect(momentTyped(instant)).toBe(typed.replace(' ', 'T'))
      }
      // Clocks leave this hour out: it's taken as an hour later.
      expect(readTypedMoment('2026-03-29T01:30')).toBe('2026-03-29T01:30:00.000Z')
      expect(momentTyped('2026-03-29T01:30:00.000Z')).toBe('2026-03-29T02:30')
    } finally {
      if (own === undefined) delete process.env.TZ
      else process.env.TZ = own
    }
  },
)
