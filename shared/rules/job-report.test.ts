import { expect, test } from 'vitest'
import { reportLines, reportText } from './job-report.ts'

test('a report says what its figures are, and leaves out what it found nothing of', () => {
  const heartbeat = { payments: 'configured', email: 'missing', hashMs: 81 }
  expect(reportText(heartbeat)).toBe('payments: set up, email: not set up, checking a password takes: 0.1 s')
  expect(reportText({ bytes: 4_120_032, isShortened: false })).toBe('size: 4.1 MB')
  expect(reportText({ frozen: 1, newest: '2026-11' })).toBe('months closed: 1, newest closed month: November 2026')
  expect(reportText({ booked: 2, toldAgain: 1, failed: 0 })).toBe('booked: 2, told again: 1')
  expect(reportText({ failed: 'No disk' })).toBe('failed: No disk')
  expect([reportText({}), reportText(null)]).toEqual(['', ''])
})

test('every figure of one run is there, nothing found included', () => {
  expect(reportLines({ limitHits: 0, newest: null, isDamaged: false })).toEqual([
    { label: 'counted attempts deleted', value: '0' },
    { label: 'newest closed month', value: null },
    { label: 'damage found', value: 'no' },
  ])
})
