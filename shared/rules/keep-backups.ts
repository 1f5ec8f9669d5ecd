import { addDays, londonDay, weekdayOf } from './london.ts'

/** How many are kept: the newest of each of so many days, weeks and months that have one. */
export type KeepRule = { days: number; weeks: number; months: number }

/** Reads `7d,5w,12m`; what is left out is none. Null where it is something else, or would keep none. */
export function parseKeepRule(text: string): KeepRule | null {
  if (!/^\d{1,3}[dwm](,\d{1,3}[dwm])*$/.test(text)) return null
  const of = (unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? 0)
  const rule = { days: of('d'), weeks: of('w'), months: of('m') }
  return rule.days + rule.weeks + rule.months === 0 ? null : rule
}

export const keepRuleText = ({ days, weeks, months }: KeepRule): string => `${days}d,${weeks}w,${months}m`

export const isInFuture = (createdAt: string, now: Date): boolean => createdAt > now.toISOString()

/**
 * Which of them may go. The newest until now never does. One that is dated after now, by a clock that was ahead, stays, and is none of
 * those that are kept by the rule: otherwise it would be the newest, and each new one would go in its place.
 */
export function backupsToDelete<Backup extends { createdAt: string }>(
  backups: readonly Backup[],
  rule: KeepRule,
  now: Date,
): Backup[] {
  const newestFirst = backups
    .filter(({ createdAt }) => !isInFuture(createdAt, now))
    .sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
  const kept = new Set(newestFirst.slice(0, 1))
  const keepNewestOf = (periodOf: (day: string) => string, count: number) => {
    const periods = new Set<string>()
    for (const backup of newestFirst) {
      const period = periodOf(londonDay(new Date(backup.createdAt)))
      if (periods.has(period)) continue
      if (periods.size === count) return
      periods.add(period)
      kept.add(backup)
    }
  }
  keepNewestOf((day) => day, rule.days)
  keepNewestOf((day) => addDays(day, -weekdayOf(day)), rule.weeks)
  keepNewestOf((day) => day.slice(0, 7), rule.months)
  return newestFirst.filter((backup) => !kept.has(backup))
}
