import * as v from 'valibot'
import { CallWindows, Clock } from './calendar.ts'
import { CallKind } from './call-kind.ts'
import { CoachId } from './call-slot.ts'
import { BookingStatus } from './coaching-booking.ts'
import { Email, Id, Month } from './fields.ts'
import { listEntries } from './listing.ts'

// What only owners set and read of the calendar, apart from what the public pages need.

const Version = v.pipe(v.number(), v.integer(), v.minValue(0))

const apart = 'These times overlap.'
const DayWindows = v.pipe(
  CallWindows,
  v.check((windows) => {
    const sorted = windows.toSorted((one, other) => one.opens.localeCompare(other.opens))
    return sorted.every(({ opens }, at) => at === 0 || (sorted[at - 1]?.closes ?? '') <= opens)
  }, apart),
)

const Days = v.object({
  ...{ mon: DayWindows, tue: DayWindows, wed: DayWindows, thu: DayWindows, fri: DayWindows },
  ...{ sat: DayWindows, sun: DayWindows },
})

/**
 * The whole week of a coach for one kind of call. `version` is the sum of the seven days', which goes up with every change to
 * any of them.
 */
export const CallWeek = v.object({ coach: CoachId, kind: CallKind, days: Days, version: Version })
export type CallWeek = v.InferOutput<typeof CallWeek>

/** A coach's day by mail: to whom, and when by London's clocks. Nothing is sent on a day without a call. */
export const CallMorning = v.object({
  coach: CoachId,
  email: Email,
  sendsAt: Clock,
  isOn: v.boolean(),
  version: Version,
})
export type CallMorning = v.InferOutput<typeof CallMorning>
export const CallMorningList = v.array(CallMorning)

/** A member whose tier has a coaching call a month, and what has become of it in that month of London. */
export const MonthlyCall = v.object({
  /** Of the member. */
  id: v.string(),
  name: v.string(),
  email: v.string(),
  phone: v.nullable(v.string()),
  tierName: v.string(),
  minutes: v.number(),
  used: v.number(),
  /** One, and what an owner has added. */
  allowed: v.number(),
  /** The latest of them. */
  call: v.nullable(v.object({ id: v.string(), startsAt: v.string(), status: BookingStatus, coachName: v.string() })),
  /** When the member was asked by mail to book. */
  askedAt: v.nullable(v.string()),
  /** Members may turn such mails off. */
  wantsMail: v.boolean(),
})
export type MonthlyCall = v.InferOutput<typeof MonthlyCall>
export const MonthlyCallList = v.array(MonthlyCall)

export const MonthlyCallQuery = v.object({
  ...listEntries('name', 'call'),
  show: v.optional(v.picklist(['used', 'unused'])),
  /** The running one by default. */
  month: v.optional(Month),
})
export type MonthlyCallQuery = v.InferOutput<typeof MonthlyCallQuery>

export const AskToBookParams = v.object({ memberId: Id })
export const AskToBookRequest = v.object({ month: Month })

export const CallFeed = v.object({
  id: v.string(),
  coach: v.nullable(CoachId),
  createdAt: v.string(),
})
export type CallFeed = v.InferOutput<typeof CallFeed>
export const CallFeedList = v.array(CallFeed)
export const CallFeedParams = v.object({ feed: v.pipe(v.string(), v.maxLength(200)) })
export const CallFeedRequest = v.object({ coach: v.optional(v.nullable(CoachId), null) })
/** The address is shown this once; nobody can read it later. */
export const CallFeedResponse = v.object({ id: v.string(), url: v.string() })
export type CallFeedResponse = v.InferOutput<typeof CallFeedResponse>
