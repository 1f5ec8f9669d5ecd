import * as v from 'valibot'
import { agreementAuthors } from '#shared/values/column-values.ts'

/** What coach and member agreed in a call. Both can edit it; `version` is 0 until one of them does. */
export const CallAgreement = v.object({
  id: v.string(),
  agreed: v.nullable(v.string()),
  by: v.nullable(v.picklist(agreementAuthors)),
  at: v.nullable(v.string()),
  version: v.number(),
})
export type CallAgreement = v.InferOutput<typeof CallAgreement>

/** A member's call, upcoming or past. `link` opens the page to move or cancel it; null once it has begun. */
export const MemberCall = v.object({
  ...CallAgreement.entries,
  kind: v.picklist(['coaching', 'catch-up']),
  coachName: v.string(),
  startsAt: v.string(),
  minutes: v.number(),
  link: v.nullable(v.string()),
})
export type MemberCall = v.InferOutput<typeof MemberCall>

/** A member's own calls, for today's card and their page. It's separate from the calendar, which the members' list doesn't need. */
export const MemberCalls = v.object({
  /** The next booked call. `link` opens the page to move or cancel it. */
  next: v.nullable(v.object({ coachName: v.string(), startsAt: v.string(), minutes: v.number(), link: v.string() })),
  /** The length of the coaching call in the member's tier; null if it has none. */
  includedMinutes: v.nullable(v.number()),
  /** Latest first, without cancelled ones. */
  calls: v.array(MemberCall),
})
export type MemberCalls = v.InferOutput<typeof MemberCalls>
