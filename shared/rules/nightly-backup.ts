import { addDays, londonClock, londonDay, londonInstant } from './london.ts'

export type Nightly = {
  /** By London's clock. */
  at: string
  /** When that hour was set; ISO. */
  since: string
  /** The day that the last was made for, and when it was; null before the first. */
  last: { day: string; madeAt: string } | null
  /** When the server was there again, after it had been off; ISO. Null where it never was. */
  backAt: string | null
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

/** The next look comes within minutes, and a large one takes a while: so long it may be under way. */
const patienceMs = 2 * 3_600_000

/** Since when a backup has stayed away that should have come: ISO. Null where none has, and while it may still be under way. */
export function nightlyMissingSince(nightly: Nightly, now: Date): string | null {
  const { since, last, backAt } = nightly
  const isPast = (at: string) => at <= now.toISOString()
  const latest = [since, ...(last === null ? [] : [last.madeAt])].filter(isPast).sort().at(-1)
  if (latest === undefined || now.getTime() - Date.parse(latest) <= longestMs) return null
  const begunBy = new Date(now.getTime() - patienceMs)
  const isJustBack = backAt !== null && isPast(backAt) && backAt > begunBy.toISOString()
  return isJustBack || nightToMake(nightly, begunBy) === null ? null : latest
}
