import * as v from 'valibot'
import { BillingAddress } from './billing.ts'
import { Day, Email, Pence, RequiredLine, TermsVersion } from './fields.ts'
import { TierSlug } from './tier.ts'

/** The greeting for a link without a name. */
export const namelessMember = 'Member'

const wholeDays = 'Give whole days, 1 to 90.'

/**
 * `lastPayment` is a past day. Without it and `name` the link carries what is known of the account; where no payment is
 * known, billing starts today.
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

/** Why a link cannot be used: the error codes with which it is rejected when it is opened. */
export const LinkObstacle = v.picklist(['already_subscribed', 'access_revoked'])
export type LinkObstacle = v.InferOutput<typeof LinkObstacle>

/** `expires` is ISO-8601 UTC. The link is made even if there is an `obstacle` at present. */
export const ReactivationLink = v.object({
  url: v.string(),
  expires: v.string(),
  obstacle: v.nullable(LinkObstacle),
})
export type ReactivationLink = v.InferOutput<typeof ReactivationLink>

/** A parameter that is missing, repeated or not text becomes empty, and no signature matches that. */
const LinkParameter = v.optional(v.fallback(v.string(), ''), '')

/** The parameters in a link's address. If any of them is wrong, the link as a whole is invalid. */
export const ReactivationLinkQuery = v.object({
  email: LinkParameter,
  lastPayment: LinkParameter,
  name: LinkParameter,
  expires: LinkParameter,
  signature: LinkParameter,
})
export type ReactivationLinkQuery = v.InferOutput<typeof ReactivationLinkQuery>

/** `date` is the day of the first payment in Europe/London; if it has come, the payment is taken at once. Amounts are pence a month. */
export const DelayedOffer = v.object({ date: Day, net: Pence, vat: Pence, total: Pence })
export type DelayedOffer = v.InferOutput<typeof DelayedOffer>

/** The offers by tier; `lite` is never offered. */
export const DelayedOffers = v.object({ standard: v.optional(DelayedOffer), xl: v.optional(DelayedOffer) })
export type DelayedOffers = v.InferOutput<typeof DelayedOffers>

/** `delayedBillingDate` is only compared. `lastPayment`, `name`, `expires` and `signature` come from the link. */
export const CreateDelayedSubscriptionRequest = v.strictObject({
  ...ReactivationLinkQuery.entries,
  tierSlug: TierSlug,
  delayedBillingDate: Day,
  billingAddress: v.optional(BillingAddress),
  termsVersion: v.optional(TermsVersion),
})
export type CreateDelayedSubscriptionRequest = v.InferOutput<typeof CreateDelayedSubscriptionRequest>

/** `clientSecret` belongs to a payment if it `isDue` now, else to a set-up for the later payment. */
export const CreateDelayedSubscriptionResponse = v.object({
  clientSecret: v.string(),
  subscriptionId: v.string(),
  ...DelayedOffer.entries,
  isDue: v.boolean(),
  email: v.string(),
})
export type CreateDelayedSubscriptionResponse = v.InferOutput<typeof CreateDelayedSubscriptionResponse>
