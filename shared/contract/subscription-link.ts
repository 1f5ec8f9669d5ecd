import * as v from 'valibot'
import { PeriodPrice, SubscriptionStatus } from './billing.ts'
import { Email, Pence } from './fields.ts'
import { TierSlug } from './tier.ts'

/** Why a subscription stays where it is. The order is the order of the checks. */
export const adoptionRefusals = [
  'ended',
  'deleted',
  'never_paid',
  'no_card_for_trial',
  'several_items',
  'several_seats',
  'by_use',
  'currency',
  'interval',
  'other_tax',
  'paused',
  'by_invoice',
  'bank_debit',
  'pays_others',
  'scheduled',
  'change_waiting',
  'unknown_status',
  'no_tier',
  'not_a_tier',
  'no_address',
  'two_of_one',
  'owner',
  'has_membership',
  'not_theirs',
] as const
export type AdoptionRefusal = (typeof adoptionRefusals)[number]

/** What to know about one that can be adopted. */
export const adoptionNotes = [
  'past_due',
  'unpaid',
  'no_card',
  'ending',
  'trial',
  'gross',
  'not_monthly',
  'discount',
  'fee',
] as const
export type AdoptionNote = (typeof adoptionNotes)[number]

/** Stripe's id of a customer, or of one of their subscriptions. */
export const LinkReference = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^(cus|sub)_\w{1,250}$/, 'Enter the ID of a customer (cus_…) or of a subscription (sub_…).'),
)

/** `tier` adopts a subscription another program sold: it's ours from now on, and payments before stay Stripe's. */
export const SubscriptionLinkQuery = v.object({ reference: LinkReference, email: Email, tier: v.optional(TierSlug) })
export type SubscriptionLinkQuery = v.InferOutput<typeof SubscriptionLinkQuery>

export const SubscriptionLinkPlan = v.object({
  customer: v.string(),
  memberId: v.string(),
  email: v.string(),
  /** The customer's address at Stripe; null if it has none. */
  providerEmail: v.nullable(v.string()),
  /** It's already the account's customer, so linking only syncs it again. */
  isLinked: v.boolean(),
  /** The account's previous customer, with nothing live. The account keeps it for what was paid through it. */
  leaves: v.nullable(v.string()),
  /** What would be their membership; null if all have ended. */
  subscription: v.nullable(
    v.object({ id: v.string(), status: SubscriptionStatus, tier: TierSlug, price: PeriodPrice }),
  ),
  payments: v.object({ count: v.number(), total: Pence }),
  /** What a period charges, and what's kept of it without VAT. Null if we sold it ourselves. */
  adopts: v.nullable(v.object({ charged: Pence, kept: Pence, notes: v.array(v.picklist(adoptionNotes)) })),
})
export type SubscriptionLinkPlan = v.InferOutput<typeof SubscriptionLinkPlan>

/** `providerEmail` is the address at Stripe as the owner saw it. If it differs from the account's, naming it accepts it. */
export const SubscriptionLinkRequest = v.strictObject({
  ...SubscriptionLinkQuery.entries,
  providerEmail: v.nullable(v.pipe(v.string(), v.maxLength(512))),
})
export type SubscriptionLinkRequest = v.InferOutput<typeof SubscriptionLinkRequest>

export const SubscriptionLink = v.object({
  customer: v.string(),
  memberId: v.string(),
  wasLinked: v.boolean(),
  status: SubscriptionStatus,
  hasAccess: v.boolean(),
  invoices: v.array(v.string()),
})
export type SubscriptionLink = v.InferOutput<typeof SubscriptionLink>
