import * as v from 'valibot'
import { CallKind, memberCallKinds, visitorCallKinds, Weekday } from './call-kind.ts'
import { CallSlot, CoachId } from './call-slot.ts'
import { BookingStatus } from './coaching-booking.ts'
import { Day, Email, honeypot, Id, Instant, Line, Month, OptionalLine, OptionalText, RequiredLine } from './fields.ts'
import { bookingLabels } from './form-labels.ts'
import { CallAgreement } from './member-calls.ts'

const clock = /^(?:[01]\d|2[0-3]):[0-5]\d$/
export const Clock = v.pipe(v.string(), v.regex(clock, 'Write a time as 09:00.'))

/** London time. */
export const CallWindow = v.pipe(
  v.object({
    opens: Clock,
    closes: v.pipe(v.union([Clock, v.literal('24:00')], 'Write a time as 17:00.'), v.examples(['17:00'])),
  }),
  v.check(({ opens, closes }) => opens < closes, 'A time has to end after it starts.'),
)
export type CallWindow = v.InferOutput<typeof CallWindow>

export const CallWindows = v.pipe(v.array(CallWindow), v.maxLength(12, 'Use up to 12 times a day.'))

/** The rules for all calls of a kind. A coaching call's length comes from the member's tier instead. */
export const CallRules = v.object({
  kind: CallKind,
  minutes: v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(240)),
  /** Calls can start this often, counted from the start of the coach's day. */
  everyMinutes: v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(240)),
  /** The latest a call can be booked or moved, counted back from its start. */
  leadMinutes: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(30 * 24 * 60)),
  /** The gap a coach keeps free before and after. */
  bufferMinutes: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(240)),
  /** How far ahead a call can be booked. */
  horizonDays: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(365)),
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type CallRules = v.InferOutput<typeof CallRules>

export const CallKindParams = v.object({ kind: CallKind })

/** Days in London, at most 31 of them. The default is as far as calls can be booked. */
export const CallSlotsQuery = v.object({ coach: v.optional(CoachId), from: v.optional(Day), to: v.optional(Day) })
export type CallSlotsQuery = v.InferOutput<typeof CallSlotsQuery>

/** A booked call, as the person who booked it sees it. `link` opens the page to move or cancel it. */
export const BookedCall = v.object({
  kind: CallKind,
  coach: CoachId,
  coachName: v.string(),
  startsAt: Instant,
  minutes: v.number(),
  /** The coach rings it; without one they email how to join. */
  phone: v.nullable(v.string()),
  link: v.string(),
})
export type BookedCall = v.InferOutput<typeof BookedCall>

/**
 * Whether the person may book. Visitors are always `open`. For members' calls: `login` means log in first, `not-included` isn't in
 * their tier, and `used` means this month's call is booked or held.
 */
export const callStandings = ['open', 'login', 'no-access', 'not-included', 'used'] as const

export const CallSlotsResponse = v.object({
  kind: CallKind,
  minutes: v.number(),
  standing: v.picklist(callStandings),
  /** In London. Later days can't be booked yet. */
  lastDay: v.string(),
  /** In time order. */
  slots: v.array(CallSlot),
  /** The first month with free times in which the member's call is already booked or held. */
  usedMonth: v.optional(Month),
  booked: v.array(BookedCall),
  /** Of the member's profile, to begin with. */
  phone: v.optional(v.string()),
})
export type CallSlotsResponse = v.InferOutput<typeof CallSlotsResponse>

const notes = OptionalText(2000)

/** `phone`: without it, the one of their profile. */
export const MemberCallForm = v.object({ phone: v.optional(OptionalLine(40)), notes })

export const MemberCallRequest = v.object({
  kind: v.picklist(memberCallKinds),
  ...CallSlot.entries,
  ...MemberCallForm.entries,
})
export type MemberCallRequest = v.InferOutput<typeof MemberCallRequest>

export const MemberCallResponse = v.object({ success: v.literal(true), call: BookedCall })
export type MemberCallResponse = v.InferOutput<typeof MemberCallResponse>

export const VisitorCallForm = v.object({
  name: RequiredLine(bookingLabels.name, 100),
  email: Email,
  phone: OptionalLine(40),
  notes,
})
export type VisitorCallForm = v.InferOutput<typeof VisitorCallForm>

export const VisitorCallRequest = v.object({
  kind: v.picklist(visitorCallKinds),
  ...CallSlot.entries,
  ...VisitorCallForm.entries,
  ...honeypot,
})
export type VisitorCallRequest = v.InferOutput<typeof VisitorCallRequest>

