import * as v from 'valibot'
import { Email } from './fields.ts'
import { MembershipTier, TierSlug } from './tier.ts'

export const InvitationQuery = v.object({ invitation: v.pipe(v.string(), v.maxLength(2000)) })

export const Invitation = v.object({
  email: Email,
  firstName: v.string(),
  lastName: v.string(),
  tierSlug: TierSlug,
  /** It may not be among the cards. */
  tier: MembershipTier,
  /** The price they were invited at. It may not be offered any more. Null if they choose. */
  priceId: v.optional(v.nullable(v.string()), null),
  /** Months before the first payment. */
  freeMonths: v.optional(v.number(), 0),
})
export type Invitation = v.InferOutput<typeof Invitation>
