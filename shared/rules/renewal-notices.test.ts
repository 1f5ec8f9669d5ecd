import { expect, test } from 'vitest'
import { consumerIntervals, isReminderDue, putOffTo, unusedOf, yearNoticeDue } from './renewal-notices.ts'

test('the first notice goes from the 30th day to the 8th, the last from the 7th on', () => {
  const on = '2028-06-12'
  const days = ['2028-05-12', '2028-05-13', '2028-06-04', '2028-06-05', '2028-06-12', '2028-06-13']
  expect(days.map((today) => yearNoticeDue(today, on))).toEqual([
    ...[null, 'year-first', 'year-first'],
    ...['year-last', 'year-last', null],
  ])
})

test('no two reminders are more than six months apart', () => {
  const due = (renewsOn: string, months = 1) => isReminderDue('2028-01-31', { renewsOn, months })
  expect(['2028-06-30', '2028-07-01', '2028-07-31'].map((day) => due(day))).toEqual([false, true, true])
  expect([due('2028-04-30', 3), due('2028-05-01', 3)]).toEqual([false, true])
})

test('nothing of the Act is in force yet, and each interval names its source', () => {
  for (const { source, inForceFrom } of Object.values(consumerIntervals)) {
    expect([source, inForceFrom]).toEqual([expect.stringContaining('2024, Part 4, Chapter 2, s.2'), null])
  }
})

test('a month is Stripe’s: the last day of a shorter one', () => {
  expect(putOffTo('2029-01-31T09:00:00.000Z')).toBe('2029-02-28T09:00:00.000Z')
})

test('the day it’s cancelled on counts as used', () => {
  const period = { from: '2027-06-12', to: '2028-06-12' }
  expect(unusedOf(300_000, { ...period, on: '2027-06-12' })).toEqual({ days: 365, of: 366, amount: 299_180 })
  expect(unusedOf(300_000, { ...period, on: '2028-06-11' })).toEqual({ days: 0, of: 366, amount: 0 })
  expect(unusedOf(300_000, { ...period, on: '2029-01-01' })).toEqual({ days: 0, of: 366, amount: 0 })
})
