import * as v from 'valibot'
import { CallKind, memberCallKinds, visitorCallKinds, Weekday } from './call-kind.ts'
import { CallSlot, CoachId } from './call-slot.ts'
import { BookingStatus } from './coaching-booking.ts'
import { Day, Email, honeypot, Id, Instant, Line, Month, OptionalLine, OptionalText, RequiredLine } from './fields.ts'
import { bookingLabels } from './form-labels.ts'
import { CallAgreement } from './member-calls.ts'

const clock = /^(?:[01]\d|2[0-3]):[0-5]\d$/
export const Clock = v.pipe(v.string(), v.regex(clock, 'Write a time as 09:00.'))

/** From when until when calls can be held on a day, by London's clocks. */
export const CallWindow = v.pipe(
  v.object({ opens: Clock, closes: v.union([Clock, v.literal('24:00')], 'Write a time as 17:00.') }),
  v.check(({ opens, closes }) => opens < closes, 'A time has to end after it starts.'),
)
export type CallWindow = v.InferOutput<typeof CallWindow>

export const CallWindows = v.pipe(v.array(CallWindow), v.maxLength(12, 'Use up to 12 times a day.'))

/** What all calls of a kind have in common. The length of a coaching call is its member's tier's instead. */
export const CallRules = v.object({
  kind: CallKind,
  minutes: v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(240)),
  /** A call can begin every so many minutes after its coach's day does. */
  everyMinutes: v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(240)),
  /** So long before it begins a call can be booked or moved at the latest. */
  leadMinutes: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(30 * 24 * 60)),
  /** What a coach has free before and after it. */
  bufferMinutes: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(240)),
  /** So many days ahead at most. */
  horizonDays: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(365)),
  /** As with the hours. */
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type CallRules = v.InferOutput<typeof CallRules>

export const CallKindParams = v.object({ kind: CallKind })

/** Days in London, at most 31 of them from the first; by default as many as can be booked. */
export const CallSlotsQuery = v.object({ coach: v.optional(CoachId), from: v.optional(Day), to: v.optional(Day) })
export type CallSlotsQuery = v.InferOutput<typeof CallSlotsQuery>

/** A booked call, as its own person sees it. `link` opens the page on which it is moved or cancelled. */
export const BookedCall = v.object({
  kind: CallKind,
  coach: CoachId,
  coachName: v.string(),
  startsAt: Instant,
  minutes: v.number(),
  link: v.string(),
})
export type BookedCall = v.InferOutput<typeof BookedCall>

/**
 * Whether the person asking may book: `open` to visitors; of members' calls `login` is asked for first, `not-included` in the tier,
 * `used` where this month's call is booked or was held.
 */
export const callStandings = ['open', 'login', 'no-access', 'not-included', 'used'] as const

export const CallSlotsResponse = v.object({
  kind: CallKind,
  /** Of the call, in minutes. */
  minutes: v.number(),
  standing: v.picklist(callStandings),
  /** In London; nothing after it can be booked yet. */
  lastDay: v.string(),
  /** In the order of time. */
  slots: v.array(CallSlot),
  /** The first month that has free times, where the member's call of it is booked or was held. */
  usedMonth: v.optional(Month),
  /** The member's own calls of this kind that are still to come. */
  booked: v.array(BookedCall),
})
export type CallSlotsResponse = v.InferOutput<typeof CallSlotsResponse>

const notes = OptionalText(2000)

export const MemberCallRequest = v.object({ kind: v.picklist(memberCallKinds), ...CallSlot.entries, notes })
export type MemberCallRequest = v.InferOutput<typeof MemberCallRequest>

export const MemberCallResponse = v.object({ success: v.literal(true), call: BookedCall })
export type MemberCallResponse = v.InferOutput<typeof MemberCallResponse>

/** What a visitor fills in beside the time. */
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

/** The time is held until then; the mailed link confirms it. */
export const VisitorCallResponse = v.object({ success: v.literal(true), heldUntil: Instant })
export type VisitorCallResponse = v.InferOutput<typeof VisitorCallResponse>

/** What a link names: one booking, signed. */
export const CallToken = v.pipe(v.string(), v.maxLength(200))
export const CallLinkQuery = v.object({ token: CallToken })

/** `ended`: the call has begun, was cancelled or held. Nothing can be done with the link any more. */
export const callStates = ['held', 'booked', 'cancelled', 'ended'] as const

/** What the page of a link shows. */
export const LinkedCall = v.object({
  ...v.omit(BookedCall, ['link']).entries,
  state: v.picklist(callStates),
  heldUntil: v.nullable(Instant),
})
export type LinkedCall = v.InferOutput<typeof LinkedCall>

/** What it can be moved to: the same kind, coach and length. */
export const LinkedCallSlots = v.object({ slots: v.array(CallSlot), lastDay: v.string() })
export type LinkedCallSlots = v.InferOutput<typeof LinkedCallSlots>

export const MoveLinkedCallRequest = v.object({ ...CallLinkQuery.entries, startsAt: Instant })

/* For owners. */

/**
 * A weekday's times. `version` grows with every change, and is 0 where nothing was ever set; a change names the one that it was
 * made from.
 */
export const CallHours = v.object({
  coach: CoachId,
  kind: CallKind,
  weekday: Weekday,
  windows: CallWindows,
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type CallHours = v.InferOutput<typeof CallHours>

/** Days that differ from the weekly hours; of one coach or of all. Without windows nothing can be booked then. */
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
  /** By the clock that calls are offered by. */
  now: Instant,
  coaches: v.array(v.object({ id: CoachId, name: v.string() })),
  /** In the order of coaches, kinds and weekdays; a day that never had times is left out. */
  hours: v.array(CallHours),
  rules: v.array(CallRules),
  /** Those that are not over. */
  days: v.array(CallDays),
})
export type CallSetup = v.InferOutput<typeof CallSetup>

/** One more call of a kind for a member in a month of London. */
export const CallAllowanceRequest = v.object({
  email: Email,
  kind: v.picklist(memberCallKinds),
  month: Month,
})
export type CallAllowanceRequest = v.InferOutput<typeof CallAllowanceRequest>

/** A call of our calendar, for owners. */
export const AdminCall = v.object({
  id: v.string(),
  kind: CallKind,
  coach: CoachId,
  coachName: v.string(),
  /** The account of a member whose call it is. */
  memberId: v.nullable(v.string()),
  /** Where their photo is. */
  photo: v.nullable(v.string()),
  name: v.string(),
  email: v.string(),
  phone: v.nullable(v.string()),
  startsAt: Instant,
  minutes: v.number(),
  status: BookingStatus,
  notes: v.nullable(v.string()),
  /** What was agreed; nobody may write it of a visitor's call. */
  agreement: CallAgreement,
})
export type AdminCall = v.InferOutput<typeof AdminCall>
export const AdminCallList = v.array(AdminCall)
export const AdminCallQuery = v.object({ coach: v.optional(CoachId), from: v.optional(Day), to: v.optional(Day) })
export type AdminCallQuery = v.InferOutput<typeof AdminCallQuery>

export const CallParams = v.object({ id: Id })

/** By an owner to any time at which the coach has no other call. */
export const MoveCallRequest = v.object({ startsAt: Instant, coach: v.optional(CoachId) })
export type MoveCallRequest = v.InferOutput<typeof MoveCallRequest>

export const agreementLength = 4000

/** `version` is the one that was changed: where somebody has changed it meanwhile, nothing is overwritten. */
export const CallAgreementRequest = v.object({
  agreed: OptionalText(agreementLength),
  version: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type CallAgreementRequest = v.InferOutput<typeof CallAgreementRequest>
