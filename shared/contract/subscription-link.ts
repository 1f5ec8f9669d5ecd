import * as v from 'valibot'
import { SubscriptionStatus } from './billing.ts'
import { Email, Pence } from './fields.ts'
import { TierSlug } from './tier.ts'

/** The provider's ID of a customer, or of one of their subscriptions. */
export const LinkReference = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^(cus|sub)_\w{1,250}$/, 'Enter the ID of a customer (cus_…) or of a subscription (sub_…).'),
)

export const SubscriptionLinkQuery = v.object({ reference: LinkReference, email: Email })
export type SubscriptionLinkQuery = v.InferOutput<typeof SubscriptionLinkQuery>

/** What linking a customer of the provider to an account would do. */
export const SubscriptionLinkPlan = v.object({
  customer: v.string(),
  /** The account. */
  memberId: v.string(),
  email: v.string(),
  /** The customer's address as the provider has it; null where it has none. */
  providerEmail: v.nullable(v.string()),
  /** It is the account's customer already: nothing but another reading would follow. */
  isLinked: v.boolean(),
  /** The account's customer until now, at which nothing is live: it stays theirs for what was paid through it. */
  leaves: v.nullable(v.string()),
  /** What would be their membership; null where all have ended. */
  subscription: v.nullable(v.object({ id: v.string(), status: SubscriptionStatus, tier: TierSlug, monthlyNet: Pence })),
  /** Payments that have no VAT invoice here, and what they add up to. */
  payments: v.object({ count: v.number(), total: Pence }),
})
export type SubscriptionLinkPlan = v.InferOutput<typeof SubscriptionLinkPlan>

/** `providerEmail` is the provider's address as it was seen: another one than the account's is accepted by naming it. */
export const SubscriptionLinkRequest = v.strictObject({
  ...SubscriptionLinkQuery.entries,
  providerEmail: v.nullable(v.pipe(v.string(), v.maxLength(512))),
})
export type SubscriptionLinkRequest = v.InferOutput<typeof SubscriptionLinkRequest>

/** `invoices`: the numbers of the VAT invoices that were issued by it. */
export const SubscriptionLink = v.object({
  customer: v.string(),
  memberId: v.string(),
  wasLinked: v.boolean(),
  status: SubscriptionStatus,
  hasAccess: v.boolean(),
  invoices: v.array(v.string()),
})
export type SubscriptionLink = v.InferOutput<typeof SubscriptionLink>
