import { addDays, londonClock, londonDay, londonInstant } from './london.ts'

export type Nightly = {
  /** By London's clock. */
  at: string
  /** When that hour was set; ISO. */
  since: string
  /** The day that the last was made for, and when it was; null before the first. */
  last: { day: string; madeAt: string } | null
}

/**
 * The day in London whose backup is to be made now: today where its hour has passed, else yesterday, whose hour may have passed
 * unseen, just before midnight or on a machine that was off. Null where that one is made. An hour that was set since it passed
 * yesterday waits for the next. What is dated after now, by a clock that was ahead, says nothing.
 */
export function nightToMake({ at, since, last }: Nightly, now: Date): string | null {
  const today = londonDay(now)
  const isPassedToday = londonClock(now) >= at
  const night = isPassedToday ? today : addDays(today, -1)
  // Between its hour and midnight the clocks may go back to before it: that of today stands for yesterday's too.
  const isMade = last !== null && last.day >= night && last.day <= today
  const isSetSince = since > londonInstant(night, at).toISOString() && since <= now.toISOString()
  return isMade || (!isPassedToday && isSetSince) ? null : night
}

/** From one to the next it is a day, an hour more where the clocks go back, and however long a large one takes. */
const longestMs = 36 * 3_600_000

/** Since when a backup has stayed away that should have come: ISO. Null where none has. */
export function nightlyMissingSince({ since, last }: Nightly, now: Date): string | null {
  const known = [since, ...(last === null ? [] : [last.madeAt])].filter((at) => at <= now.toISOString())
  const latest = known.sort().at(-1)
  return latest !== undefined && now.getTime() - Date.parse(latest) > longestMs ? latest : null
}