/** We hold the time until then; the emailed link confirms it. */
export const VisitorCallResponse = v.object({ success: v.literal(true), heldUntil: Instant })
export type VisitorCallResponse = v.InferOutput<typeof VisitorCallResponse>

/** A signed link to one booking. */
export const CallToken = v.pipe(v.string(), v.maxLength(200))
export const CallLinkQuery = v.object({ token: CallToken })

/** `ended`: the call has begun, was cancelled or held, so the link can't change it any more. */
export const callStates = ['held', 'booked', 'cancelled', 'ended'] as const

export const LinkedCall = v.object({
  ...v.omit(BookedCall, ['link']).entries,
  state: v.picklist(callStates),
  heldUntil: v.nullable(Instant),
})
export type LinkedCall = v.InferOutput<typeof LinkedCall>

/** Times it can move to: the same kind, coach and length. */
export const LinkedCallSlots = v.object({ slots: v.array(CallSlot), lastDay: v.string() })
export type LinkedCallSlots = v.InferOutput<typeof LinkedCallSlots>

export const MoveLinkedCallRequest = v.object({ ...CallLinkQuery.entries, startsAt: Instant })

/** A weekday's times. `version` goes up with each change, and is 0 if it was never set; a change names the one it was made from. */
export const CallHours = v.object({
  coach: CoachId,
  kind: CallKind,
  weekday: Weekday,
  windows: CallWindows,
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type CallHours = v.InferOutput<typeof CallHours>

export const CallDays = v.object({
  id: v.string(),
  coach: v.nullable(CoachId),
  firstDay: v.string(),
  lastDay: v.string(),
  windows: v.array(CallWindow),
  note: v.nullable(v.string()),
})
export type CallDays = v.InferOutput<typeof CallDays>
export const Created = v.object({ id: v.string() })

export const CallDaysRequest = v.pipe(
  v.object({
    coach: v.optional(v.nullable(CoachId), null),
    firstDay: Day,
    lastDay: Day,
    windows: v.optional(CallWindows, []),
    note: v.optional(v.nullable(Line(200)), null),
  }),
  v.check(({ firstDay, lastDay }) => firstDay <= lastDay, 'The last day is before the first.'),
)
export type CallDaysRequest = v.InferOutput<typeof CallDaysRequest>

export const CallSetup = v.object({
  /** The billing clock, which decides what can be booked. */
  now: Instant,
  coaches: v.array(v.object({ id: CoachId, name: v.string() })),
  /** In the order of coaches, kinds and weekdays, without days that never had times. */
  hours: v.array(CallHours),
  rules: v.array(CallRules),
  /** Without those in the past. */
  days: v.array(CallDays),
})
export type CallSetup = v.InferOutput<typeof CallSetup>

/** One more call of a kind for a member in a month, London time. */
export const CallAllowanceRequest = v.object({
  email: Email,
  kind: v.picklist(memberCallKinds),
  month: Month,
})
export type CallAllowanceRequest = v.InferOutput<typeof CallAllowanceRequest>

export const AdminCall = v.object({
  id: v.string(),
  kind: CallKind,
  coach: CoachId,
  coachName: v.string(),
  /** The member's account, if it's a member's call. */
  memberId: v.nullable(v.string()),
  photo: v.nullable(v.string()),
  name: v.string(),
  email: v.string(),
  phone: v.nullable(v.string()),
  startsAt: Instant,
  minutes: v.number(),
  status: BookingStatus,
  notes: v.nullable(v.string()),
  /** What they agreed. A visitor's call can't have one. */
  agreement: CallAgreement,
})
export type AdminCall = v.InferOutput<typeof AdminCall>
export const AdminCallList = v.array(AdminCall)
export const AdminCallQuery = v.object({ coach: v.optional(CoachId), from: v.optional(Day), to: v.optional(Day) })
export type AdminCallQuery = v.InferOutput<typeof AdminCallQuery>

export const CallParams = v.object({ id: Id })

/** Moves the call to any time at which the coach has no other, as an owner. */
export const MoveCallRequest = v.object({ startsAt: Instant, coach: v.optional(CoachId) })
export type MoveCallRequest = v.InferOutput<typeof MoveCallRequest>

export const agreementLength = 4000

/** `version` is the one that was edited. If it has changed since, we don't overwrite it. */
export const CallAgreementRequest = v.object({
  agreed: OptionalText(agreementLength),
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type CallAgreementRequest = v.InferOutput<typeof CallAgreementRequest>
