import { addDays, londonClock, londonDay, londonInstant } from './london.ts'

export type Nightly = {
  /** London time. */
  at: string
  /** When that hour was set; ISO. */
  since: string
  /** The day the last backup was for, and when we made it; null before the first. */
  last: { day: string; madeAt: string } | null
  /** When the server came back after being off; ISO. Null if it never was. */
  backAt: string | null
}

/**
 * The London day whose backup is due now. That's today once its hour has passed. Before that it's yesterday, because we may have
 * missed its hour (just before midnight, or with the machine off). Null if that backup exists. If the hour was set after
 * yesterday's had passed, we wait for the next. Ignores a backup dated in the future by a clock that was ahead.
 */
export function nightToMake({ at, since, last }: Nightly, now: Date): string | null {
  const today = londonDay(now)
  const isPassedToday = londonClock(now) >= at
  const night = isPassedToday ? today : addDays(today, -1)
  // Between the hour and midnight the clocks may go back to before it, so today's backup counts for yesterday too.
  const isMade = last !== null && last.day >= night && last.day <= today
  const isSetSince = since > londonInstant(night, at).toISOString() && since <= now.toISOString()
  return isMade || (!isPassedToday && isSetSince) ? null : night
}

/** A day between backups, an hour more when the clocks go back, and the time a large backup takes. */
const longestMs = 36 * 3_600_000

/** We look every few minutes and a large backup takes a while, so one may be running for this long. */
const patienceMs = 2 * 3_600_000

/** Since when a due backup is missing, as ISO. Null if none is, or if it may still be running. */
export function nightlyMissingSince(nightly: Nightly, now: Date): string | null {
  const { since, last, backAt } = nightly
  const isPast = (at: string) => at <= now.toISOString()
  const latest = [since, ...(last === null ? [] : [last.madeAt])].filter(isPast).sort().at(-1)
  if (latest === undefined || now.getTime() - Date.parse(latest) <= longestMs) return null
  const begunBy = new Date(now.getTime() - patienceMs)
  const isJustBack = backAt !== null && isPast(backAt) && backAt > begunBy.toISOString()
  return isJustBack || nightToMake(nightly, begunBy) === null ? null : latest
}
