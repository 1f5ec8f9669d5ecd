import { expect, test } from 'vitest'
import { backOffMs, longestWaitMs, retryAfterMs } from './back-off.ts'
import { waitLeftMs } from './scheduler.ts'

test('each failure doubles the wait, up to the most, and chance spreads it over its upper half', () => {
  const waits = [1, 2, 3, 8, 9, 1_000].map((failures) => backOffMs(failures, 1))
  expect(waits).toEqual([2_000, 4_000, 8_000, 256_000, 300_000, 300_000])
  expect(backOffMs(3, 0)).toBe(4_000)
})

test('Retry-After may be seconds or a date, and is no longer than an hour', () => {
  const now = Date.parse('2026-06-12T07:40:00Z')
  expect(retryAfterMs('90', now)).toBe(90_000)
  expect(retryAfterMs('Fri, 12 Jun 2026 07:41:00 GMT', now)).toBe(60_000)
  expect(retryAfterMs('Fri, 12 Jun 2026 07:39:00 GMT', now)).toBe(0)
  expect(retryAfterMs('999999999', now)).toBe(longestWaitMs)
  expect([retryAfterMs('soon', now), retryAfterMs(' ', now), retryAfterMs(null, now)]).toEqual([null, null, null])
})

test('a wait that lies too far ahead comes from a clock that was put back, and is over', () => {
  expect(waitLeftMs(1_500, 1_000)).toBe(500)
  expect(waitLeftMs(500, 1_000)).toBe(0)
  expect(waitLeftMs(null, 1_000)).toBe(0)
  expect(waitLeftMs(1_000 + longestWaitMs + 1, 1_000)).toBe(0)
})
