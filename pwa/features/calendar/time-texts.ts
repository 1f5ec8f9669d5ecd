import { londonClock } from '#shared/rules/london.ts'

const london = 'Europe/London'

const deviceZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone || london

/** The days and times of calls in the visitor's time zone, and London's next to them if they differ. */
export type Clocks = {
  zone: string
  dayKey(at: string): string
  weekday(at: string): string
  shortDay(at: string): string
  longDay(at: string): string
  time(at: string): string
  /** `09:00 UK`; null if the visitor's time is the same. */
  londonTime(at: string): string | null
  whole(at: string): string
}

export function clocksOf(zone = deviceZone()): Clocks {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options })
    return (at: string) => formatter.format(new Date(at)).replace(',', '')
  }
  const time = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const longDay = format({ weekday: 'long', day: 'numeric', month: 'long' })
  const key = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const londonTime = (at: string) => (time(at) === londonClock(at) ? null : `${londonClock(at)} UK`)
  return {
    zone,
    time,
    longDay,
    londonTime,
    dayKey: (at) => key.format(new Date(at)),
    weekday: format({ weekday: 'short' }),
    shortDay: format({ day: 'numeric', month: 'short' }),
    whole: (at) => `${longDay(at)}, ${time(at)}${londonTime(at) === null ? '' : ` (${londonTime(at)})`}`,
  }
}

/** Only where someone could read the wrong clock: the time shown first is theirs. */
export const zoneNote = ({ zone }: Clocks, slots: readonly { startsAt: string }[]): string =>
  slots.every(({ startsAt }) => clocksOf(zone).londonTime(startsAt) === null)
    ? 'UK time.'
    : `Times are in your time zone (${zone.replaceAll('_', ' ')}), with UK time next to them.`
