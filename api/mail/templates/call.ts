import { type CallKind, callNames, callWithin } from '#shared/contract/call-kind.ts'
import { formatLongDate, formatMoment, formatMonthAndYear, londonClock, weekdayName } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Block, greeting, type Message, paragraph } from './layout.ts'

export type CallFacts = {
  kind: CallKind
  coach: string
  startsAt: string
  minutes: number
  /** The coach rings it. Without one, they email. */
  phone: string | null
  /** Where the call is confirmed, moved or cancelled. */
  url: string
}

/** Such as `Thursday 18 June 2026, 09:00`. */
const timeOf = (startsAt: string) => `${weekdayName(startsAt)} ${formatMoment(startsAt)}`

/* A subject has up to 50 characters, so these leave out the year: `18 June`, `Thu 18 June, 09:00`. */
const shortDayOf = (startsAt: string) => formatLongDate(startsAt).replace(/ \d+$/, '')
const shortTimeOf = (startsAt: string) =>
  `${weekdayName(startsAt).slice(0, 3)} ${shortDayOf(startsAt)}, ${londonClock(startsAt)}`

const rowsOf = ({ coach, startsAt, minutes }: CallFacts): Block => ({
  kind: 'rows',
  rows: [
    ['When', `${timeOf(startsAt)}, UK time`],
    ['How long', `${minutes} minutes`],
    ['With', coach],
  ],
})

/** To an unconfirmed address, so it repeats nothing that was typed. */
export const callHeldMail = (facts: CallFacts): Message => ({
  subject: `Confirm your ${callWithin(facts.kind)}`,
  heading: 'One press and it’s booked',
  blocks: [
    rowsOf(facts),
    paragraph('We’re keeping this time for you for 30 minutes.'),
    { kind: 'button', label: 'Book this call', url: facts.url },
    paragraph('Didn’t ask for a call? Ignore this email and we’ll free the time.'),
  ],
})

export const callBookedMail = (firstName: string, facts: CallFacts): Message => ({
  subject: `Booked: ${timeOf(facts.startsAt)}`,
  heading: `${greeting(firstName)} your ${callWithin(facts.kind)} is booked`,
  blocks: [
    rowsOf(facts),
    paragraph(howItStarts(facts)),
    paragraph('Open the attachment to add it to your calendar.'),
    { kind: 'button', label: 'Move or cancel', url: facts.url },
  ],
})

const howItStarts = ({ coach, phone }: CallFacts) =>
  phone ? `${coach} will ring you on ${phone}.` : `${coach} will email you how to join before the call.`

/** For the owners: who rings whom. */
const whoRings = ({ coach, phone }: CallFacts, name: string) =>
  phone
    ? `${coach} will ring ${name} on ${phone}.`
    : `There’s no phone number, so ${coach} will email ${name} how to join.`

export const callMovedMail = (firstName: string, { before, ...facts }: CallFacts & { before: string }): Message => ({
  subject: `Moved: ${timeOf(facts.startsAt)}`,
  heading: `${greeting(firstName)} your ${callWithin(facts.kind)} has a new time`,
  blocks: [
    rowsOf(facts),
    paragraph(`It was ${timeOf(before)}. Open the attachment to move it in your calendar.`),
    { kind: 'button', label: 'Move or cancel', url: facts.url },
  ],
})

export const callCancelledMail = (firstName: string, facts: CallFacts): Message => ({
  subject: `Cancelled: ${timeOf(facts.startsAt)}`,
  heading: `${greeting(firstName)} your ${callWithin(facts.kind)} is cancelled`,
  blocks: [
    rowsOf(facts),
    paragraph(
      'Reply to this email if you’d like another time. Open the attachment to take the call out of your calendar.',
    ),
  ],
})

