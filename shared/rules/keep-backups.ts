import { addDays, londonDay, weekdayOf } from './london.ts'

/** How many backups to keep: the newest of each of this many days, weeks and months that have one. */
export type KeepRule = { days: number; weeks: number; months: number }

/** Reads `7d,5w,12m`; a part left out is zero. Null if the text is anything else, or would keep none. */
export function parseKeepRule(text: string): KeepRule | null {
  if (!/^\d{1,3}[dwm](,\d{1,3}[dwm])*$/.test(text)) return null
  const of = (unit: string) => Number(new RegExp(`(\\d+)${unit}`).exec(text)?.[1] ?? 0)
  const rule = { days: of('d'), weeks: of('w'), months: of('m') }
  return rule.days + rule.weeks + rule.months === 0 ? null : rule
}

export const keepRuleText = ({ days, weeks, months }: KeepRule): string => `${days}d,${weeks}w,${months}m`

export const isInFuture = (createdAt: string, now: Date): boolean => createdAt > now.toISOString()

/**
 * Which backups may go. The newest one up to now never does. One dated in the future, by a clock that was ahead, stays too but
 * doesn't count for the rule. If it did, it would be the newest, and each new backup would be deleted in its favour.
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
