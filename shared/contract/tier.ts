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
  v.examples([...shippedTierSlugs]),
)
export type TierSlug = v.InferOutput<typeof TierSlug>

/** How often a price is charged. */
export const pricePeriods = ['month', 'year'] as const
export const PricePeriod = v.picklist(pricePeriods, 'Choose month or year.')
export type PricePeriod = v.InferOutput<typeof PricePeriod>

/** The looks of a tier's card. */
export const cardColours = ['paper', 'yellow', 'dark'] as const
export const CardColour = v.picklist(cardColours, 'Choose one of the colours.')
export type CardColour = v.InferOutput<typeof CardColour>

/** What a tier is and gives, beside its texts and prices. */
export const tierProperties = {
  hasWeeklyAccountability: v.boolean(),
  /** Minutes of a coaching call. Null without calls. */
  callDuration: v.nullable(v.number()),
  callsPerMonth: v.number(),
  /** Questions to the coach in a month. Null: no limit. */
  questionsPerMonth: v.nullable(v.number()),
  hasMonthlyCoaching: v.boolean(),
  hasVideoAccess: v.boolean(),
  hasCommunityAccess: v.boolean(),
  hasWhatsApp: v.boolean(),
  /** Among the cards. One that isn't is sold by an owner's invitation alone. */
  isShown: v.boolean(),
  /** Shown as by invitation, but anyone can still choose it. */
  isByInvitation: v.boolean(),
  /** Chosen already where returning members choose. */
  isPreselected: v.boolean(),
  isHighlighted: v.boolean(),
  badge: v.nullable(v.string()),
  cardColour: CardColour,
  /** Offered to people who come back with a payment today, or on a later day. */
  rejoinsNow: v.boolean(),
  rejoinsLater: v.boolean(),
}
const TierProperties = v.object(tierProperties)
export type TierProperties = v.InferOutput<typeof TierProperties>

/** A price that's offered. `net`, `vat` and `total` are pence of the whole period. */
export const OfferedPrice = v.object({ id: v.string(), every: PricePeriod, net: Pence, vat: Pence, total: Pence })
export type OfferedPrice = v.InferOutput<typeof OfferedPrice>

/**
 * A membership tier. `price` is pence a month excluding VAT, and of a tier by the year alone a twelfth, rounded up. In `features` a
 * pair of ** makes the text between bold.
 */
export const MembershipTier = v.object({
  id: v.string(),
  slug: TierSlug,
  name: v.string(),
  description: v.string(),
  price: Pence,
  /** The month's first. */
  prices: v.array(OfferedPrice),
  features: v.array(v.string()),
  ...tierProperties,
  isActive: v.boolean(),
  isDefault: v.boolean(),
  orderIndex: v.number(),
  stripeProductId: v.nullable(v.string()),
  stripePriceId: v.nullable(v.string()),
  createdAt: v.string(),
  updatedAt: v.string(),
})
export type MembershipTier = v.InferOutput<typeof MembershipTier>

export const MembershipTierList = v.object({ success: v.boolean(), tiers: v.array(MembershipTier) })
export type MembershipTierList = v.InferOutput<typeof MembershipTierList>
