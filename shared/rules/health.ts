import { addDays, londonInstant } from './london.ts'
import { plural } from './plural.ts'

export type HealthLevel = 'good' | 'bad' | 'warning'

const goodStatuses: readonly string[] = ['configured', 'connected', 'alive']
const badStatuses: readonly string[] = ['missing', 'damaged', 'unwritable']

export function healthLevel(status: string): HealthLevel {
  if (goodStatuses.includes(status)) return 'good'
  return badStatuses.includes(status) ? 'bad' : 'warning'
}

/** One failed part makes the whole an error; a warning doesn't. */
export const overallHealth = (statuses: readonly string[]): 'ok' | 'error' =>
  statuses.some((status) => healthLevel(status) === 'bad') ? 'error' : 'ok'

/** How far back the history goes, today included. */
export const historyDays = 90

export type HealthDay = { day: string; minutes: number | null }

type Trouble = { startedAt: string; endedAt: string | null }

/** The last 90 days, oldest first, each with its minutes of trouble; null before the records begin. */
export function daysOfHealth(
  { since, today, incidents }: { since: string; today: string; incidents: readonly Trouble[] },
  now: Date,
): HealthDay[] {
  return Array.from({ length: historyDays }, (_, at) => {
    const day = addDays(today, at + 1 - historyDays)
    if (day < since) return { day, minutes: null }
    const [from, to] = [londonInstant(day, '00:00').getTime(), londonInstant(addDays(day, 1), '00:00').getTime()]
    const ms = incidents.reduce((sum, { startedAt, endedAt }) => {
      const [began, ended] = [Date.parse(startedAt), endedAt === null ? now.getTime() : Date.parse(endedAt)]
      return sum + Math.max(0, Math.min(to, ended) - Math.max(from, began))
    }, 0)
    return { day, minutes: Math.ceil(Math.min(ms, to - from) / 60_000) }
  })
}

/** Such as "12 minutes" or "2 hours 5 minutes". */
export function lengthOfTrouble(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const parts = [hours > 0 ? plural(hours, 'hour') : '', rest > 0 || hours === 0 ? plural(rest, 'minute') : '']
  return parts.filter(Boolean).join(' ')
}
