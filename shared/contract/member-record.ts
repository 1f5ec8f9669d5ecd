import * as v from 'valibot'
import { MemberCreditList } from './accounting.ts'
import { BillingAddress, BillingSubscription, Invoice, PaymentMethod } from './billing.ts'
import { Day, Email, Id, OptionalLine, Pence, RequiredLine, RequiredText } from './fields.ts'
import { listEntries } from './listing.ts'
import { AdminMemberDetail } from './members.ts'
import { NoticeKind } from './notices.ts'

const profile = {
  firstName: OptionalLine(100),
  lastName: OptionalLine(100),
  email: Email,
  phone: OptionalLine(50),
  businessName: OptionalLine(200),
  trade: OptionalLine(200),
}

const stored = v.nullable(v.string())

/** As stored: what came in before a check, or past it, is shown, so that an owner can put it right. */
export const MemberProfile = v.object({
  firstName: stored,
  lastName: stored,
  email: v.string(),
  phone: stored,
  businessName: stored,
  trade: stored,
  id: v.string(),
  version: v.number(),
})
export type MemberProfile = v.InferOutput<typeof MemberProfile>

/** The form's fields, without the row's id and version. */
export const MemberProfileFields = v.object(profile)
export type MemberProfileFields = v.InferOutput<typeof MemberProfileFields>

/** `version` is the one the owner read. `unsafeMailbox` says why the old mailbox isn't safe; we then send it nothing. */
export const MemberProfileRequest = v.object({
  ...profile,
  version: v.number(),
  unsafeMailbox: v.optional(RequiredLine('The reason', 300)),
})
export type MemberProfileRequest = v.InferOutput<typeof MemberProfileRequest>

/** The decision on an address change that the old address says isn't theirs: `keeps` the new one, or restores the old one. */
export const EmailReportDecision = v.strictObject({ keeps: v.boolean() })
export type EmailReportDecision = v.InferOutput<typeof EmailReportDecision>

/** Which address counts where Stripe has another. `address` is Stripe's as the owner saw it. */
export const StripeAddressDecision = v.strictObject({
  counts: v.picklist(['stripe', 'ours'], 'Choose stripe or ours.'),
  address: v.pipe(v.string(), v.maxLength(512)),
})
export type StripeAddressDecision = v.InferOutput<typeof StripeAddressDecision>

export const MemberAddressRequest = v.object({ address: BillingAddress, before: v.nullable(BillingAddress) })
export type MemberAddressRequest = v.InferOutput<typeof MemberAddressRequest>

const signed = v.pipe(v.number(), v.safeInteger())
const amounts = { net: signed, vat: signed }
const NotedLine = v.object({ description: v.string(), rate: v.number(), ...amounts })

/** A payment with our documents for it. `paymentId` is the payment's own, whichever invoice it has now. */
export const MemberPayment = v.object({
  ...Invoice.entries,
  paymentId: v.string(),
  net: Pence,
  vat: Pence,
  /** Pence that can still be refunded, including VAT. */
  refundable: Pence,
  /** Of a payment for several months: the whole ones not begun, of how many, and what of it could go back for them. Pence with VAT. */
  unused: v.optional(v.object({ months: v.number(), of: v.number(), amount: Pence })),
  /** In the 14 days in which a private customer may cancel: the days not used, of how many, and what of it goes back. Pence with VAT. */
  coolingOff: v.optional(v.object({ days: v.number(), of: v.number(), amount: Pence, until: Day })),
  /** Its invoice and that one's credit notes, which decide the VAT of the next. Left out while there's none. Pence. */
  noted: v.optional(
    v.object({
      ...amounts,
      gross: signed,
      lines: v.array(NotedLine),
      notes: v.array(v.object({ ...amounts, gross: signed, lines: v.nullable(v.array(NotedLine)) })),
    }),
  ),
})
export type MemberPayment = v.InferOutput<typeof MemberPayment>

/** Free access from the owners, and its last day; null if they gave none. `version` goes up with each change. */
export const FreeAccess = v.object({
  freeAccess: v.nullable(v.object({ until: v.nullable(v.string()) })),
  version: v.number(),
})
export type FreeAccess = v.InferOutput<typeof FreeAccess>

/** What they said about campaigns. `source`: the file they were moved in from; null if they said it here. */
export const NewsChoice = v.object({ isWanted: v.boolean(), at: v.string(), source: v.nullable(v.string()) })
export type NewsChoice = v.InferOutput<typeof NewsChoice>

export const MemberNotices = v.object({ kinds: v.array(NoticeKind), phones: v.number() })
export type MemberNotices = v.InferOutput<typeof MemberNotices>

