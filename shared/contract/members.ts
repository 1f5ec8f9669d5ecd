import * as v from 'valibot'
import { SubscriptionStatus } from './billing.ts'
import { Email, OptionalLine, Pence } from './fields.ts'
import { listEntries } from './listing.ts'
import { TierSlug } from './tier.ts'

/** A row of the owners' list of members. */
export const AdminMember = v.object({
  id: v.string(),
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.string(),
  phone: v.nullable(v.string()),
  trade: v.nullable(v.string()),
  membershipTier: v.nullable(TierSlug),
  /** The tier's own name, on sale or not. */
  tierName: v.nullable(v.string()),
  isAdmin: v.boolean(),
  isMember: v.boolean(),
  status: SubscriptionStatus,
  /** Whether they have access without the owners' word, or would once it is no longer revoked. */
  subscriptionGivesAccess: v.boolean(),
  /** The state as the Billing page names it. */
  label: v.string(),
  /** The sentence that tells the member their state. */
  stateLine: v.string(),
  /** The access comes from the owners' override, not from a subscription. */
  isComplimentary: v.boolean(),
  isRevoked: v.boolean(),
  nextBillingOn: v.nullable(v.string()),
  hasPassword: v.boolean(),
  /** Whether anybody has shown yet that the mailbox of `email` is theirs; one who has joined and paid need not have. */
  isEmailProven: v.boolean(),
  videosCompleted: v.number(),
  lastProgressAt: v.nullable(v.string()),
  lastSeenAt: v.nullable(v.string()),
  membershipStartDate: v.nullable(v.string()),
  /** The mail server's message if it refused the last mail to this address, else null. */
  mailRefused: v.nullable(v.string()),
  createdAt: v.string(),
})
export type AdminMember = v.InferOutput<typeof AdminMember>
export const AdminMemberList = v.array(AdminMember)

/** Which accounts the list shows: those with access, those without, or those that an owner may have to look after. */
export const memberFilters = [
  'with-access',
  'without-access',
  'payment-due',
  'ending',
  'revoked',
  'complimentary',
  'no-password',
  'mail-refused',
  'at-risk',
] as const

/** An account that an owner makes for somebody; it has no membership and no password yet. */
export const NewMemberRequest = v.strictObject({
  email: Email,
  firstName: OptionalLine(100),
  lastName: OptionalLine(100),
  phone: OptionalLine(50),
  businessName: OptionalLine(200),
  trade: OptionalLine(200),
})
export type NewMemberRequest = v.InferOutput<typeof NewMemberRequest>

/** One page of the list, or the member with this address. */
export const AdminMemberQuery = v.object({
  ...listEntries('joined', 'name', 'email', 'seen', 'videos'),
  show: v.optional(v.picklist(memberFilters, `Show one of ${memberFilters.join(', ')}.`)),
  tier: v.optional(TierSlug),
  email: v.optional(Email),
})
export type AdminMemberQuery = v.InferOutput<typeof AdminMemberQuery>

/** `memberId` is an id or an email address. */
export const AdminMemberParams = v.object({ memberId: v.pipe(v.string(), v.maxLength(254)) })

/** Of an address that is not proven, for owners: most who have paid never needed to. */
export const unprovenEmailText = 'Not confirmed: no one has logged in with a link or code emailed to it'
/** The same where somebody is about to be let in without paying. */
export const unprovenGuestText =
  'No one has logged in with a link or code emailed to this address. It may be someone else’s.'

/** One member for the owners: the fields of ENT-7, and those that the terminal shows too. */
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
  /** Where their photo is. */
  photo: v.nullable(v.string()),
  isAdmin: v.boolean(),
  isMember: v.boolean(),
  status: SubscriptionStatus,
  subscriptionGivesAccess: v.boolean(),
  label: v.string(),
  /** The sentence that tells the member their state. */
  stateLine: v.string(),
  isComplimentary: v.boolean(),
  nextBillingOn: v.nullable(v.string()),
  videosCompleted: v.number(),
  videosAvailable: v.number(),
  lastProgressAt: v.nullable(v.string()),
  hasPassword: v.boolean(),
  isEmailProven: v.boolean(),
  mailRefused: v.nullable(v.string()),
  createdAt: v.string(),
})
export type AdminMemberDetail = v.InferOutput<typeof AdminMemberDetail>

/** Sets access; without `isMember`, access is toggled. `cancels`: the membership too, where access is revoked. */
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

/** `dryRun` only counts what would be deleted. The schema is strict: a misspelt `dryRun` must not remove a member. */
export const RemoveMemberQuery = v.strictObject({ dryRun: v.optional(v.picklist(['true', 'false']), 'false') })

/**
 * Counts of a permanent removal. `subscriptions` are ended, `goes` is deleted, and `stays` remains in the books under "Removed
 * member"; the mails among it remain until they are sent.
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

/** The refund under the money-back guarantee, in pence including VAT; it has ended the membership. */
export const GuaranteeRefund = v.object({ refunded: Pence, subscriptionId: v.string() })
export type GuaranteeRefund = v.InferOutput<typeof GuaranteeRefund>
