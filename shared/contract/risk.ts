import * as v from 'valibot'
import { listEntries } from './listing.ts'

/** Why a member may leave, most urgent first. */
export const riskReasons = ['payment', 'card', 'quiet', 'call'] as const
export type RiskReason = (typeof riskReasons)[number]

/** Days without progress that make a member quiet. */
export const quietDays = 21

export const MemberAtRisk = v.object({
  id: v.string(),
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.string(),
  phone: v.nullable(v.string()),
  tierName: v.nullable(v.string()),
  reasons: v.array(v.picklist(riskReasons)),
  lastProgressOn: v.nullable(v.string()),
  /** Pence including VAT, if a payment has failed. */
  due: v.number(),
  /** YYYY-MM, the last month the card works. */
  cardWorksUntil: v.nullable(v.string()),
  /** When an owner last emailed a link for a new card, within the last week. */
  askedAt: v.nullable(v.string()),
})
export type MemberAtRisk = v.InferOutput<typeof MemberAtRisk>

export const MemberAtRiskList = v.array(MemberAtRisk)

export const MemberAtRiskQuery = v.object({
  ...listEntries('risk', 'name', 'joined'),
  show: v.optional(v.picklist(riskReasons, `Show one of ${riskReasons.join(', ')}.`)),
})
export type MemberAtRiskQuery = v.InferOutput<typeof MemberAtRiskQuery>
