import * as v from 'valibot'
import { Day, Month, Page, Pence, Pounds, RequiredDay, RequiredLine } from './fields.ts'
import { listEntries } from './listing.ts'
import { TierSlug } from './tier.ts'

/** An amount sent as text gets its own error, not the one for being too little. */
const isNoNumber = (input: unknown) => typeof input === 'string' || Number.isNaN(input)

const RequiredPounds = (label: string) =>
  v.pipe(
    v.number(({ input }) =>
      isNoNumber(input) ? `${label} must be a number, such as 90.50` : `${label} must be greater than 0`,
    ),
    v.finite(`${label} must be greater than 0`),
    v.minValue(0.01, `${label} must be greater than 0`),
    v.maxValue(1_000_000, 'Use up to £1,000,000.'),
    v.check((pounds) => Math.round(pounds * 100) / 100 === pounds, 'Use up to two decimals.'),
  )

/** An up-sell agreed by hand; both amounts are pounds. A missing field gets the same error as an empty one. */
export const ManualCommissionRequest = v.pipe(
  v.strictObject({
    description: v.optional(RequiredLine('Description', 500), ''),
    totalAmount: v.optional(RequiredPounds('Total amount'), 0),
    commissionAmount: v.optional(RequiredPounds('Commission amount'), 0),
    saleDate: v.optional(RequiredDay('Sale date'), ''),
  }),
  v.forward(
    v.partialCheck(
      [['totalAmount'], ['commissionAmount']],
      ({ totalAmount, commissionAmount }) => commissionAmount <= totalAmount,
      'The commission can’t be more than the total amount.',
    ),
    ['commissionAmount'],
  ),
)
export type ManualCommissionRequest = v.InferOutput<typeof ManualCommissionRequest>

export const ManualCommissionPaidRequest = v.strictObject({ commissionPaid: v.boolean() })

/** `commissionMonth` is the month of the payments the commission is for; the default is the current one. */
export const CommissionStatusRequest = v.strictObject({
  commissionPaid: v.boolean(),
  commissionMonth: v.optional(Month),
})
export type CommissionStatusRequest = v.InferOutput<typeof CommissionStatusRequest>

/** Per cent, from a day on. A tier's first rate has always applied and has no day. */
export const CommissionRate = v.object({
  tierSlug: TierSlug,
  tierName: v.string(),
  rate: v.number(),
  validFrom: v.nullable(v.string()),
})
export type CommissionRate = v.InferOutput<typeof CommissionRate>

export const CommissionRateList = v.array(CommissionRate)

const wholePerCent = 'Give a whole number from 0 to 100.'
/** `validFrom` defaults to today. */
export const CommissionRateRequest = v.strictObject({
  tierSlug: TierSlug,
  rate: v.pipe(
    v.number(wholePerCent),
    v.integer(wholePerCent),
    v.minValue(0, wholePerCent),
    v.maxValue(100, wholePerCent),
  ),
  validFrom: v.optional(RequiredDay('Day')),
})
export type CommissionRateRequest = v.InferOutput<typeof CommissionRateRequest>

const commissionKinds = ['invoice', 'upsell', 'clawback', 'payment', 'reversal'] as const

/** Pence, possibly negative. */
const SignedPence = v.pipe(v.number(), v.safeInteger())

/** A line of a statement. `amount` is signed, in the partner's favour; `about` names the invoice or the up-sell. */
export const StatementLine = v.object({
  id: v.string(),
  kind: v.picklist(commissionKinds),
  bookedAt: v.string(),
  paymentMonth: Month,
  member: v.nullable(v.string()),
  memberId: v.nullable(v.string()),
  about: v.nullable(v.string()),
  tier: v.nullable(TierSlug),
  tierName: v.nullable(v.string()),
  net: SignedPence,
  rate: v.nullable(v.number()),
  amount: SignedPence,
  dueOn: Day,
})
export type StatementLine = v.InferOutput<typeof StatementLine>

