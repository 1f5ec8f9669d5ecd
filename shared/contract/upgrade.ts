import * as v from 'valibot'
import { BillingSubscription, NextPayment, PaymentMethod } from './billing.ts'
import { Id, Instant, Pence } from './fields.ts'
import { TierSlug } from './tier.ts'

const amounts = { net: Pence, vat: Pence, total: Pence }

/**
 * What it costs to move up a tier now, to the penny; amounts are pence. The change costs `charge` (the rest of the period at the new
 * tier, or the year that begins today) less `credit` (what was already paid for it), all at `vatRate` per cent, or null if at
 * several. `due` is what we take for it: less `fromCredit`, plus what was owed before. The offer lasts until `expiresAt`; its
 * `attemptId` starts it.
 */
export const UpgradePreview = v.object({
  attemptId: Id,
  /** `slug`: null if the current price isn't one of our tiers. */
  from: v.object({ slug: v.nullable(TierSlug), name: v.string() }),
  to: v.object({ slug: TierSlug, name: v.string() }),
  charge: v.object(amounts),
  credit: v.object(amounts),
  ...amounts,
  vatRate: v.nullable(v.number()),
  due: Pence,
  fromCredit: Pence,
  nextBill: NextPayment,
  card: PaymentMethod,
  expiresAt: Instant,
})
export type UpgradePreview = v.InferOutput<typeof UpgradePreview>

/** Only the attempt: the server knows the tier and the amounts. */
export const UpgradeRequest = v.strictObject({ attemptId: Id })
export type UpgradeRequest = v.InferOutput<typeof UpgradeRequest>

/** The attempt the bank was asked about; defaults to the last one started. */
export const SettleUpgradeRequest = v.strictObject({ attemptId: v.optional(Id) })
export type SettleUpgradeRequest = v.InferOutput<typeof SettleUpgradeRequest>

/**
 * `action_required`: the member's bank asks them to confirm with `clientSecret`; then settle the upgrade. `processing`: it's paid,
 * and starts in a moment. `unchanged`: it wasn't paid, and nothing has changed.
 */
export const UpgradeResult = v.object({
  status: v.picklist(['upgraded', 'action_required', 'processing', 'unchanged']),
  clientSecret: v.nullable(v.string()),
  subscription: BillingSubscription,
})
export type UpgradeResult = v.InferOutput<typeof UpgradeResult>
