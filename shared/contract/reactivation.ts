import * as v from 'valibot'
import { BillingAddress } from './billing.ts'
import { Day, Email, Id, Pence, RequiredLine, TermsVersion } from './fields.ts'
import { OfferedPrice, PricePeriod, TierSlug } from './tier.ts'

export const namelessMember = 'Member'

const wholeDays = 'Give whole days, 1 to 90.'

/**
 * `lastPayment` is a past day. Without it and `name` the link uses what we know of the account; if we know of no payment, billing
 * starts today.
 */
export const ReactivationLinkRequest = v.strictObject({
  email: Email,
  lastPayment: v.optional(Day),
  name: v.optional(RequiredLine('Name')),
  expiresInDays: v.optional(
    v.pipe(v.number(wholeDays), v.integer(wholeDays), v.minValue(1, wholeDays), v.maxValue(90, wholeDays)),
    14,
  ),
})
export type ReactivationLinkRequest = v.InferOutput<typeof ReactivationLinkRequest>

export const LinkObstacle = v.picklist(['already_subscribed', 'access_revoked'])
export type LinkObstacle = v.InferOutput<typeof LinkObstacle>

/** `expires` is ISO-8601 UTC. We make the link even if there's an `obstacle` now. */
export const ReactivationLink = v.object({
  url: v.string(),
  expires: v.string(),
  obstacle: v.nullable(LinkObstacle),
})
export type ReactivationLink = v.InferOutput<typeof ReactivationLink>

/** A parameter that's missing, repeated or not text becomes empty, which no signature matches. */
const LinkParameter = v.optional(v.fallback(v.string(), ''), '')

/** The parameters in a link's address. If any is wrong, the whole link is invalid. */
export const ReactivationLinkQuery = v.object({
  email: LinkParameter,
  lastPayment: LinkParameter,
  name: LinkParameter,
  expires: LinkParameter,
  signature: LinkParameter,
})
export type ReactivationLinkQuery = v.InferOutput<typeof ReactivationLinkQuery>

/**
 * `date` is the first payment's day in Europe/London. On or after it, we take the payment straight away. Amounts are pence of what
 * a month comes to: of a tier sold by the year alone a twelfth.
 */
export const DelayedOffer = v.object({ date: Day, net: Pence, vat: Pence, total: Pence })

export type DelayedOffer = v.InferOutput<typeof DelayedOffer>

/** The offers by tier: of those that are offered to people who rejoin later. */
export const DelayedOffers = v.record(TierSlug, v.object({ ...DelayedOffer.entries, prices: v.array(OfferedPrice) }))
export type DelayedOffers = v.InferOutput<typeof DelayedOffers>

/** We only compare `delayedBillingDate` and `tierPrice` (pence). `lastPayment`, `name`, `expires` and `signature` come from the link. */
export const CreateDelayedSubscriptionRequest = v.strictObject({
  ...ReactivationLinkQuery.entries,
  tierSlug: TierSlug,
  priceId: v.optional(Id),
  tierPrice: v.optional(Pence),
  delayedBillingDate: Day,
  billingAddress: v.optional(BillingAddress),
  termsVersion: v.optional(TermsVersion),
})
export type CreateDelayedSubscriptionRequest = v.InferOutput<typeof CreateDelayedSubscriptionRequest>

/**
 * `clientSecret` is a PaymentIntent's if it `isDue` now, else a SetupIntent's for the later payment. Amounts are pence of the whole
 * period, `every`.
 */
export const CreateDelayedSubscriptionResponse = v.object({
  clientSecret: v.string(),
  subscriptionId: v.string(),
  ...DelayedOffer.entries,
  every: v.optional(PricePeriod, 'month'),
  isDue: v.boolean(),
  email: v.string(),
})
export type CreateDelayedSubscriptionResponse = v.InferOutput<typeof CreateDelayedSubscriptionResponse>
