import { addDays, nextMonth } from './london.ts'

/** A card counts as expiring in its last 30 days. */
const daysBefore = 30
export const isExpiring = (lastDay: string, today: string) => addDays(lastDay, -daysBefore) <= today

/** A card works to the end of its month, a YYYY-MM. */
export const lastDayOfCard = (month: string): string => addDays(`${nextMonth(month)}-01`, -1)

/** The last month, in months since year 0, in which an expiring or expired card can end. */
export function lastExpiringMonth(today: string): number {
  const month = today.slice(0, 7)
  const following = nextMonth(month)
  return isExpiring(lastDayOfCard(following), today) ? monthsOf(following) : monthsOf(month)
}

function monthsOf(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return year * 12 + number
}
