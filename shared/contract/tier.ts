import * as v from 'valibot'
import { unknownTier } from '#shared/values/tier-words.ts'
import { Pence } from './fields.ts'

/** The tiers a new site starts with. What a tier is or has is asked of its row, never of its slug. */
export const shippedTierSlugs = ['lite', 'standard', 'xl'] as const

/** The name of a tier in addresses and on the wire: set once. Whether there is such a tier, the server's rows say. */
export const TierSlug = v.pipe(
  v.string(unknownTier),
  v.maxLength(40, unknownTier),
  v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, unknownTier),
  v.examples(['lite']),
)
export type TierSlug = v.InferOutput<typeof TierSlug>

/** A membership tier. `price` is pence a month excluding VAT; in `features` a pair of ** makes the text between bold. */
export const MembershipTier = v.object({
  id: v.string(),
  slug: TierSlug,
  name: v.string(),
  description: v.string(),
  price: Pence,
  features: v.array(v.string()),
  hasWeeklyAccountability: v.boolean(),
  callDuration: v.nullable(v.number()),
  hasMonthlyCoaching: v.boolean(),
  hasVideoAccess: v.boolean(),
  hasCommunityAccess: v.boolean(),
  isActive: v.boolean(),
  /** Shown as by invitation, but anyone can still choose it. */
  isByInvitation: v.boolean(),
  orderIndex: v.number(),
  stripeProductId: v.nullable(v.string()),
  stripePriceId: v.nullable(v.string()),
  createdAt: v.string(),
  updatedAt: v.string(),
})
export type MembershipTier = v.InferOutput<typeof MembershipTier>

export const MembershipTierList = v.object({ success: v.boolean(), tiers: v.array(MembershipTier) })
export type MembershipTierList = v.InferOutput<typeof MembershipTierList>
