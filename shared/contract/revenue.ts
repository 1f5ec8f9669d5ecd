import * as v from 'valibot'
import { SubscriptionStatus } from './billing.ts'
import { Month, Pence } from './fields.ts'
import { TierSlug } from './tier.ts'

export const revenueMovements = [
  'new',
  'expansion',
  'contraction',
  'churn_voluntary',
  'churn_failed_payment',
  'reactivation',
] as const
export type RevenueMovement = (typeof revenueMovements)[number]

/** Pence, possibly negative. */
const SignedPence = v.pipe(v.number(), v.safeInteger())

const Amounts = v.object({ net: SignedPence, vat: SignedPence, gross: SignedPence })
export type Amounts = v.InferOutput<typeof Amounts>

/**
 * A month of Europe/London in pence excluding VAT: `opening` and all the signed `movements` make `closing`. A past month is closed;
 * the current one is as of now.
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
  /** What of the movements is Stripe's record, from before a subscription was taken over. */
  fromStripe: v.optional(SignedPence),
  closing: Pence,
  payingCustomers: v.number(),
  /** Customers who paid when the month began, and how many people stopped during it, who joined in it too. */
  openingCustomers: v.number(),
  lostCustomers: v.number(),
  /** Trials whose first payment fell due in the month, and those that came to count towards MRR. */
  trialsEnded: v.number(),
  trialsConverted: v.number(),
  /**
   * Customers and monthly revenue at the end; `invoicedNet` is the month's invoices before credit notes. `tier` is null for
   * anything but memberships.
   */
  tiers: v.array(
    v.object({ tier: v.nullable(TierSlug), customers: v.number(), monthlyRevenue: Pence, invoicedNet: Pence }),
  ),
  /**
   * Invoices count by tax point, refunds by their day, and corrections by the tax point of the mistake. `late` is what was issued
   * with a date in a month already closed, less credit notes: no month's `invoiced` or `credited` includes it.
   */
  vat: v.object({ invoiced: Amounts, credited: Amounts, late: Amounts, total: Amounts }),
})
export type RevenueMonth = v.InferOutput<typeof RevenueMonth>

/** Oldest first. */
export const RevenueMonthList = v.array(RevenueMonth)

/**
 * The evidence against the server's clock. `months` have a closing time that's in the future, or was when we looked, or that's
 * before their end (`early`). `newest` is the newest entry's time, if more than a day in the future. The clock is behind, or was
 * ahead before.
 */
export const RevenueClock = v.object({
  now: v.string(),
  months: v.array(Month),
  early: v.array(Month),
  newest: v.nullable(v.string()),
  /** What Stripe's time says against it. An owner can't overrule that. */
  providerDoubt: v.nullable(v.string()),
  /** All of this in one sentence; while there's one, months don't close. */
  doubt: v.nullable(v.string()),
})
export type RevenueClock = v.InferOutput<typeof RevenueClock>

/** An owner's word that the clock is right: exactly these months, the `months` in doubt, reopen, or with `keep` stay closed. */
export const ReopenMonthsRequest = v.strictObject({
  months: v.pipe(v.array(Month), v.maxLength(2400)),
  keep: v.optional(v.boolean()),
})
export type ReopenMonthsRequest = v.InferOutput<typeof ReopenMonthsRequest>

/** How many of the newest months; the current one is the last. */
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
 * Monthly recurring revenue. All amounts are pence excluding VAT; `rate` is per cent; the commission is a forecast. The totals
 * cover everyone, the details are a page. `target` counts members with revenue above zero, without owners.
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
      /** What the month's is a twelfth of, so that sums can be rounded once. */
      yearlyAmount: Pence,
      rule: v.string(),
    }),
  ),
  target: v.object({ customers: v.number(), goal: v.number() }),
})
export type Mrr = v.InferOutput<typeof Mrr>
