import { addDays } from './london.ts'

/* Days as people in Britain type them. Days are YYYY-MM-DD. */

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const monthNames = 'january february march april may june july august september october november december sept'.split(
  ' ',
)

/** More than any day and time, however it's typed. */
const longest = 100

/** Which year a day without one is in: the `next` such day from today on, or the `last` one up to today. */
export type MissingYear = 'next' | 'last'

/**
 * `24/11/2026`, `24/11/26`, `24/11`, `24 Nov`, `24 November 2026`, or a day as we store it. Null if there's no such day. A year of
 * two digits is in this century.
 */
export function readTypedDay(typed: string, today: string, missingYear: MissingYear = 'next'): string | null {
  const text = typed.trim().toLowerCase()
  if (text.length > longest) return null
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return realDay(text)
  const [, day = '', month = '', year = ''] =
    /^(\d{1,2})(?:st|nd|rd|th)?([\s/.-]+\d{1,2}|[\s/.-]*[a-z]+)(?:[\s/.,-]+(\d{2}|\d{4}))?$/.exec(text) ?? []
  const number = monthNumber(month.replace(/^[\s/.-]+/, ''))
  if (day === '' || number === null) return null
  const of = (ofYear: number) => realDay(`${ofYear}-${twoDigits(number)}-${twoDigits(Number(day))}`)
  if (year !== '') return of(Number(year) + (year.length === 2 ? 2000 : 0))
  const thisYear = Number(today.slice(0, 4))
  // 29 February can be eight years away.
  const years = Array.from({ length: 9 }, (_, away) => thisYear + (missingYear === 'next' ? away : -away))
  const isWanted = (found: string | null) =>
    found !== null && (missingYear === 'next' ? found >= today : found <= today)
  return years.map(of).find(isWanted) ?? null
}

/** A day and a time of 24 hours, `24/11/2026 9:30`, as `2026-11-24T09:30`. Null if there's no such day or time. */
export function readTypedDayAndTime(typed: string, today: string): string | null {
  if (typed.length > longest) return null
  const [, dayText = '', hours = '', minutes = ''] =
    /^(.+?)(?:\s*,\s*|\s+at\s+|\s+|t)(\d{1,2})[:.](\d\d)$/.exec(typed.trim().toLowerCase()) ?? []
  const day = readTypedDay(dayText, today)
  return day !== null && Number(hours) < 24 && Number(minutes) < 60
    ? `${day}T${hours.padStart(2, '0')}:${minutes}`
    : null
}

/** A time of 24 hours as `09:30`, from `9:30`, `9.30`, `0930`, `9`, `9am` or `9.30 pm`. Null if there's no such time. */
export function readTypedTime(typed: string): string | null {
  const [, hours = '', minutes = '00', half] =
    /^(\d{1,2})(?:[:.]?(\d\d))?\s*([ap]m)?$/.exec(typed.trim().toLowerCase()) ?? []
  const hour = half ? (Number(hours) % 12) + (half === 'pm' ? 12 : 0) : Number(hours)
  const isTime = hours !== '' && Number(minutes) < 60 && (half ? Number(hours) >= 1 && Number(hours) <= 12 : hour < 24)
  return isTime ? `${twoDigits(hour)}:${minutes}` : null
}

/** `24/11/2026`, from a day, and `24/11/2026 09:30` from `2026-11-24T09:30`. Anything else stays as it is. */
export function typedDayText(stored: string): string {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d))?$/.exec(stored) ?? []
  return year === undefined ? stored : [`${day}/${month}/${year}`, time].filter(Boolean).join(' ')
}

function monthNumber(typed: string): number | null {
  if (/^\d/.test(typed)) return Number(typed)
  const isMonth = months.includes(typed) || monthNames.includes(typed)
  return isMonth ? months.indexOf(typed.slice(0, 3)) + 1 : null
}

const twoDigits = (number: number) => String(number).padStart(2, '0')

function realDay(day: string): string | null {
  const isTime = !Number.isNaN(Date.parse(`${day}T12:00:00Z`))
  return isTime && addDays(day, 0) === day ? day : null
}
