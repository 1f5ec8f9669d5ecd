import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import type { AdminCall, CallDays, CallRules, CallSetup, CallWindow } from '#shared/contract/calendar.ts'
import type { Weekday } from '#shared/contract/call-kind.ts'
import { callNames, weekdays } from '#shared/contract/call-kind.ts'
import type { CallWeek } from '#shared/contract/owner-calendar.ts'
import { addDays, formatLongDate, londonClock, weekdayName } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'

export type NamedWeek = CallWeek & { coachName: string }

export const weekdayLabels: Record<Weekday, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

const shortDay = (day: Weekday) => weekdayLabels[day].slice(0, 3)

/** `09:00–12:00, 13:00–17:00` */
export const windowsText = (windows: readonly CallWindow[]) =>
  windows.map(({ opens, closes }) => `${opens}–${closes}`).join(', ')

/** `Mon–Fri 09:00–12:00; Sat 10:00–11:00`: joins days in a row that have the same hours. */
export function weekText({ days }: Pick<CallWeek, 'days'>): string {
  const runs: { first: Weekday; last: Weekday; text: string }[] = []
  for (const [at, day] of weekdays.entries()) {
    const text = windowsText(days[day])
    const before = runs.at(-1)
    if (text === '') continue
    if (before?.text === text && weekdays[at - 1] === before.last) before.last = day
    else runs.push({ first: day, last: day, text })
  }
  return runs
    .map(
      ({ first, last, text }) => `${first === last ? shortDay(first) : `${shortDay(first)}–${shortDay(last)}`} ${text}`,
    )
    .join('; ')
}

/** Monday first. */
export const weekFrom = (day: string): string[] => weekdays.map((_, at) => addDays(day, at))

/** `16 to 22 November 2026`, or `Monday 16 November 2026` if both are the same day. */
export function rangeText(first: string, last: string): string {
  if (first === last) return `${weekdayName(first)} ${formatLongDate(first)}`
  const [from, to] = [formatLongDate(first), formatLongDate(last)]
  const [day = '', month = '', year = ''] = from.split(' ')
  const [, lastMonth, lastYear] = to.split(' ')
  if (year !== lastYear) return `${from} to ${to}`
  return month === lastMonth ? `${day} to ${to}` : `${day} ${month} to ${to}`
}

/** `09:00–09:30` */
export const timesText = ({ startsAt, minutes }: Pick<AdminCall, 'startsAt' | 'minutes'>) =>
  `${londonClock(startsAt)}–${londonClock(new Date(Date.parse(startsAt) + minutes * 60_000))}`

/** `Monday 16 November 2026, 09:00–09:30` */
export const whenText = (call: Pick<AdminCall, 'startsAt' | 'minutes'>) =>
  `${weekdayName(call.startsAt)} ${formatLongDate(call.startsAt)}, ${timesText(call)}`

export const daysText = ({ firstDay, lastDay }: Pick<CallDays, 'firstDay' | 'lastDay'>) => rangeText(firstDay, lastDay)

/** `90 minutes`, `4 hours`, `2 days` */
export function spanText(minutes: number): string {
  if (minutes > 0 && minutes % 1440 === 0) return plural(minutes / 1440, 'day')
  return minutes > 0 && minutes % 60 === 0 ? plural(minutes / 60, 'hour') : plural(minutes, 'minute')
}

export const lengthText = ({ kind, minutes }: CallRules) =>
  kind === 'coaching' ? 'Set by tier' : plural(minutes, 'minute')

export const kindOf = ({ kind }: Pick<AdminCall, 'kind'>) => callNames[kind]

/* The week form: each time is a pair of fields, named after its day and its position there. */

export type TypedWindow = { opens: string; closes: string }
export type TypedWeek = Record<Weekday, TypedWindow[]>

export const fieldName = (day: Weekday, at: number, end: keyof TypedWindow) => `${day}.${at}.${end}`

const typedEnd = (closes: string) => (closes === '24:00' ? '00:00' : closes)

export const typedWeek = (windowsOn: (day: Weekday) => readonly TypedWindow[]): TypedWeek => ({
  mon: [...windowsOn('mon')],
  tue: [...windowsOn('tue')],
  wed: [...windowsOn('wed')],
  thu: [...windowsOn('thu')],
  fri: [...windowsOn('fri')],
  sat: [...windowsOn('sat')],
  sun: [...windowsOn('sun')],
})

/** A time input can’t say 24:00, so midnight at the end is 00:00 there. */
export const toTypedWeek = ({ days }: Pick<CallWeek, 'days'>): TypedWeek =>
  typedWeek((day) => days[day].map(({ opens, closes }) => ({ opens, closes: typedEnd(closes) })))

export function valuesOfWeek(week: CallWeek): FormValues {
  const typed = toTypedWeek(week)
  const times = weekdays.flatMap((day) =>
    typed[day].flatMap(({ opens, closes }, at) => [
      [fieldName(day, at, 'opens'), opens],
      [fieldName(day, at, 'closes'), closes],
    ]),
  )
  return { ...Object.fromEntries(times), version: String(week.version) }
}

/** In the form’s order, with empty pairs. */
export function windowsIn(values: FormValues, day: Weekday): TypedWindow[] {
  const places = Object.keys(values).flatMap((name) => new RegExp(`^${day}\\.(\\d+)\\.opens$`).exec(name)?.[1] ?? [])
  return places
    .map(Number)
    .sort((one, other) => one - other)
    .map((at) => ({
      opens: values[fieldName(day, at, 'opens')] ?? '',
      closes: values[fieldName(day, at, 'closes')] ?? '',
    }))
}

/** In the contract’s shape, without empty pairs. */
export const readWeek = (of: Pick<CallWeek, 'coach' | 'kind'>) => (values: FormValues) => ({
  ...of,
  days: typedWeek((day) =>
    windowsIn(values, day)
      .filter(({ opens, closes }) => opens !== '' || closes !== '')
      .map(({ opens, closes }) => ({ opens, closes: closes === '00:00' ? '24:00' : closes })),
  ),
  version: Number(values.version),
})

export function offText({ coach, windows, note }: CallDays, { coaches }: CallSetup): string {
  const who = coach === null ? '' : `${coaches.find(({ id }) => id === coach)?.name ?? coach}: `
  const what = windows.length === 0 ? 'Day off' : `Only ${windowsText(windows)}`
  return `${who}${what}${note ? ` (${note})` : ''}`
}
