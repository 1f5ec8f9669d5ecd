import { addDays, londonClock, londonDay, londonInstant } from './london.ts'

/** No notice comes at night, by London's clock. */
export const quietFrom = '20:00'
export const quietUntil = '07:00'

export function isQuiet(at: Date): boolean {
  const clock = londonClock(at)
  return clock >= quietFrom || clock < quietUntil
}

/** When a notice may come that's ready `at`: then, or when the night is over. */
export function afterQuiet(at: Date): Date {
  if (!isQuiet(at)) return at
  const day = londonDay(at)
  return londonInstant(londonClock(at) < quietUntil ? day : addDays(day, 1), quietUntil)
}
