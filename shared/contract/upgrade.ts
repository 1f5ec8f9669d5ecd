import * as v from 'valibot'
import { BillingSubscription, PaymentMethod } from './billing.ts'
import { Day, Id, Instant, Pence } from './fields.ts'
import { TierSlug } from './tier.ts'

const amounts = { net: Pence, vat: Pence, total: Pence }

/**
 * What a dearer tier costs that starts now, to the penny; amounts are pence. `charge` less `credit` is what is taken:
 * the rest of the period at the new tier, and what was paid for it before. It stands until `expiresAt`, and is started by
 * its `attemptId`.
 */
export const UpgradePreview = v.object({
  attemptId: Id,
  /** `slug`: null where what is paid now is no tier of ours. */
  from: v.object({ slug: v.nullable(TierSlug), name: v.string() }),
  to: v.object({ slug: TierSlug, name: v.string() }),
  charge: v.object(amounts),
  credit: v.object(amounts),
  ...amounts,
  /** The next payment, at the new tier. */
  nextBill: v.object({ on: Day, ...amounts }),
  /** What is charged. */
  card: PaymentMethod,
  expiresAt: Instant,
})
export type UpgradePreview = v.InferOutput<typeof UpgradePreview>

/** Nothing but the attempt: tier and amounts are the server's. */
export const UpgradeRequest = v.strictObject({ attemptId: Id })
export type UpgradeRequest = v.InferOutput<typeof UpgradeRequest>

/** The attempt that the bank was asked about; left out, the one that was started last. */
export const SettleUpgradeRequest = v.strictObject({ attemptId: v.optional(Id) })
export type SettleUpgradeRequest = v.InferOutput<typeof SettleUpgradeRequest>

/**
 * `action_required`: the member's bank asks them to confirm, with `clientSecret`; then the upgrade is settled.
 * `processing`: it is paid, and starts in a moment. `unchanged`: it was not paid, and nothing has changed.
 */
export const UpgradeResult = v.object({
  status: v.picklist(['upgraded', 'action_required', 'processing', 'unchanged']),
  clientSecret: v.nullable(v.string()),
  subscription: BillingSubscription,
})
export type UpgradeResult = v.InferOutput<typeof UpgradeResult>
