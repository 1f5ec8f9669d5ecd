/* Calendar days and times of Europe/London, which all billing uses. Days are YYYY-MM-DD. */

let clocks: Intl.DateTimeFormat | undefined

/** `2026-06-12T08:40:00`, London time. Swedish dates are written this way. */
function shownInLondon(instant: Date): string {
  clocks ??= new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London', dateStyle: 'short', timeStyle: 'medium' })
  return clocks.format(instant).replace(' ', 'T')
}

/** How far London's clocks are ahead of UTC, in milliseconds. */
const aheadOfUtc = (instant: Date) =>
  Date.parse(`${shownInLondon(instant)}Z`) - Math.floor(instant.getTime() / 1000) * 1000

/** YYYY-MM-DD. Between midnight and 1 am in summer, UTC is still on the day before. */
export const londonDay = (instant: Date) => shownInLondon(instant).slice(0, 10)

export const londonMonth = (instant: Date) => londonDay(instant).slice(0, 7)

export function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

export const monthBefore = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7)

export const startOfMonth = (month: string) => londonInstant(`${month}-01`, '00:00')

export function addDays(day: string, days: number): string {
  const noon = new Date(`${day}T12:00:00Z`)
  noon.setUTCDate(noon.getUTCDate() + days)
  return noon.toISOString().slice(0, 10)
}

export const tomorrowInLondon = (instant: Date) => addDays(londonDay(instant), 1)

/**
 * The instant at which London's clocks show `time` (HH:MM) on that day. In the hour that's left out in March it's an hour later,
 * as clocks that were put forward show; in the hour that comes twice in October it's the second.
 */
export function londonInstant(day: string, time: string): Date {
  const asUtc = new Date(`${day}T${time}:00Z`)
  const instant = new Date(asUtc.getTime() - aheadOfUtc(asUtc))
  return aheadOfUtc(asUtc) === aheadOfUtc(instant) || aheadOfUtc(instant) > 0 ? instant : asUtc
}

/** `2026-06-12T08:40`, London time: what a field for day and time holds. */
export const momentTyped = (when: string | Date): string => shownInLondon(new Date(when)).slice(0, 16)

/** The instant someone typed as UK time: `2026-06-12T08:40`, or with a space. Null if there's no such day or time. */
export function readTypedMoment(typed: string): string | null {
  const [, day = '', time = ''] = /^([1-9]\d{3}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d)?$/.exec(typed.trim()) ?? []
  const asUtc = new Date(`${day}T${time}:00Z`)
  const isReal = !Number.isNaN(asUtc.getTime()) && asUtc.toISOString().startsWith(`${day}T${time}`)
  return isReal ? londonInstant(day, time).toISOString() : null
}

const monthNames = 'January February March April May June July August September October November December'.split(' ')

/** `12 July 2026`, from a day or an instant. */
export function formatLongDate(when: string | Date): string {
  const [year, month, day] = dayOf(when).split('-')
  return `${Number(day)} ${monthNames[Number(month) - 1]} ${year}`
}

const weekdayNames = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

/** `Thursday`, from a day or an instant. */
export const weekdayName = (when: string | Date): string => weekdayNames[weekdayOf(dayOf(when))] ?? ''

/** 0 is Monday. */
export const weekdayOf = (day: string): number => (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7

/** `March 2024` */
export function formatMonthAndYear(when: string | Date): string {
  const [year, month] = dayOf(when).split('-')
  return `${monthNames[Number(month) - 1]} ${year}`
}

const dayOf = (when: string | Date) =>
  typeof when === 'string' && when.length === 10 ? when : londonDay(new Date(when))

/** `07:40`, in London. */
export const londonClock = (when: string | Date) => shownInLondon(new Date(when)).slice(11, 16)

/** “12 July 2026, 07:40”; nothing for null. */
export const formatMoment = (at: string | null) => (at === null ? '' : `${formatLongDate(at)}, ${londonClock(at)}`)

/** `07:40`, in the device's own time zone. */
export function formatClock(when: string | Date): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
    new Date(when),
  )
}
