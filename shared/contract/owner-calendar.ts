import * as v from 'valibot'
import { CallWindows, Clock } from './calendar.ts'
import { CallKind } from './call-kind.ts'
import { CoachId } from './call-slot.ts'
import { BookingStatus } from './coaching-booking.ts'
import { Email, Id, Month } from './fields.ts'
import { listEntries } from './listing.ts'

// The calendar's schemas for owners, separate from what the public pages need.

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
  mon: DayWindows,
  tue: DayWindows,
  wed: DayWindows,
  thu: DayWindows,
  fri: DayWindows,
  sat: DayWindows,
  sun: DayWindows,
})

/** A coach's week for one kind of call. `version` is the sum of the seven days' versions, so a change to any day raises it. */
export const CallWeek = v.object({ coach: CoachId, kind: CallKind, days: Days, version: Version })
export type CallWeek = v.InferOutput<typeof CallWeek>

/** A coach's morning email: the recipient and the time in London. A day without a call gets none. */
export const CallMorning = v.object({
  coach: CoachId,
  email: Email,
  sendsAt: Clock,
  isOn: v.boolean(),
  version: Version,
})
export type CallMorning = v.InferOutput<typeof CallMorning>
export const CallMorningList = v.array(CallMorning)

/** A member whose tier includes a monthly coaching call, and the state of that call in a month, London time. */
export const MonthlyCall = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  phone: v.nullable(v.string()),
  tierName: v.string(),
  minutes: v.number(),
  used: v.number(),
  /** One, plus any an owner has added. */
  allowed: v.number(),
  call: v.nullable(v.object({ id: v.string(), startsAt: v.string(), status: BookingStatus, coachName: v.string() })),
  askedAt: v.nullable(v.string()),
  wantsMail: v.boolean(),
})
export type MonthlyCall = v.InferOutput<typeof MonthlyCall>
export const MonthlyCallList = v.array(MonthlyCall)

export const MonthlyCallQuery = v.object({
  ...listEntries('name', 'call'),
  show: v.optional(v.picklist(['used', 'unused'])),
  /** Defaults to the current month. */
  month: v.optional(Month),
})
export type MonthlyCallQuery = v.InferOutput<typeof MonthlyCallQuery>

export const AskToBookParams = v.object({ memberId: Id })
export const AskToBookRequest = v.object({ month: Month })

export const CallFeed = v.object({
  id: v.string(),
  coach: v.nullable(CoachId),
  /** The owner whose feed it is: it ends when they're removed. Null if it was made at the server's own terminal. */
  madeBy: v.nullable(v.string()),
  createdAt: v.string(),
})
export type CallFeed = v.InferOutput<typeof CallFeed>
export const CallFeedList = v.array(CallFeed)
export const CallFeedParams = v.object({ feed: v.pipe(v.string(), v.maxLength(200)) })
export const CallFeedRequest = v.object({ coach: v.optional(v.nullable(CoachId), null) })
/** We only show the address once; we can't read it again later. */
export const CallFeedResponse = v.object({ id: v.string(), url: v.string() })
export type CallFeedResponse = v.InferOutput<typeof CallFeedResponse>
