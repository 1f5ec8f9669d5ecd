import * as v from 'valibot'
import { Day, Month, Pence } from './fields.ts'
import { MemberRef } from './invoices.ts'
import { listEntries } from './listing.ts'

/** Payments taken, asked for and failed at Stripe, newest first, of every customer. Amounts are pence. */
export const AdminPayment = v.object({
  id: v.string(),
  /** Null after the account was deleted, and for an order without an account. */
  memberId: v.nullable(v.string()),
  name: v.string(),
  email: v.nullable(v.string()),
  about: v.string(),
  status: v.picklist(['draft', 'open', 'paid', 'void', 'uncollectible']),
  net: Pence,
  vat: Pence,
  total: Pence,
  paid: Pence,
  refunded: Pence,
  /** Our invoice's; null if there's none. */
  number: v.nullable(v.string()),
  attempts: v.number(),
  createdAt: v.string(),
  paidAt: v.nullable(v.string()),
  nextAttemptAt: v.nullable(v.string()),
})
export type AdminPayment = v.InferOutput<typeof AdminPayment>
export const AdminPaymentList = v.array(AdminPayment)

export const paymentFilters = ['paid', 'unpaid', 'refunded'] as const

/** `month` is when we asked for the payment, London time. The search covers Stripe's id, our number, names and addresses. */
export const AdminPaymentQuery = v.object({
  ...listEntries('created', 'total'),
  member: v.optional(MemberRef),
  month: v.optional(Month),
  show: v.optional(v.picklist(paymentFilters, `Show one of ${paymentFilters.join(', ')}.`)),
})
export type AdminPaymentQuery = v.InferOutput<typeof AdminPaymentQuery>

const SignedPence = v.pipe(v.number(), v.safeInteger())

/** Money Stripe sent to the bank. We read it from Stripe each time; `status` is Stripe's word. */
export const Payout = v.object({
  id: v.string(),
  status: v.string(),
  amount: SignedPence,
  createdAt: v.string(),
  arrivesOn: Day,
  isAutomatic: v.boolean(),
  /** Why it came back; null if it didn't. */
  failure: v.nullable(v.string()),
})
/** A lost dispute. `taken` is what the bank took of the payment, in pence; `ends`: it ends a membership. */
export const LostDispute = v.object({
  charge: v.string(),
  name: v.nullable(v.string()),
  taken: Pence,
  ends: v.boolean(),
  dryRun: v.boolean(),
})
export type LostDispute = v.InferOutput<typeof LostDispute>
export const DisputeParams = v.object({
  charge: v.pipe(v.string(), v.regex(/^(ch|py)_\w{1,60}$/, 'A charge’s ID starts with ch_.')),
})
/** Strict, like everything that moves money: a misspelt `dryRun` must book nothing. */
export const LostDisputeQuery = v.strictObject({ dryRun: v.optional(v.picklist(['true', 'false']), 'false') })

export type Payout = v.InferOutput<typeof Payout>
export const PayoutList = v.array(Payout)
export const PayoutParams = v.object({
  id: v.pipe(v.string(), v.regex(/^po_\w{1,60}$/, 'A payout’s ID starts with po_.')),
})

export const PayoutEntry = v.object({
  id: v.string(),
  kind: v.string(),
  name: v.nullable(v.string()),
  memberId: v.nullable(v.string()),
  amount: SignedPence,
  fee: SignedPence,
  net: SignedPence,
  createdAt: v.string(),
})
export type PayoutEntry = v.InferOutput<typeof PayoutEntry>
export const PayoutDetail = v.object({ ...Payout.entries, entries: v.array(PayoutEntry) })
export type PayoutDetail = v.InferOutput<typeof PayoutDetail>
