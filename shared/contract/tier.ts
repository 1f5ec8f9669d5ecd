import * as v from 'valibot'
import { Pence } from './fields.ts'

export const tierSlugs = ['lite', 'standard', 'xl'] as const
export const TierSlug = v.picklist(tierSlugs, 'Choose one of the tiers.')
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
