import { expect, test } from 'vitest'
import { daysOfHealth, healthLevel, lengthOfTrouble, overallHealth } from './health.ts'

test('STAT-4 configured, connected and alive are good, missing is bad, anything else is a warning', () => {
  for (const word of ['configured', 'connected', 'alive']) expect([word, healthLevel(word)]).toEqual([word, 'good'])
  expect(healthLevel('missing')).toBe('bad')
  for (const word of ['not set up', 'late', '', 'Missing', 'toString']) {
    expect([word, healthLevel(word)]).toEqual([word, 'warning'])
  }
})

test('STAT-4 one bad part is an error, a warning leaves the whole alone', () => {
  expect(overallHealth(['connected', 'configured', 'not set up'])).toBe('ok')
  expect(overallHealth(['connected', 'missing', 'not set up'])).toBe('error')
})

test('the 90 days hold the minutes of trouble of each, over midnight in London, and say what is not known', () => {
  const incidents = [
    { startedAt: '2026-06-10T22:50:00.000Z', endedAt: '2026-06-10T23:20:00.000Z' },
    { startedAt: '2026-06-12T07:00:00.000Z', endedAt: null },
  ]
  const days = daysOfHealth({ since: '2026-06-09', today: '2026-06-12', incidents }, new Date('2026-06-12T07:40:00Z'))
  expect(days).toHaveLength(90)
  expect(days[0]).toEqual({ day: '2026-03-15', minutes: null })
  expect(days.slice(-4).map(({ minutes }) => minutes)).toEqual([0, 10, 20, 40])
})

test('a length is said in hours and minutes', () => {
  expect([0, 1, 59, 60, 125].map(lengthOfTrouble)).toEqual([
    '0 minutes',
    '1 minute',
    '59 minutes',
    '1 hour',
    '2 hours 5 minutes',
  ])
})
