/* Calendar days and times of Europe/London, by which all billing goes. Days are YYYY-MM-DD. */

type Options = Intl.DateTimeFormatOptions

/** Made when it is first used, and once: making one takes up to 5 ms, which a start need not spend. */
function formatter(locale: string, options: Options): () => Intl.DateTimeFormat {
  let made: Intl.DateTimeFormat | undefined
  return () => {
    made ??= new Intl.DateTimeFormat(locale, options)
    return made
  }
}

const partsOfLondon = formatter('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

function partsAt(instant: Date): Record<string, string> {
  return Object.fromEntries(
    partsOfLondon()
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
}

/** The day in London at that instant. */
export function londonDay(instant: Date): string {
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

const longDate = formatter('en-GB', { timeZone: 'Europe/London', day: 'numeric', month: 'long', year: 'numeric' })
const monthAndYear = formatter('en-GB', { timeZone: 'Europe/London', month: 'long', year: 'numeric' })

/** `12 July 2026`, from a day or an instant. */
export function formatLongDate(when: string | Date): string {
  const instant = typeof when === 'string' && when.length === 10 ? new Date(`${when}T12:00:00Z`) : new Date(when)
  return longDate().format(instant)
}

/** `March 2024` */
export const formatMonthAndYear = (when: string | Date) => monthAndYear().format(new Date(when))

/** `07:40`, in the device's own time zone unless another is given. */
export function formatClock(when: string | Date, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(
    new Date(when),
  )
}
