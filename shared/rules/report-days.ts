import type { ReportKind } from '#shared/contract/report.ts'
import { addDays, weekdayOf } from './london.ts'

/** The last whole day, week from Monday, or month before `today`. Days are London's, so a night with a clock change is one day. */
export function reportDays(kind: ReportKind, today: string): { from: string; to: string } {
  if (kind === 'daily') return { from: addDays(today, -1), to: addDays(today, -1) }
  if (kind === 'weekly') {
    const monday = addDays(today, -weekdayOf(today))
    return { from: addDays(monday, -7), to: addDays(monday, -1) }
  }
  const to = addDays(`${today.slice(0, 7)}-01`, -1)
  return { from: `${to.slice(0, 7)}-01`, to }
}

const longestDays: Record<ReportKind, number> = { daily: 1, weekly: 7, monthly: 31 }

/** How late a watched report may be: its longest interval and three hours, because cron may be late and clocks change. */
export const reportSilenceMs = (kind: ReportKind): number => (longestDays[kind] * 24 + 3) * 3_600_000
