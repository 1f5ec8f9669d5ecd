import * as v from 'valibot'
import { BillingAddress, BillingSubscription, Invoice, PaymentMethod } from './billing.ts'
import { Day, Email, Id, OptionalLine, Pence, RequiredLine, RequiredText } from './fields.ts'
import { listEntries } from './listing.ts'
import { AdminMemberDetail } from './members.ts'

const profile = {
  firstName: OptionalLine(100),
  lastName: OptionalLine(100),
  email: Email,
  phone: OptionalLine(50),
  businessName: OptionalLine(200),
  trade: OptionalLine(200),
}

/** What an owner may put right in a member's account. */
export const MemberProfile = v.object({ ...profile, id: v.string(), version: v.number() })
export type MemberProfile = v.InferOutput<typeof MemberProfile>

/** The fields of the form, without what says which row and which version of it they are. */
export const MemberProfileFields = v.object(profile)
export type MemberProfileFields = v.InferOutput<typeof MemberProfileFields>

/**
 * `version` is the one that the owner read. `unsafeMailbox` is why the old mailbox isn't safe: nothing is mailed to it then.
 */
export const MemberProfileRequest = v.object({
  ...profile,
  version: v.number(),
  unsafeMailbox: v.optional(RequiredLine('The reason', 300)),
})
export type MemberProfileRequest = v.InferOutput<typeof MemberProfileRequest>

/** What is done about a change of address that the old one says isn't theirs: `keeps` the new one, or puts the old one back. */
export const EmailReportDecision = v.strictObject({ keeps: v.boolean() })
export type EmailReportDecision = v.InferOutput<typeof EmailReportDecision>

/** `before` is the address that the owner saw. */
export const MemberAddressRequest = v.object({ address: BillingAddress, before: v.nullable(BillingAddress) })
export type MemberAddressRequest = v.InferOutput<typeof MemberAddressRequest>

/** A payment with our documents for it. `paymentId` names the payment itself, whichever invoice it has now. */
export const MemberPayment = v.object({
  ...Invoice.entries,
  paymentId: v.string(),
  net: Pence,
  vat: Pence,
  /** Pence including VAT that can still be given back. */
  refundable: Pence,
})
export type MemberPayment = v.InferOutput<typeof MemberPayment>

/** Access that the owners gave, and its last day; null where they gave none. `version` grows with every change of it. */
export const FreeAccess = v.object({
  freeAccess: v.nullable(v.object({ until: v.nullable(v.string()) })),
  version: v.number(),
})
export type FreeAccess = v.InferOutput<typeof FreeAccess>

/** All that an owner decides by: who a member is, what they pay, and what can be done about it. */
export const MemberRecord = v.object({
  member: AdminMemberDetail,
  profile: MemberProfile,
  lastSeenAt: v.nullable(v.string()),
  /** Browsers that have logged in before. */
  devices: v.number(),
  billing: BillingSubscription,
  paymentMethod: v.nullable(PaymentMethod),
  address: v.nullable(BillingAddress),
  freeAccess: FreeAccess.entries.freeAccess,
  accessVersion: v.number(),
  /** While the first 14 days run: their last day, and all that was paid and would go back. */
  guarantee: v.nullable(v.object({ endsOn: Day, refundable: Pence })),
  payments: v.array(MemberPayment),
  /** The terms that the membership was bought under; null where it was bought before they had names, or elsewhere. */
  termsVersion: v.nullable(v.string()),
})
export type MemberRecord = v.InferOutput<typeof MemberRecord>

/** Sets whether the next payment of the membership is free. */
export const FreeMonthRequest = v.strictObject({ isFree: v.boolean() })

/** `until` is the last day of it in Europe/London; null for no end. `version` is of the access that the owner saw. */
export const FreeAccessRequest = v.strictObject({
  until: v.nullable(Day),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
})
export type FreeAccessRequest = v.InferOutput<typeof FreeAccessRequest>

/** `version` is of the access that the owner saw; without it whatever is there is ended. */
export const FreeAccessQuery = v.object({
  version: v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))),
})

const reason = RequiredText('Reason', 500)

/** What the money-back guarantee would give back now; nothing where that is done already and the membership has only to end. */
export const GuaranteePlan = v.object({ refundable: Pence, subscriptionId: v.string() })
export type GuaranteePlan = v.InferOutput<typeof GuaranteePlan>

/**
 * Gives back `amount` pence including VAT of one payment. `id` is made by the screen for this one wish: sent again, it is
 * still one refund. `endsMembership` ends the membership at once.
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
  ),
  reason,
  endsMembership: v.optional(v.boolean(), false),
})
export type PaymentRefundRequest = v.InferOutput<typeof PaymentRefundRequest>

const { entries } = PaymentRefundRequest
/**
 * The guarantee, whole, with `reason` alone or nothing; or so much of one payment, with all that `PaymentRefundRequest` asks
 * for. An amount alone is refused: it must never be taken for everything.
 */
export const RefundRequest = v.optional(
  v.pipe(
    v.strictObject({
      id: v.optional(entries.id),
      paymentId: v.optional(entries.paymentId),
      amount: v.optional(entries.amount),
      reason: v.optional(entries.reason),
      endsMembership: v.optional(v.boolean()),
    }),
    v.forward(
      v.check((sent) => !isOfPayment(sent) || sent.id !== undefined, 'Send the id of this request.'),
      ['id'],
    ),
    v.forward(
      v.check((sent) => !isOfPayment(sent) || sent.paymentId !== undefined, 'Say which payment.'),
      ['paymentId'],
    ),
    v.forward(
      v.check((sent) => !isOfPayment(sent) || sent.amount !== undefined, 'Amount is required'),
      ['amount'],
    ),
    v.forward(
      v.check((sent) => !isOfPayment(sent) || sent.reason !== undefined, 'Reason is required'),
      ['reason'],
    ),
  ),
)
export type RefundRequest = v.InferOutput<typeof RefundRequest>

const isOfPayment = ({ reason: _reason, ...rest }: Record<string, unknown>) =>
  Object.values(rest).some((value) => value !== undefined)

/** What has gone back of the payment so far, and what is left of it, in pence including VAT. */
export const PaymentRefund = v.object({ refunded: Pence, left: Pence })
export type PaymentRefund = v.InferOutput<typeof PaymentRefund>

/** The page on which the member changes their card, once they are logged in; it was mailed to `sentTo`. */
export const CardLink = v.object({ url: v.string(), sentTo: v.string() })
export type CardLink = v.InferOutput<typeof CardLink>

/** Something that was done to an account, or by it. */
export const MemberActivity = v.object({
  id: v.string(),
  at: v.string(),
  action: v.string(),
  by: v.picklist(['member', 'owner', 'terminal', 'site']),
  /** The owner's name; null where nobody of that name is there any more. */
  name: v.nullable(v.string()),
  detail: v.record(v.string(), v.unknown()),
})
export type MemberActivity = v.InferOutput<typeof MemberActivity>
export const MemberActivityList = v.array(MemberActivity)

export const MemberActivityQuery = v.object(listEntries('at'))
export type MemberActivityQuery = v.InferOutput<typeof MemberActivityQuery>