export const callReminderMail = (firstName: string, facts: CallFacts): Message => ({
  subject: `Your ${callWithin(facts.kind)}: ${shortTimeOf(facts.startsAt)}`,
  heading: `${greeting(firstName)} your ${callWithin(facts.kind)} is coming up`,
  blocks: [
    rowsOf(facts),
    paragraph(howItStarts(facts)),
    paragraph('Can’t make it? Move or cancel the call so someone else can have the time.'),
    { kind: 'button', label: 'Move or cancel', url: facts.url },
  ],
})

type Caller = {
  name: string
  email: string
  phone: string | null
  businessName: string | null
  notes: string | null
}

type CallNotice = CallFacts & { what: 'booked' | 'moved' | 'cancelled'; before: string | undefined; caller: Caller }

/** To the owners, with everything that was typed. */
export function callNoticeMail({ what, before, caller, ...facts }: CallNotice): Message {
  const title = `${callNames[facts.kind]} ${what}: ${caller.name}, ${timeOf(facts.startsAt)}`
  const typed: [string, string | null][] = [
    ['Was', before === undefined ? null : timeOf(before)],
    ['Name', caller.name],
    ['Email', caller.email],
    ['Phone', caller.phone],
    ['Business', caller.businessName],
    ['Notes', caller.notes],
  ]
  const rows = typed.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]))
  return {
    subject: `Call ${what}: ${caller.name}, ${shortDayOf(facts.startsAt)}`,
    heading: title,
    blocks: [
      rowsOf(facts),
      ...(what === 'cancelled' ? [] : [paragraph(whoRings(facts, caller.name))]),
      { kind: 'rows', rows },
      paragraph(`Reply to write to ${caller.email}.`),
    ],
  }
}

/** `again` is where a visitor picks another time. Members reply instead, since their monthly call may be used up. */
export const callMissedMail = (
  firstName: string,
  { again, ...facts }: CallFacts & { again: string | null },
): Message => ({
  subject: `We missed you: ${timeOf(facts.startsAt)}`,
  heading: `${greeting(firstName)} we missed you on your ${callWithin(facts.kind)}`,
  blocks: [
    rowsOf(facts),
    ...(again === null
      ? [paragraph('Reply to this email and we’ll find a time that suits you.')]
      : [
          paragraph('Still want to talk? Pick another time.'),
          { kind: 'button', label: 'Pick another time', url: again } as const,
        ]),
  ],
})

type DayCall = Pick<CallFacts, 'kind' | 'startsAt'> & Omit<Caller, 'businessName'> & { endsAt: string }

export function callDayMail(
  coach: string,
  { day, calls, url }: { day: string; calls: readonly DayCall[]; url: string },
): Message {
  const title = `Your ${plural(calls.length, 'call')} on ${weekdayName(day)} ${formatLongDate(day)}`
  return {
    subject: title,
    heading: `${greeting(coach)} ${title.replace(/^Your/, 'your')}`,
    blocks: [
      ...calls.map(({ kind, startsAt, endsAt, name, phone, email, notes }): Block => {
        const rows: [string, string | null][] = [
          ['When', `${londonClock(startsAt)} to ${londonClock(endsAt)}, UK time`],
          ['Call', callNames[kind]],
          ['Name', name],
          ['Phone', phone],
          ['Email', email],
          ['Notes', notes],
        ]
        return {
          kind: 'rows',
          rows: rows.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const])),
        }
      }),
      { kind: 'button', label: 'Open the calendar', url },
    ],
  }
}

export const callUnusedMail = (
  firstName: string,
  { month, minutes, url }: { month: string; minutes: number; url: string },
): Message => ({
  subject: `You haven’t booked your ${formatMonthAndYear(`${month}-15`)} call yet`,
  heading: `${greeting(firstName)} this month’s call is still yours`,
  blocks: [
    paragraph(`You’ve got a ${minutes}-minute coaching call in ${formatMonthAndYear(`${month}-15`)}.`),
    paragraph('Pick a time that suits you. It doesn’t carry over to next month.'),
    { kind: 'button', label: 'Book your call', url },
  ],
})
