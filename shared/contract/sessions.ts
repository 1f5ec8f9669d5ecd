import * as v from 'valibot'
import { TokenScope } from './auth.ts'
import { Email, Page, RequiredLine } from './fields.ts'

/** An open login: a browser's, or a terminal's by its token. `id` can't be used to log in. */
export const AdminSession = v.object({
  id: v.string(),
  kind: v.picklist(['browser', 'terminal']),
  email: v.string(),
  isOwner: v.boolean(),
  /** The terminal's name for itself. */
  name: v.nullable(v.string()),
  device: v.nullable(v.string()),
  /** What a token may do; null for a browser, which may do everything. */
  scopes: v.nullable(v.array(TokenScope)),
  isCurrent: v.boolean(),
  createdAt: v.string(),
  lastSeenAt: v.nullable(v.string()),
  expiresAt: v.string(),
})
export type AdminSession = v.InferOutput<typeof AdminSession>
export const AdminSessionList = v.array(AdminSession)

export const AdminSessionQuery = v.object({
  ...Page.entries,
  email: v.optional(Email),
  kind: v.optional(v.picklist(['browser', 'terminal'])),
  /** Only the requesting owner's. */
  own: v.optional(v.literal('true')),
})
export type AdminSessionQuery = v.InferOutput<typeof AdminSessionQuery>

/**
 * One login by its id; all of an account's, and then we forget its known devices too; or all the requesting owner's others, tokens
 * included.
 */
export const RevokeSessionsRequest = v.union([
  v.strictObject({ id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)) }),
  v.strictObject({ email: Email }),
  v.strictObject({ others: v.literal(true) }),
])
export type RevokeSessionsRequest = v.InferOutput<typeof RevokeSessionsRequest>
export const RevokeSessionsResponse = v.object({ revoked: v.number() })
export type RevokeSessionsResponse = v.InferOutput<typeof RevokeSessionsResponse>

export const OwnSession = v.omit(AdminSession, ['email', 'isOwner', 'scopes'])
export type OwnSession = v.InferOutput<typeof OwnSession>
export const OwnSessionList = v.array(OwnSession)

export const RevokeOwnSessionsRequest = v.union([
  v.strictObject({ id: v.pipe(v.string(), v.minLength(1), v.maxLength(64)) }),
  v.strictObject({ others: v.literal(true) }),
])
export type RevokeOwnSessionsRequest = v.InferOutput<typeof RevokeOwnSessionsRequest>

/** A token for a program. */
const purposeMissing = 'Say what it’s for.'

export const ApiTokenRequest = v.strictObject({
  name: v.pipe(v.string(purposeMissing), v.trim(), v.nonEmpty(purposeMissing), RequiredLine('Name', 100)),
  scopes: v.pipe(v.array(TokenScope), v.minLength(1, 'Choose what it can do.'), v.maxLength(3)),
  days: v.pipe(
    v.number('Choose how long it lasts.'),
    v.integer(),
    v.minValue(1, 'A token lasts at least a day.'),
    v.maxValue(365, 'A token lasts up to 365 days.'),
  ),
})
export type ApiTokenRequest = v.InferOutput<typeof ApiTokenRequest>

/** We only show the token once, and store its hash. */
export const ApiToken = v.object({ token: v.string(), name: v.string(), expiresAt: v.string() })
export type ApiToken = v.InferOutput<typeof ApiToken>
