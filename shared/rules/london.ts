/* Calendar days and times of Europe/London, by which all billing goes. Days are YYYY-MM-DD. */

let partsOfLondon: Intl.DateTimeFormat | undefined

function partsAt(instant: Date): Record<string, string> {
  // Made when it is first used: that takes up to 5 ms, and far more on a phone, which a start need not spend.
  partsOfLondon ??= new Intl.DateTimeFormat('en-CA', {
    timeZone: 'Europe/London',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  return Object.fromEntries(partsOfLondon.formatToParts(instant).map(({ type, value }) => [type, value]))
}

/** The day in London at that instant. Its clocks show UTC or an hour more: until 23:00 UTC it is the same day in both. */
export function londonDay(instant: Date): string {
  if (instant.getUTCHours() < 23) return instant.toISOString().slice(0, 10)
  const { year, month, day } = partsAt(instant)
  return `${year}-${month}-${day}`
}

/** The month in London at that instant, as YYYY-MM. */
export const londonMonth = (instant: Date) => londonDay(instant).slice(0, 7)

/** The month after a YYYY-MM. */
export function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

/** The instant at which a month begins in London. */
export const startOfMonth = (month: string) => londonInstant(`${month}-01`, '00:00')

/** The calendar day `days` later. */
export function addDays(day: string, days: number): string {
  const noon = new Date(`${day}T12:00:00Z`)
  noon.setUTCDate(noon.getUTCDate() + days)
  return noon.toISOString().slice(0, 10)
}

/** The day in London after that instant's. */
export const tomorrowInLondon = (instant: Date) => addDays(londonDay(instant), 1)

/** The instant at which London's clocks show `time` (HH:MM) on that day. */
export function londonInstant(day: string, time: string): Date {
  const asUtc = new Date(`${day}T${time}:00Z`)
  const shown = partsAt(asUtc)
  const shownAsUtc = Date.parse(
    `${shown.year}-${shown.month}-${shown.day}T${shown.hour}:${shown.minute}:${shown.second}Z`,
  )
  return new Date(asUtc.getTime() - (shownAsUtc - asUtc.getTime()))
}

const monthNames = 'January February March April May June July August September October November December'.split(' ')

/** `12 July 2026`, from a day or an instant. */
export function formatLongDate(when: string | Date): string {
  const [year, month, day] = dayOf(when).split('-')
  return `${Number(day)} ${monthNames[Number(month) - 1]} ${year}`
}

/** `March 2024` */
export function formatMonthAndYear(when: string | Date): string {
  const [year, month] = dayOf(when).split('-')
  return `${monthNames[Number(month) - 1]} ${year}`
}

const dayOf = (when: string | Date) =>
  typeof when === 'string' && when.length === 10 ? when : londonDay(new Date(when))

/** `07:40`, in the device's own time zone unless another is given. */
export function formatClock(when: string | Date, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(
    new Date(when),
  )
}
