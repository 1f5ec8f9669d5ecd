export type CalendarCall = {
  /** Stays the same when the call is moved. */
  uid: string
  /** Goes up with each change, so calendars take the latest. */
  sequence: number
  startsAt: string
  endsAt: string
  title: string
  /** Where to move or cancel it. Left out of feeds. */
  url?: string
  isCancelled?: boolean
  changedAt: string
}

/** Whose calls they are. RFC 5546 needs an organiser for each event that's published or cancelled. */
type Organiser = { name: string; email: string }

/** An iCalendar file (RFC 5545) in London time, with its time zone rules. Loads the library on first use. */
export async function callCalendar({ name, email }: Organiser, calls: readonly CalendarCall[]): Promise<string> {
  const [{ default: createCalendar, ICalCalendarMethod, ICalEventStatus }, timezones] = await Promise.all([
    import('ical-generator'),
    import('@touch4it/ical-timezones'),
  ])
  const isCancelled = calls.some((call) => call.isCancelled === true)
  // No sign ends a quoted parameter but its quotation mark, and there's no escape for that one.
  const organizer = { name: plainText(name).replace(/["\\\n]/g, ' '), email }
  // The library escapes events' texts, but not these two.
  const escaped = escapeText(plainText(name))
  const calendar = createCalendar({
    name: escaped,
    prodId: { company: escaped, product: 'Calls', language: 'EN' },
    method: isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
    // Without a name: otherwise it would write the timestamp, which must be UTC, as London time.
    timezone: { name: null, generator: timezones.getVtimezoneComponent },
  })
  for (const call of calls) {
    calendar.createEvent({
      id: call.uid,
      sequence: call.sequence,
      ...timesOf(call),
      summary: plainText(call.title),
      organizer,
      stamp: new Date(call.changedAt),
      status: call.isCancelled === true ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      ...(call.url === undefined ? {} : { url: call.url, description: `Move or cancel: ${call.url}` }),
    })
  }
  return calendar.toString()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: no text of such a file may hold them (RFC 5545, 3.1)
const notText = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

const plainText = (text: string) => text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(notText, '')

/** RFC 5545, 3.3.11. */
const escapeText = (text: string) => text.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n')

/**
 * In London time, so a call keeps its hour in calendars elsewhere. A time in the repeated hour in October means the first one
 * (RFC 5545, 3.3.5), so the second is written in UTC.
 */
function timesOf({ startsAt, endsAt }: CalendarCall) {
  const [start, end] = [inLondon(startsAt), inLondon(endsAt)]
  if (isSecondPass(start) || isSecondPass(end)) return { start: new Date(startsAt), end: new Date(endsAt) }
  return { start, end, timezone: 'Europe/London' }
}

/** A `Date` would be written in the machine's time zone. */
const inLondon = (at: string) => Temporal.Instant.from(at).toZonedDateTimeISO('Europe/London')

const isSecondPass = (at: Temporal.ZonedDateTime) =>
  !at.toPlainDateTime().toZonedDateTime('Europe/London', { disambiguation: 'earlier' }).equals(at)