export const MemberRecord = v.object({
  member: AdminMemberDetail,
  profile: MemberProfile,
  lastSeenAt: v.nullable(v.string()),
  devices: v.number(),
  billing: BillingSubscription,
  /** Invoices that a pause of payments kept as drafts at Stripe, oldest first. Pence including VAT. */
  keptDrafts: v.array(v.object({ id: v.string(), total: Pence, created: v.string() })),
  /** What their newest payment was for beside the tier, in pence including VAT. */
  addOns: v.array(v.object({ description: v.string(), total: v.pipe(v.number(), v.safeInteger()) })),
  /** Credit an owner may have to name, and debits taken with a month, oldest first. */
  credits: MemberCreditList,
  /** Their address at Stripe where someone changed it there, until an owner says which one counts. */
  stripeAddress: v.nullable(v.string()),
  paymentMethod: v.nullable(PaymentMethod),
  address: v.nullable(BillingAddress),
  freeAccess: FreeAccess.entries.freeAccess,
  accessVersion: v.number(),
  /** During the first 14 days: the last of them, and everything paid, which we'd refund. */
  guarantee: v.nullable(v.object({ endsOn: Day, refundable: Pence })),
  payments: v.array(MemberPayment),
  /** Null if they've never said. */
  news: v.nullable(NewsChoice),
  /** Which kinds of notice they switched on, and how many phones get them. */
  notices: MemberNotices,
  /** The terms they joined under; null if they joined before terms had names, or elsewhere. */
  termsVersion: v.nullable(v.string()),
})
export type MemberRecord = v.InferOutput<typeof MemberRecord>

export const FreeMonthRequest = v.strictObject({ isFree: v.boolean() })

/** `from`: the day of the renewal as the owner saw it. */
export const PutOffRequest = v.strictObject({ from: Day })

/** `until` is the last day in Europe/London; null for no end. `version` is the access's as the owner saw it. */
export const FreeAccessRequest = v.strictObject({
  until: v.nullable(Day),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
})
export type FreeAccessRequest = v.InferOutput<typeof FreeAccessRequest>

/** `version` is the access's as the owner saw it. Without it we end the access whatever its version. */
export const FreeAccessQuery = v.strictObject({
  version: v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))),
})

const reason = RequiredText('Reason', 500)

/** What the money-back guarantee would refund now; 0 if that's done and the membership only has to end. */
export const GuaranteePlan = v.object({ refundable: Pence, subscriptionId: v.string() })
export type GuaranteePlan = v.InferOutput<typeof GuaranteePlan>

/**
 * Refunds `amount` pence, including VAT, of one payment. `id` is an idempotency key the page makes, so a retry refunds once.
 * `endsMembership` ends the membership immediately.
 */
export const PaymentRefundRequest = v.strictObject({
  id: Id,
  paymentId: v.pipe(v.string(), v.maxLength(100)),
  amount: v.pipe(
    v.number(({ input }) =>
      input === undefined ? 'Amount is required' : 'Amount must be a number of pence, such as 5000',
    ),
    v.integer('Give whole pence.'),
    v.minValue(1, 'Amount must be greater than 0'),
    v.maxValue(100_000_000, 'This is more than was paid.'),
    v.description('pence'),
    v.examples([5000]),
  ),
  reason,
  endsMembership: v.optional(v.boolean(), false),
})
export type PaymentRefundRequest = v.InferOutput<typeof PaymentRefundRequest>

/** Everything under the money-back guarantee. An amount on its own is refused: it must never count as a full refund. */
const GuaranteeRefundRequest = v.strictObject({ paymentId: v.optional(v.undefined()), reason: v.optional(reason) })

/** Part of one payment if it's named, or else the full guarantee. */
export const RefundRequest = v.optional(v.variant('paymentId', [PaymentRefundRequest, GuaranteeRefundRequest]), {})
export type RefundRequest = v.InferOutput<typeof RefundRequest>

/** What's been refunded of the payment so far, and what's left, in pence including VAT. */
export const PaymentRefund = v.object({ refunded: Pence, left: Pence })
export type PaymentRefund = v.InferOutput<typeof PaymentRefund>

/** The page where the member changes their card after logging in. We emailed it to `sentTo`. */
export const CardLink = v.object({ url: v.string(), sentTo: v.string() })
export type CardLink = v.InferOutput<typeof CardLink>

export const MemberActivity = v.object({
  id: v.string(),
  at: v.string(),
  action: v.string(),
  by: v.picklist(['member', 'owner', 'terminal', 'site']),
  /** The owner's name; null if that account is gone. */
  name: v.nullable(v.string()),
  detail: v.record(v.string(), v.unknown()),
})
export type MemberActivity = v.InferOutput<typeof MemberActivity>
export const MemberActivityList = v.array(MemberActivity)

export const MemberActivityQuery = v.object(listEntries('at'))
export type MemberActivityQuery = v.InferOutput<typeof MemberActivityQuery>
