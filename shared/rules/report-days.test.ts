import { expect, test } from 'vitest'
import { reportDays, reportSilenceMs } from './report-days.ts'

test('a report is about the last whole day, week from Monday, or month', () => {
  expect(reportDays('daily', '2026-03-01')).toEqual({ from: '2026-02-28', to: '2026-02-28' })
  expect(reportDays('weekly', '2026-06-15')).toEqual({ from: '2026-06-08', to: '2026-06-14' })
  expect(reportDays('weekly', '2026-06-14')).toEqual({ from: '2026-06-01', to: '2026-06-07' })
  expect(reportDays('monthly', '2026-01-01')).toEqual({ from: '2025-12-01', to: '2025-12-31' })
})

test('a watched one may be three hours late after its longest wait', () => {
  const hour = 3_600_000
  const silence = (['daily', 'weekly', 'monthly'] as const).map((kind) => reportSilenceMs(kind) / hour)
  expect(silence).toEqual([27, 171, 747])
})
