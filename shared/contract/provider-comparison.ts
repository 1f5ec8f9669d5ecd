import * as v from 'valibot'
import { SubscriptionStatus } from './billing.ts'
import { Month, Pence } from './fields.ts'
import { revenueMovements } from './revenue.ts'

export const MovementParams = v.object({ month: Month })

/** A change in one customer's revenue: pence a month excluding VAT, before and after. */
export const RevenueMovementRow = v.object({
  at: v.string(),
  kind: v.picklist(revenueMovements),
  name: v.string(),
  before: Pence,
  after: Pence,
})
export type RevenueMovementRow = v.InferOutput<typeof RevenueMovementRow>
export const RevenueMovementList = v.array(RevenueMovementRow)

const Side = v.nullable(v.object({ status: SubscriptionStatus, monthlyAmount: Pence }))

/** A subscription that differs between us and Stripe; null on the side that has none. */
export const MrrDifference = v.object({
  subscriptionId: v.string(),
  customer: v.string(),
  memberId: v.nullable(v.string()),
  ours: Side,
  provider: Side,
})
export type MrrDifference = v.InferOutput<typeof MrrDifference>
export const MrrDiff = v.object({ compared: v.number(), differences: v.array(MrrDifference) })
export type MrrDiff = v.InferOutput<typeof MrrDiff>

/** An event from Stripe. `isWaiting`: we haven't processed it yet. */
export const ProviderEvent = v.object({
  id: v.string(),
  type: v.string(),
  customer: v.nullable(v.string()),
  receivedAt: v.string(),
  processedAt: v.nullable(v.string()),
})
export type ProviderEvent = v.InferOutput<typeof ProviderEvent>
export const ProviderEventList = v.array(ProviderEvent)
export const ProviderEventQuery = v.object({ waiting: v.optional(v.literal('true')) })
export const ProviderEventParams = v.object({ id: v.pipe(v.string(), v.maxLength(100)) })

/** An event of the last 30 days that never reached us. */
export const EventGap = v.object({ id: v.string(), type: v.string(), createdAt: v.string() })
export type EventGap = v.InferOutput<typeof EventGap>
export const EventGapList = v.array(EventGap)
