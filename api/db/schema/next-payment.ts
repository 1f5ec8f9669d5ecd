import * as v from 'valibot'
import { TierSlug } from '#shared/contract/tier.ts'

/**
 * The provider's own preview of the next invoice, in pence. `total` is for the period, `due` what will be charged: less what's in
 * credit, plus what was owed before.
 */
export const NextPaymentFacts = v.object({
  at: v.string(),
  net: v.number(),
  vat: v.number(),
  total: v.number(),
  fromCredit: v.number(),
  due: v.number(),
  /** Each month after costs the same. */
  isEveryMonth: v.optional(v.boolean()),
  /** Each year after costs the same. */
  isEveryYear: v.optional(v.boolean()),
  /** What stays in credit where the total is below nought. */
  toCredit: v.optional(v.number()),
  /** `isOther`: an add-on's, or what waits for this invoice, beside the tier's own. */
  lines: v.array(
    v.object({ description: v.string(), net: v.number(), vat: v.number(), isOther: v.optional(v.boolean()) }),
  ),
})
export type NextPaymentFacts = v.InferOutput<typeof NextPaymentFacts>

/**
 * A schedule at the provider that begins a subscription later: of an owner's, with a start date. `payment` is the provider's preview of
 * its first invoice; null if it didn't say.
 */
export const WaitingStart = v.object({
  schedule: v.string(),
  at: v.string(),
  tierSlug: TierSlug,
  payment: v.nullable(NextPaymentFacts),
})
export type WaitingStart = v.InferOutput<typeof WaitingStart>
