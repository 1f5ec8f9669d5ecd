import * as v from 'valibot'
import { Email, Id, Instant } from './fields.ts'
import { PricePeriod, TierSlug } from './tier.ts'

const name = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100, 'Use up to 100 characters.')), '')
const months = 'Give whole months, 0 to 12.'

/** `id` is the page's key for this one invitation: a retry after a lost response sends no second email. */
export const MemberInvitationRequest = v.strictObject({
  id: v.optional(Id),
  email: Email,
  firstName: name,
  lastName: name,
  tierSlug: TierSlug,
  /** One of the tier's prices. Without it, they choose. */
  priceId: v.optional(Id),
  freeMonths: v.optional(v.pipe(v.number(months), v.integer(months), v.minValue(0, months), v.maxValue(12, months)), 0),
})
export type MemberInvitationRequest = v.InferOutput<typeof MemberInvitationRequest>

/** One that can still be used: not cancelled or run out, and they haven't joined. */
export const MemberInvitation = v.object({
  id: v.string(),
  email: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  tierSlug: TierSlug,
  priceId: v.nullable(Id),
  /** How that price is paid. */
  every: v.nullable(PricePeriod),
  freeMonths: v.number(),
  invitedBy: v.nullable(v.string()),
  sentAt: Instant,
  expiresAt: Instant,
  url: v.string(),
})
export type MemberInvitation = v.InferOutput<typeof MemberInvitation>

export const MemberInvitationList = v.array(MemberInvitation)

/** The email as it would be sent, without its layout. */
export const MemberInvitationPreview = v.object({ subject: v.string(), text: v.string() })
export type MemberInvitationPreview = v.InferOutput<typeof MemberInvitationPreview>
