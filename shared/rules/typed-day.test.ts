import { expect, test } from 'vitest'
import { readTypedDay, readTypedDayAndTime, typedDayText } from './typed-day.ts'

const today = '2026-11-25'

test.each([
  ['24/11/2026', '2026-11-24'],
  [' 4/1/2027 ', '2027-01-04'],
  ['24/11/26', '2026-11-24'],
  ['24.11.2026', '2026-11-24'],
  ['24 November 2026', '2026-11-24'],
  ['24th nov 26', '2026-11-24'],
  ['24Nov2026', null],
  ['2026-11-24', '2026-11-24'],
  // Without a year it's the next one, and today is one.
  ['24 Nov', '2027-11-24'],
  ['25 Nov', '2026-11-25'],
  ['26/11', '2026-11-26'],
  ['3 Sept', '2027-09-03'],
  ['29 Feb', '2028-02-29'],
  // Never the American order, and no day that isn't one.
  ['11/24/2026', null],
  ['31/11/2026', null],
  ['29/02/2027', null],
  ['0/1/2027', null],
  ['24', null],
  ['2411', null],
  ['24/11/206', null],
  ['24 Movember', null],
  ['soon', null],
  ['', null],
])('“%s” is %s', (typed, day) => {
  expect(readTypedDay(typed, today)).toBe(day)
})

test('where days lie behind us, one without a year is the last such day', () => {
  const last = ['24 Nov', '25 Nov', '26 Nov', '29 Feb'].map((typed) => readTypedDay(typed, today, 'last'))
  expect(last).toEqual(['2026-11-24', '2026-11-25', '2025-11-26', '2024-02-29'])
})

test.each([
  ['24/11/2026 9:30', '2026-11-24T09:30'],
  ['26 Nov, 17.05', '2026-11-26T17:05'],
  ['1 December 2026 at 00:00', '2026-12-01T00:00'],
  ['2026-11-24T09:30', '2026-11-24T09:30'],
  ['24/11/2026', null],
  ['24/11/2026 24:00', null],
  ['24/11/2026 9:60', null],
  ['9:30', null],
])('“%s” is the moment %s', (typed, moment) => {
  expect(readTypedDayAndTime(typed, today)).toBe(moment)
})

test('what is stored reads in British order; what was typed stays', () => {
  expect(['2026-11-24', '2026-11-24T09:30', '24 Movember', ''].map(typedDayText)).toEqual([
    ...['24/11/2026', '24/11/2026 09:30', '24 Movember', ''],
  ])
})
