import { expect, test } from 'vitest'
import { syncedWhen } from '#pwa/features/members/frame/sync-status.tsx'
import { marksFor } from './member-header.tsx'

test.each([1, 4, 24, 35, 134, 200, 900])('a tape of %i has few heavy marks and whole ones', (length) => {
  const { major, minor } = marksFor(length)
  expect(length / major).toBeLessThanOrEqual(7)
  expect(Number.isInteger(major)).toBe(true)
  expect(minor).toBeGreaterThan(0)
})

test('the time of the last sync names its day unless it is today', () => {
  const now = new Date(2026, 6, 12, 9, 30)
  expect(syncedWhen(new Date(2026, 6, 12, 7, 40).toISOString(), now)).toBe('07:40')
  expect(syncedWhen(new Date(2026, 6, 11, 12, 5).toISOString(), now)).toBe('11 July 2026, 12:05')
})