/**
 * A month of the sales partner's account, in pence: `opening` and the five sums after it make `closing`. The sums cover the whole
 * month, the lines are one page of it.
 */
export const CommissionStatement = v.object({
  month: Month,
  partner: v.string(),
  isFrozen: v.boolean(),
  opening: SignedPence,
  earned: SignedPence,
  clawBacks: SignedPence,
  upSells: SignedPence,
  reversals: SignedPence,
  payments: SignedPence,
  closing: SignedPence,
  lines: v.array(StatementLine),
})
export type CommissionStatement = v.InferOutput<typeof CommissionStatement>

export const StatementParams = v.object({ month: Month })
/** `format=csv` gives all lines as CSV, like `Accept: text/csv`; `pdf` gives a PDF. */
export const StatementQuery = v.object({
  ...Page.entries,
  format: v.optional(v.picklist(['csv', 'json', 'pdf'])),
})

export const StatementMailed = v.object({ month: Month, sentTo: v.string() })
export type StatementMailed = v.InferOutput<typeof StatementMailed>

export const CommissionParams = v.object({ id: v.pipe(v.string(), v.maxLength(100)) })
export const CommissionMemberParams = v.object({ userId: v.pipe(v.string(), v.maxLength(100)) })

export const ManualCommission = v.object({
  id: v.string(),
  description: v.string(),
  totalAmount: Pounds,
  commissionAmount: Pounds,
  saleDate: v.string(),
  commissionPaid: v.boolean(),
})
export type ManualCommission = v.InferOutput<typeof ManualCommission>
export const ManualCommissionList = v.array(ManualCommission)

/**
 * What refunds clawed back of a month's commission (negative), and what's outstanding for the month since: negative if we'd paid
 * the partner and they owe it back.
 */
const Clawback = v.object({ takenBack: SignedPence, outstanding: SignedPence })

/** One month of one member. Without a refund there's no `clawback`. */
export const CommissionPayment = v.object({
  id: v.string(),
  paymentMonth: Month,
  paymentDate: v.string(),
  membershipAmount: Pence,
  commissionAmount: Pence,
  commissionPaid: v.boolean(),
  commissionPaidDate: v.nullable(v.string()),
  clawback: v.optional(Clawback),
})
export type CommissionPayment = v.InferOutput<typeof CommissionPayment>

/** A member's payments. Their own two amounts are a month's, in pounds excluding VAT; the months' are what was paid, in pence. */
export const MemberPayments = v.object({
  id: v.string(),
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.string(),
  tierName: v.string(),
  monthlyAmount: Pounds,
  commissionAmount: Pounds,
  monthlyPayments: v.array(CommissionPayment),
})
export type MemberPayments = v.InferOutput<typeof MemberPayments>
export const MemberPaymentsList = v.array(MemberPayments)

/**
 * `joined` sorts by when the account was made, or the customer's if the member was removed. `unpaid`: with a month still to pay.
 */
export const MemberPaymentsQuery = v.object({
  ...listEntries('joined', 'name'),
  show: v.optional(v.picklist(['unpaid'])),
})
export type MemberPaymentsQuery = v.InferOutput<typeof MemberPaymentsQuery>

export const CommissionHistory = v.object({
  totalMembers: v.number(),
  totalCommissionPaid: SignedPence,
  /** Negative if the partner owes it back. */
  totalCommissionOutstanding: SignedPence,
  membersPaid: v.number(),
  membersUnpaid: v.number(),
})
export type CommissionHistory = v.InferOutput<typeof CommissionHistory>

export const InactiveMember = v.object({
  id: v.string(),
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.string(),
  commissionPayments: v.array(
    v.pick(CommissionPayment, ['paymentMonth', 'membershipAmount', 'commissionAmount', 'commissionPaid', 'clawback']),
  ),
})
export type InactiveMember = v.InferOutput<typeof InactiveMember>
export const InactiveMemberList = v.array(InactiveMember)

export const InactiveMemberQuery = v.object(listEntries('joined', 'name'))
export type InactiveMemberQuery = v.InferOutput<typeof InactiveMemberQuery>
