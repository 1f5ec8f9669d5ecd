import type { CallHours } from '#shared/contract/calendar.ts'
import type { CallKind, Weekday } from '#shared/contract/call-kind.ts'
import type { CallWeek } from '#shared/contract/owner-calendar.ts'
import { addDays, londonClock, londonDay, londonInstant, weekdayOf } from './london.ts'

/** London times, HH:MM; `closes` may be 24:00. */
type Window = { opens: string; closes: string }

/** When a coach takes calls on a weekday; 0 is Monday. */
export type WeeklyHours = { weekday: number; windows: readonly Window[] }

/** Days that differ from the weekly hours, both ends included. No windows means no calls. */
export type DayException = { firstDay: string; lastDay: string; windows: readonly Window[] }

/** Milliseconds since 1970. `buffer` is the gap to keep free on either side. */
export type Busy = { from: number; to: number; buffer: number }

export type SlotRequest = {
  /** Days in London, both included. */
  firstDay: string
  lastDay: string
  hours: readonly WeeklyHours[]
  exceptions: readonly DayException[]
  busy: readonly Busy[]
  rules: { minutes: number; everyMinutes: number; bufferMinutes: number }
  earliest: Date
}

const minute = 60_000

/**
 * The start times a coach is free for, in order. Each call lasts exactly `minutes` of real time, even across a change of clocks,
 * and lies wholly within the coach's hours.
 */
export function freeSlots(request: SlotRequest): Date[] {
  const { busy, rules, earliest } = request
  const [length, buffer] = [rules.minutes * minute, rules.bufferMinutes * minute]
  const starts = new Set<number>()
  for (let day = request.firstDay; day <= request.lastDay; day = addDays(day, 1)) {
    for (const { opens, closes } of windowsOn(day, request)) {
      const end = londonMoment(day, closes, 'later')
      for (let at = londonMoment(day, opens, 'earlier'); at + length <= end; at += rules.everyMinutes * minute) {
        if (at >= earliest.getTime() && isFree({ from: at, to: at + length, buffer }, busy)) starts.add(at)
      }
    }
  }
  return [...starts].sort((one, other) => one - other).map((at) => new Date(at))
}

/** Whether a call keeps its distance from all others. Between two calls the longer buffer counts. */
export const isFree = (call: Busy, busy: readonly Busy[]): boolean =>
  busy.every((other) => {
    const gap = Math.max(call.buffer, other.buffer)
    return call.from >= other.to + gap || call.to + gap <= other.from
  })

type Hours = Pick<SlotRequest, 'hours' | 'exceptions'>

/** Whether a call lies wholly within a coach's hours. `from` and `to` are milliseconds since 1970. */
export function isWithinHours({ from, to }: Pick<Busy, 'from' | 'to'>, hours: Hours): boolean {
  const day = londonDay(new Date(from))
  return windowsOn(day, hours).some(
    ({ opens, closes }) => londonMoment(day, opens, 'earlier') <= from && to <= londonMoment(day, closes, 'later'),
  )
}

/** An exception outranks the week. If several cover a day, one that closes it wins. */
function windowsOn(day: string, { hours, exceptions }: Hours): readonly Window[] {
  const today = exceptions.filter(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay)
  if (today.some(({ windows }) => windows.length === 0)) return []
  if (today.length > 0) return today.flatMap(({ windows }) => windows)
  const weekday = weekdayOf(day)
  return hours.flatMap((entry) => (entry.weekday === weekday ? entry.windows : []))
}

const hour = 3_600_000

/**
 * The instant at which London's clocks show `time` on that day. A time in the hour skipped in March moves on by an hour; in
 * October's repeated hour `which` decides.
 */
function londonMoment(day: string, time: string, which: 'earlier' | 'later'): number {
  if (time === '24:00') return londonMoment(addDays(day, 1), '00:00', which)
  const at = londonInstant(day, time).getTime()
  const isShownAt = (moment: number) => londonClock(new Date(moment)) === time
  if (!isShownAt(at)) return at + hour
  return which === 'earlier' && isShownAt(at - hour) ? at - hour : at
}

/** A coach's week for one kind of call. A day without saved hours has no times. */
export function callWeek(hours: readonly CallHours[], { coach, kind }: { coach: string; kind: CallKind }): CallWeek {
  const own = hours.filter((row) => row.coach === coach && row.kind === kind)
  const on = (day: Weekday) => own.find(({ weekday }) => weekday === day)?.windows ?? []
  return {
    coach,
    kind,
    days: {
      mon: on('mon'),
      tue: on('tue'),
      wed: on('wed'),
      thu: on('thu'),
      fri: on('fri'),
      sat: on('sat'),
      sun: on('sun'),
    },
    version: own.reduce((sum, { version }) => sum + version, 0),
  }
}
