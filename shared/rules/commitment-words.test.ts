import { expect, test } from 'vitest'
import { dayText, shareText, shortDay } from './commitment-words.ts'

test.each([
  ['2026-12-04', 'Friday 4 December'],
  ['2026-11-30', 'today'],
  ['2026-12-01', 'tomorrow'],
  ['2026-11-29', 'yesterday'],
  ['2027-01-04', 'Monday 4 January 2027'],
])('on 30 November 2026, %s is %s', (day, text) => {
  expect(dayText(day, '2026-11-30')).toBe(text)
})

test('a button has room for a short day', () => {
  expect(shortDay('2026-12-04')).toBe('Fri 4 Dec')
})

test('a month’s share names the month, and this one as this', () => {
  expect(shareText({ month: '2026-11', due: 4, kept: 3 }, '2026-11-30')).toBe('This month: 3 of 4 done on time')
  expect(shareText({ month: '2026-10', due: 1, kept: 1 }, '2026-11-30')).toBe('October: 1 of 1 done on time')
})
