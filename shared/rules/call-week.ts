import type { CallHours } from '#shared/contract/calendar.ts'
import type { CallKind, Weekday } from '#shared/contract/call-kind.ts'
import type { CallWeek } from '#shared/contract/owner-calendar.ts'

/** The week of a coach for one kind of call, out of the days that were ever set; a day that never was has no times. */
export function callWeek(hours: readonly CallHours[], { coach, kind }: { coach: string; kind: CallKind }): CallWeek {
  const own = hours.filter((row) => row.coach === coach && row.kind === kind)
  const on = (day: Weekday) => own.find(({ weekday }) => weekday === day)?.windows ?? []
  return {
    ...{ coach, kind },
    days: {
      ...{ mon: on('mon'), tue: on('tue'), wed: on('wed'), thu: on('thu'), fri: on('fri') },
      ...{ sat: on('sat'), sun: on('sun') },
    },
    version: own.reduce((sum, { version }) => sum + version, 0),
  }
}
