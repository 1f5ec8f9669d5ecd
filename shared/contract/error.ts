import * as v from 'valibot'
import { CallSlot } from './call-slot.ts'
import { Day } from './fields.ts'
import { MembershipTier } from './tier.ts'

/** Every error code with its HTTP status. Clients switch on the code; people read the message. */
export const errorStatus = {
  malformed: 400,
  invalid_token: 400,
  invalid_link: 400,
  unauthenticated: 401,
  invalid_credentials: 401,
  payment_declined: 402,
  forbidden: 403,
  password_needed: 403,
  second_factor_needed: 403,
  second_factor_unset: 403,
  wrong_origin: 403,
  not_found: 404,
  member_not_found: 404,
  conflict: 409,
  version_conflict: 409,
  account_exists: 409,
  access_revoked: 409,
  already_subscribed: 409,
  unknown_membership: 409,
  price_changed: 409,
  already_paid: 409,
  date_changed: 409,
  idempotency_conflict: 409,
  wrong_member: 409,
  slot_taken: 409,
  question_limit: 409,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  rate_limited: 429,
  internal: 500,
  payment_provider_refused: 502,
  payment_provider_unavailable: 502,
  unanswered: 502,
  busy: 503,
} as const

export type ErrorCode = keyof typeof errorStatus

const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]

/** What was sent for a row that has changed since, and the row as it is now. */
const Versions = v.object({ sent: v.unknown(), current: v.unknown() })
export type Versions = v.InferOutput<typeof Versions>

/** The body of every error response. `fields` maps a request field to the sentence shown under it. */
export const ErrorBody = v.object({
  error: v.object({
    code: v.picklist(errorCodes),
    message: v.string(),
    fields: v.optional(v.record(v.string(), v.string())),
    versions: v.optional(Versions),
    slots: v.optional(v.array(CallSlot)),
    /** What's sold now, if what was chosen isn't any more. */
    tiers: v.optional(v.array(MembershipTier)),
    /** The first day on which it may be sent again. Absent if that never comes as things are. */
    from: v.optional(Day),
    /** Another device ended this login, so this one deletes the data it stores about the person. */
    wipe: v.optional(v.literal(true)),
    requestId: v.optional(v.string()),
  }),
})
export type ErrorBody = v.InferOutput<typeof ErrorBody>
