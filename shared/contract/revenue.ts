import * as v from 'valibot'
import { SubscriptionStatus } from './billing.ts'
import { Month, Pence } from './fields.ts'
import { TierSlug } from './tier.ts'

/** Why what a customer brings in a month changed. */
export const revenueMovements = [
  'new',
  'expansion',
  'contraction',
  'churn_voluntary',
  'churn_failed_payment',
  'reactivation',
] as const
export type RevenueMovement = (typeof revenueMovements)[number]

/** Pence that may be below nought. */
const SignedPence = v.pipe(v.number(), v.safeInteger())

const Amounts = v.object({ net: SignedPence, vat: SignedPence, gross: SignedPence })
export type Amounts = v.InferOutput<typeof Amounts>

/**
 * A month of Europe/London in pence excluding VAT: `opening` and all `movements`, which carry their signs, make `closing`.
 * A month that has ended is frozen; the running one is as of now.
 */
export const RevenueMonth = v.object({
  month: Month,
  isFrozen: v.boolean(),
  frozenAt: v.nullable(v.string()),
  opening: Pence,
  movements: v.object({
    new: SignedPence,
    expansion: SignedPence,
    contraction: SignedPence,
    churn_voluntary: SignedPence,
    churn_failed_payment: SignedPence,
    reactivation: SignedPence,
  }),
  closing: Pence,
  payingCustomers: v.number(),
  /**
   * Customers and monthly revenue at the end; `invoicedNet` is what was invoiced in the month, before credit notes. `tier` is
   * null for what is no membership.
   */
  tiers: v.array(
    v.object({ tier: v.nullable(TierSlug), customers: v.number(), monthlyRevenue: Pence, invoicedNet: Pence }),
  ),
  /**
   * Invoices by tax point, refunds by their day, what takes back a mistake by the tax point of the mistake. `late` is what
   * was issued with a date in a month that was frozen by then (credit notes taken off): it stands in no month's `invoiced`
   * or `credited`.
   */
  vat: v.object({ invoiced: Amounts, credited: Amounts, late: Amounts, total: Amounts }),
})
export type RevenueMonth = v.InferOutput<typeof RevenueMonth>

/** Oldest first. */
export const RevenueMonthList = v.array(RevenueMonth)

/**
 * What speaks against the server's clock: `months` are frozen at a time after now, or were when it was looked at (`early`),
 * before their end; `newest` is the time of the newest entry where that is more than a day after now. The clock is behind, or
 * was ahead before.
 */
export const RevenueClock = v.object({
  now: v.string(),
  months: v.array(Month),
  early: v.array(Month),
  newest: v.nullable(v.string()),
  /** What the payment provider's time says against it: no word of an owner helps then. */
  providerDoubt: v.nullable(v.string()),
  /** The one sentence about all of this; while there is one, months wait. */
  doubt: v.nullable(v.string()),
})
export type RevenueClock = v.InferOutput<typeof RevenueClock>

/** An owner's word that the clock is right: exactly these months, the `months` in doubt, are open again; or with `keep`, stay frozen. */
export const ReopenMonthsRequest = v.strictObject({
  months: v.pipe(v.array(Month), v.maxLength(2400)),
  keep: v.optional(v.boolean()),
})
export type ReopenMonthsRequest = v.InferOutput<typeof ReopenMonthsRequest>

/** The newest so many months; the running one is the last of them. */
export const RevenueMonthsQuery = v.object({
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d+$/, 'This isn’t a whole number.'),
      v.transform(Number),
      v.integer(),
      v.minValue(1),
      v.maxValue(240),
    ),
  ),
})

/**
 * Monthly recurring revenue. All amounts are pence excluding VAT; `rate` is per cent; the commission is a forecast. The
 * totals are of everybody, the details a page. `target` counts members with revenue above nought, the owners left out.
 */
export const Mrr = v.object({
  totalMRR: Pence,
  activeSubscriptions: v.number(),
  lastUpdated: v.string(),
  commission: v.object({
    partner: v.string(),
    isForecast: v.literal(true),
    total: Pence,
    breakdown: v.array(v.object({ name: v.string(), count: v.number(), rate: v.number(), total: Pence })),
  }),
  subscriptionDetails: v.array(
    v.object({
      subscriptionId: v.string(),
      memberId: v.nullable(v.string()),
      customerName: v.string(),
      status: SubscriptionStatus,
      monthlyAmount: Pence,
      rule: v.string(),
    }),
  ),
  target: v.object({ customers: v.number(), goal: v.number() }),
})
export type Mrr = v.InferOutput<typeof Mrr>
