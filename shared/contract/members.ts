import * as v from 'valibot'
import { SubscriptionStatus } from './billing.ts'
import { Email, Page, Pence } from './fields.ts'
import { TierSlug } from './tier.ts'

/** A row of the owners' list of members. */
export const AdminMember = v.object({
  id: v.string(),
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.string(),
  membershipTier: v.nullable(TierSlug),
  isAdmin: v.boolean(),
  isMember: v.boolean(),
  status: SubscriptionStatus,
  /** What Billing calls the state. */
  label: v.string(),
  /** The owners gave access, and no subscription does. */
  isComplimentary: v.boolean(),
  videosCompleted: v.number(),
  lastProgressAt: v.nullable(v.string()),
  /** The mail server's words where it refused the last mail to this address; null where mail gets through. */
  mailRefused: v.nullable(v.string()),
  createdAt: v.string(),
})
export type AdminMember = v.InferOutput<typeof AdminMember>
export const AdminMemberList = v.array(AdminMember)

/** Which of them: a page, or the one with this address. */
export const AdminMemberQuery = v.object({ ...Page.entries, email: v.optional(Email) })

/** An id, or an e-mail address. */
export const AdminMemberParams = v.object({ memberId: v.pipe(v.string(), v.maxLength(254)) })

/** One member for the owners: the specified fields, and what the terminal shows beside them. */
export const AdminMemberDetail = v.object({
  id: v.string(),
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.string(),
  membershipType: v.nullable(TierSlug),
  phone: v.nullable(v.string()),
  businessName: v.nullable(v.string()),
  trade: v.nullable(v.string()),
  isAdmin: v.boolean(),
  isMember: v.boolean(),
  status: SubscriptionStatus,
  label: v.string(),
  isComplimentary: v.boolean(),
  nextBillingOn: v.nullable(v.string()),
  videosCompleted: v.number(),
  videosAvailable: v.number(),
  lastProgressAt: v.nullable(v.string()),
  hasPassword: v.boolean(),
  mailRefused: v.nullable(v.string()),
  createdAt: v.string(),
})
export type AdminMemberDetail = v.InferOutput<typeof AdminMemberDetail>

/** Sets access; left out, it is turned over. */
export const AccessRequest = v.optional(v.object({ isMember: v.optional(v.boolean()) }))

/** `dryRun`: only tell what would go and what would stay. Strict: a slip in its name must not remove anybody. */
export const RemoveMemberQuery = v.strictObject({ dryRun: v.optional(v.picklist(['true', 'false']), 'false') })

/**
 * A member removed for ever, as counts. `subscriptions` are those that end with it. `goes` is deleted; `stays` is kept for the
 * books under "Removed member", the mails among it until they have gone out.
 */
export const MemberRemoval = v.object({
  success: v.literal(true),
  dryRun: v.boolean(),
  memberId: v.string(),
  subscriptions: v.number(),
  goes: v.object({ sessions: v.number(), progress: v.number(), mails: v.number() }),
  stays: v.object({
    invoices: v.number(),
    creditNotes: v.number(),
    commissionLines: v.number(),
    applications: v.number(),
    unsentMails: v.number(),
  }),
})
export type MemberRemoval = v.InferOutput<typeof MemberRemoval>

/** What went back under the money-back guarantee, in pence including VAT; the membership has ended with it. */
export const GuaranteeRefund = v.object({ refunded: Pence, subscriptionId: v.string() })
export type GuaranteeRefund = v.InferOutput<typeof GuaranteeRefund>
