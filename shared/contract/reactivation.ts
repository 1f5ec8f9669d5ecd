import * as v from 'valibot'
import { BillingAddress } from './billing.ts'
import { Day, Email, Pence, RequiredLine } from './fields.ts'
import { TierSlug } from './tier.ts'

/** How somebody is greeted whose link names nobody. */
export const namelessMember = 'Member'

const wholeDays = 'Please give whole days, 1 to 90.'

/** `lastPayment` is a day that is over; a link without one, of an account that never paid, bills from today on. */
export const ReactivationLinkRequest = v.object({
  email: Email,
  lastPayment: v.optional(Day),
  name: v.optional(RequiredLine('Name')),
  expiresInDays: v.optional(
    v.pipe(v.number(wholeDays), v.integer(wholeDays), v.minValue(1, wholeDays), v.maxValue(90, wholeDays)),
    14,
  ),
})
export type ReactivationLinkRequest = v.InferOutput<typeof ReactivationLinkRequest>

/** Why a link has nothing to sell: the codes with which it is refused when it is opened. */
export const LinkObstacle = v.picklist(['already_subscribed', 'access_revoked'])
export type LinkObstacle = v.InferOutput<typeof LinkObstacle>

/** `expires` is ISO-8601 UTC. `obstacle` is as things stand now; the link is made all the same. */
export const ReactivationLink = v.object({
  url: v.string(),
  expires: v.string(),
  obstacle: v.nullable(LinkObstacle),
})
export type ReactivationLink = v.InferOutput<typeof ReactivationLink>

/** What is missing, said twice or no text at all is empty, which no signature fits. */
const Carried = v.optional(v.fallback(v.string(), ''), '')

/** What a link carries, as it stands in its address. Whatever is wrong with it, the link as a whole is invalid. */
export const ReactivationLinkQuery = v.object({
  email: Carried,
  lastPayment: Carried,
  name: Carried,
  expires: Carried,
  signature: Carried,
})
export type ReactivationLinkQuery = v.InferOutput<typeof ReactivationLinkQuery>

/** `date` is the first payment's, a day of Europe/London; one that has come is taken at once. Amounts are pence a month. */
export const DelayedOffer = v.object({ date: Day, net: Pence, vat: Pence, total: Pence })
export type DelayedOffer = v.InferOutput<typeof DelayedOffer>

/** By tier; `lite` never is. */
export const DelayedOffers = v.object({ standard: v.optional(DelayedOffer), xl: v.optional(DelayedOffer) })
export type DelayedOffers = v.InferOutput<typeof DelayedOffers>

/** `delayedBillingDate` is only compared. `lastPayment`, `name`, `expires` and `signature` are the link's. */
export const CreateDelayedSubscriptionRequest = v.object({
  ...ReactivationLinkQuery.entries,
  tierSlug: TierSlug,
  delayedBillingDate: Day,
  billingAddress: v.optional(BillingAddress),
})
export type CreateDelayedSubscriptionRequest = v.InferOutput<typeof CreateDelayedSubscriptionRequest>

/** `clientSecret` is a set-up's where the first payment comes later, a payment's where it is due now (`isDue`). */
export const CreateDelayedSubscriptionResponse = v.object({
  clientSecret: v.string(),
  subscriptionId: v.string(),
  ...DelayedOffer.entries,
  isDue: v.boolean(),
  email: v.string(),
})
export type CreateDelayedSubscriptionResponse = v.InferOutput<typeof CreateDelayedSubscriptionResponse>
