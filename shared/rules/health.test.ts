import { expect, test } from 'vitest'
import { healthLevel, overallHealth } from './health.ts'

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
