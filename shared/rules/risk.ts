import { addDays, nextMonth } from './london.ts'

/** A card is expiring in its last so many days. */
const daysBefore = 30

/** The month before a YYYY-MM. */
export const monthBefore = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7)

/**
 * Cards that work to the end of this month, or of one before, are expiring or have expired; in months since the year 0. A card works
 * to the end of its month.
 */
export function lastExpiringMonth(today: string): number {
  const month = today.slice(0, 7)
  const following = nextMonth(month)
  const lastDay = addDays(`${nextMonth(following)}-01`, -1)
  return addDays(lastDay, -daysBefore) <= today ? monthsOf(following) : monthsOf(month)
}

function monthsOf(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return year * 12 + number
}
