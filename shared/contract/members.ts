import * as v from 'valibot'
import { PaymentPause, SubscriptionStatus } from './billing.ts'
import { Email, OptionalLine, Pence } from './fields.ts'
import { listEntries } from './listing.ts'
import { TierSlug } from './tier.ts'

export const AdminMember = v.object({
  id: v.string(),
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.string(),
  phone: v.nullable(v.string()),
  trade: v.nullable(v.string()),
  membershipTier: v.nullable(TierSlug),
  /** The tier's own name, even if it's off sale. */
  tierName: v.nullable(v.string()),
  isAdmin: v.boolean(),
  isMember: v.boolean(),
  status: SubscriptionStatus,
  /** Whether their subscription gives access, or would if the owners hadn't revoked it. */
  subscriptionGivesAccess: v.boolean(),
  label: v.string(),
  stateLine: v.string(),
  /** The access comes from the owners' override, not from a subscription. */
  isComplimentary: v.boolean(),
  isRevoked: v.boolean(),
  /** The last day of free access that has run out. */
  freeEndedOn: v.nullable(v.string()),
  nextBillingOn: v.nullable(v.string()),
  pause: v.nullable(PaymentPause),
  hasPassword: v.boolean(),
  /** Whether anyone has confirmed the mailbox of `email`. You can join and pay without doing so. */
  isEmailProven: v.boolean(),
  videosCompleted: v.number(),
  lastProgressAt: v.nullable(v.string()),
  lastSeenAt: v.nullable(v.string()),
  membershipStartDate: v.nullable(v.string()),
  /** The mail server's message if it refused the last email to this address, else null. */
  mailRefused: v.nullable(v.string()),
  createdAt: v.string(),
})
export type AdminMember = v.InferOutput<typeof AdminMember>
export const AdminMemberList = v.array(AdminMember)

/** Which accounts the list shows: by how they stand, or needing an owner's attention. Some overlap. */
export const memberSorts = ['joined', 'name', 'email', 'seen', 'videos'] as const

export const memberFilters = [
  'with-access',
  'without-access',
  'paying',
  'payment-due',
  'set-up',
  'complimentary',
  'ending',
  'revoked',
  'ended',
  'never-joined',
  'owners',
  'no-password',
  'mail-refused',
  'at-risk',
] as const

/** How many accounts each filter with a chip has, and how many there are. */
export const MemberCounts = v.record(v.picklist(['all', ...memberFilters]), v.number())
export type MemberCounts = v.InferOutput<typeof MemberCounts>

export const NewMemberRequest = v.strictObject({
  email: Email,
  firstName: OptionalLine(100),
  lastName: OptionalLine(100),
  phone: OptionalLine(50),
  businessName: OptionalLine(200),
  trade: OptionalLine(200),
})
export type NewMemberRequest = v.InferOutput<typeof NewMemberRequest>

export const AdminMemberQuery = v.object({
  ...listEntries(...memberSorts),
  show: v.optional(v.picklist(memberFilters, `Show one of ${memberFilters.join(', ')}.`)),
  tier: v.optional(TierSlug),
  email: v.optional(Email),
})
export type AdminMemberQuery = v.InferOutput<typeof AdminMemberQuery>

export const AdminMemberParams = v.object({ memberId: v.pipe(v.string(), v.maxLength(254)) })

/** For an owner, about an unconfirmed address. Most members who've paid never needed to confirm theirs. */
export const unprovenEmailText = 'Not yet. They haven’t used a link or code we emailed to it'
/** The same when an owner is about to give free access. */
export const unprovenGuestText =
  'No one has logged in with a link or code emailed to this address. It may be someone else’s.'

/** One member, for owners: the fields of ENT-7, and those the terminal shows too. */
export const AdminMemberDetail = v.object({
  id: v.string(),
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.string(),
  membershipType: v.nullable(TierSlug),
  tierName: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  businessName: v.nullable(v.string()),
  trade: v.nullable(v.string()),
  photo: v.nullable(v.string()),
  isAdmin: v.boolean(),
  isMember: v.boolean(),
  status: SubscriptionStatus,
  subscriptionGivesAccess: v.boolean(),
  label: v.string(),
  stateLine: v.string(),
  isComplimentary: v.boolean(),
  isRevoked: v.boolean(),
  freeEndedOn: v.nullable(v.string()),
  nextBillingOn: v.nullable(v.string()),
  pause: v.nullable(PaymentPause),
  videosCompleted: v.number(),
  videosAvailable: v.number(),
  lastProgressAt: v.nullable(v.string()),
  hasPassword: v.boolean(),
  isEmailProven: v.boolean(),
  mailRefused: v.nullable(v.string()),
  membershipStartDate: v.optional(v.nullable(v.string()), null),
  /** When the account was made, which may be long before they joined. */
  createdAt: v.string(),
})
export type AdminMemberDetail = v.InferOutput<typeof AdminMemberDetail>

/** Sets access; without `isMember` it toggles. `cancels`: also cancel the membership when revoking access. */
export const AccessRequest = v.optional(
  v.pipe(
    v.strictObject({ isMember: v.optional(v.boolean()), cancels: v.optional(v.boolean()) }),
    v.forward(
      v.check(
        ({ isMember, cancels }) => cancels !== true || isMember === false,
        'You can only cancel a membership while revoking access, not while giving it.',
      ),
      ['cancels'],
    ),
  ),
)

/** `dryRun` only counts what would be deleted. The schema is strict, so a misspelt `dryRun` can't remove a member. */
export const RemoveMemberQuery = v.strictObject({ dryRun: v.optional(v.picklist(['true', 'false']), 'false') })

/**
 * Counts of a permanent removal. `subscriptions` are ended, `goes` is deleted, and `stays` remains in the books under "Removed
 * member". Its emails remain until they're sent.
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

/** The money-back guarantee's refund, in pence including VAT. It has ended the membership. */
export const GuaranteeRefund = v.object({ refunded: Pence, subscriptionId: v.string() })
export type GuaranteeRefund = v.InferOutput<typeof GuaranteeRefund>
