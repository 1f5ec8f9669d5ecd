/** A call as it stands in somebody's own calendar. */
export type CalendarCall = {
  /** The same however often it is moved. */
  uid: string
  /** Grows with each change, so that a calendar takes over the newest. */
  sequence: number
  startsAt: string
  endsAt: string
  title: string
  /** Where it is moved or cancelled; left out of feeds. */
  url?: string
  isCancelled?: boolean
  changedAt: string
}

/** An iCalendar file (RFC 5545) in London time, with the rules of its clocks. The library is loaded with the first of them. */
export async function callCalendar(name: string, calls: readonly CalendarCall[]): Promise<string> {
  const [{ default: createCalendar, ICalCalendarMethod, ICalEventStatus }, timezones] = await Promise.all([
    import('ical-generator'),
    import('@touch4it/ical-timezones'),
  ])
  const isCancelled = calls.some((call) => call.isCancelled === true)
  // The library escapes the texts of events, and writes these two as they are.
  const escaped = escapeText(plainText(name))
  const calendar = createCalendar({
    name: escaped,
    prodId: { company: escaped, product: 'Calls', language: 'EN' },
    method: isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
    // Without a name: with one it would write the stamp, which has to be in UTC, as if it were London's.
    timezone: { name: null, generator: timezones.getVtimezoneComponent },
  })
  for (const call of calls) {
    calendar.createEvent({
      id: call.uid,
      sequence: call.sequence,
      ...timesOf(call),
      summary: plainText(call.title),
      stamp: new Date(call.changedAt),
      status: call.isCancelled === true ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      ...(call.url === undefined ? {} : { url: call.url, description: `Move or cancel: ${call.url}` }),
    })
  }
  return calendar.toString()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no text of such a file may hold them (RFC 5545, 3.1)
const notText = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Without what no calendar may hold; breaks are of one kind, which the program that reads it shows as such. */
const plainText = (text: string) => text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(notText, '')

/** RFC 5545, 3.3.11. */
const escapeText = (text: string) => text.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n')

/**
 * In London's time, so that a call stays at its hour in a calendar elsewhere. A time of the hour that comes twice in October
 * means its first pass (RFC 5545, 3.3.5): in the second one it is said in UTC.
 */
function timesOf({ startsAt, endsAt }: CalendarCall) {
  const [start, end] = [inLondon(startsAt), inLondon(endsAt)]
  if (isSecondPass(start) || isSecondPass(end)) return { start: new Date(startsAt), end: new Date(endsAt) }
  return { start, end, timezone: 'Europe/London' }
}

/** A `Date` would be written by the clocks of the machine. */
const inLondon = (at: string) => Temporal.Instant.from(at).toZonedDateTimeISO('Europe/London')

const isSecondPass = (at: Temporal.ZonedDateTime) =>
  !at.toPlainDateTime().toZonedDateTime('Europe/London', { disambiguation: 'earlier' }).equals(at)
