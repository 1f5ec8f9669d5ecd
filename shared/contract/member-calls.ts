import * as v from 'valibot'

/** A member's own calls, as today's sheet shows them; apart from the calendar, which the members' list does not need. */
export const MemberCalls = v.object({
  /** The next one that is booked. `link` opens the page on which it is moved or cancelled. */
  next: v.nullable(v.object({ coachName: v.string(), startsAt: v.string(), minutes: v.number(), link: v.string() })),
  /** How long a coaching call of the member's tier is; null where it has none. */
  includedMinutes: v.nullable(v.number()),
})
export type MemberCalls = v.InferOutput<typeof MemberCalls>
