import { expect, test } from 'vitest'
import { afterQuiet, isQuiet } from './quiet-hours.ts'

test.each([
  ['2026-01-12T19:59:59.999Z', false, '2026-01-12T19:59:59.999Z'],
  ['2026-01-12T20:00:00.000Z', true, '2026-01-13T07:00:00.000Z'],
  ['2026-01-13T06:59:59.999Z', true, '2026-01-13T07:00:00.000Z'],
  ['2026-01-13T07:00:00.000Z', false, '2026-01-13T07:00:00.000Z'],
  // In summer London is an hour ahead.
  ['2026-07-12T19:00:00.000Z', true, '2026-07-13T06:00:00.000Z'],
  // The night in which the clocks go forward.
  ['2026-03-28T21:00:00.000Z', true, '2026-03-29T06:00:00.000Z'],
])('at %s a notice waits: %s', (at, waits, until) => {
  expect(isQuiet(new Date(at))).toBe(waits)
  expect(afterQuiet(new Date(at)).toISOString()).toBe(until)
})
