import * as v from 'valibot'
import { Day, Line } from './fields.ts'
import { listEntries } from './listing.ts'

/** `program` is the terminal at the machine itself; `visitor` somebody who was not logged in. */
export const AuditActor = v.object({
  kind: v.picklist(['owner', 'member', 'program', 'system', 'visitor']),
  /** A name, or where there is none the address; null for the system, a visitor and a removed account. */
  name: v.nullable(v.string()),
})
export type AuditActor = v.InferOutput<typeof AuditActor>

/** Who did what to whom, and when. */
export const AuditEntry = v.object({
  id: v.string(),
  at: v.string(),
  actor: AuditActor,
  /** Such as `member.revoke_access`. */
  action: v.string(),
  /** The account that it was done to, where there is one still. */
  target: v.nullable(v.object({ id: v.string(), name: v.string() })),
  detail: v.record(v.string(), v.unknown()),
})
export type AuditEntry = v.InferOutput<typeof AuditEntry>
export const AuditEntryList = v.array(AuditEntry)

/** `q` finds who did it, `member` whom it was done to; `what` is an action, or all that begin with it before the dot. */
export const AuditQuery = v.object({
  ...listEntries('at'),
  member: v.optional(Line(100)),
  what: v.optional(v.pipe(v.string(), v.regex(/^[a-z_]{1,30}(\.[a-z_]{1,40})?$/, 'There is no such action.'))),
  /** The first and the last day, of Europe/London. */
  from: v.optional(Day),
  to: v.optional(Day),
})
export type AuditQuery = v.InferOutput<typeof AuditQuery>
