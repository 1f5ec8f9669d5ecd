import * as v from 'valibot'
import { Email, Page } from './fields.ts'

/** A login that is open: a browser's, or a terminal's by its token. `id` opens nothing. */
export const AdminSession = v.object({
  id: v.string(),
  kind: v.picklist(['browser', 'terminal']),
  email: v.string(),
  isOwner: v.boolean(),
  /** What a terminal calls itself. */
  name: v.nullable(v.string()),
  createdAt: v.string(),
  lastSeenAt: v.nullable(v.string()),
  expiresAt: v.string(),
})
export type AdminSession = v.InferOutput<typeof AdminSession>
export const AdminSessionList = v.array(AdminSession)

export const AdminSessionQuery = v.object({ ...Page.entries, email: v.optional(Email) })
export type AdminSessionQuery = v.InferOutput<typeof AdminSessionQuery>

/** One login by its id, or all of an account, whose known devices are forgotten as well. */
export const RevokeSessionsRequest = v.union([
  v.strictObject({ id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)) }),
  v.strictObject({ email: Email }),
])
export type RevokeSessionsRequest = v.InferOutput<typeof RevokeSessionsRequest>
export const RevokeSessionsResponse = v.object({ revoked: v.number() })
export type RevokeSessionsResponse = v.InferOutput<typeof RevokeSessionsResponse>
