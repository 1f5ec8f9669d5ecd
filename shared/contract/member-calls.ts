import * as v from 'valibot'
import { agreementAuthors } from './column-values.ts'

/** What coach and member agreed on in a call. Both may write it; `version` is 0 until somebody has. */
export const CallAgreement = v.object({
  id: v.string(),
  agreed: v.nullable(v.string()),
  by: v.nullable(v.picklist(agreementAuthors)),
  at: v.nullable(v.string()),
  version: v.number(),
})
export type CallAgreement = v.InferOutput<typeof CallAgreement>

/** A call of the member, to come or held. `link` opens the page on which it is moved or cancelled; null once it has begun. */
export const MemberCall = v.object({
  ...CallAgreement.entries,
  kind: v.picklist(['coaching', 'catch-up']),
  coachName: v.string(),
  startsAt: v.string(),
  minutes: v.number(),
  link: v.nullable(v.string()),
})
export type MemberCall = v.InferOutput<typeof MemberCall>

/** A member's own calls, as today's card and their page show them; apart from the calendar, which the members' list does not need. */
export const MemberCalls = v.object({
  /** The next one that is booked. `link` opens the page on which it is moved or cancelled. */
  next: v.nullable(v.object({ coachName: v.string(), startsAt: v.string(), minutes: v.number(), link: v.string() })),
  /** How long a coaching call of the member's tier is; null where it has none. */
  includedMinutes: v.nullable(v.number()),
  /** The latest ones first; without those that were cancelled. */
  calls: v.array(MemberCall),
})
export type MemberCalls = v.InferOutput<typeof MemberCalls>
