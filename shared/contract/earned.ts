import * as v from 'valibot'
import { Month, Quarter } from './fields.ts'

const SignedPence = v.pipe(v.number(), v.safeInteger())

const followsOn = (year: string) => (Number(year.slice(0, 4)) + 1) % 100 === Number(year.slice(5))

/** A tax year such as 2026/27, April to March. */
const TaxYear = v.pipe(
  v.string(),
  v.regex(/^\d{4}\/\d{2}$/, 'Give a tax year such as 2026/27.'),
  v.check(followsOn, 'Give a tax year such as 2026/27.'),
)

export const Period = v.union(
  [Month, Quarter, TaxYear],
  'Give a month (2026-06), a quarter (2026-Q2) or a tax year (2026/27).',
)

export const earnedSpans = ['month', 'quarter', 'tax-year'] as const
export type EarnedSpan = (typeof earnedSpans)[number]

export const periodSpan = (period: string): EarnedSpan =>
  period.includes('/') ? 'tax-year' : period.includes('Q') ? 'quarter' : 'month'

export const AccountantQuery = v.object({ period: Period })

export const EarnedQuery = v.object({
  by: v.optional(v.picklist(earnedSpans, `Add up by ${earnedSpans.join(', ')}.`)),
})

/** `before` and all that moved the balance at Stripe make `after`. `other` is anything else, such as a top-up. */
const Bridge = v.object({
  before: SignedPence,
  taken: SignedPence,
  refunded: SignedPence,
  fees: SignedPence,
  disputes: SignedPence,
  other: SignedPence,
  paidOut: SignedPence,
  after: SignedPence,
})
export type Bridge = v.InferOutput<typeof Bridge>

/**
 * A period’s money, in pence: `taken` less `refunded`, `vat`, `fees` and `commission` is `left`. Money counts on the day it
 * moved, VAT by tax point (box 1 of the return), commission in the month of its statement. `refunded` has what banks took back.
 * `fees`, `left` and `bridge` are null where we don’t have Stripe’s transactions. `offInvoices` and `offCredits`: how much more
 * was taken, and refunded, than the period’s invoices and credit notes say, because cash and tax point differ. `forLater`: what of
 * the payments taken, without VAT and less what went back, is for months after the period.
 */
export const EarnedLine = v.object({
  period: v.string(),
  taken: SignedPence,
  refunded: SignedPence,
  vat: SignedPence,
  fees: v.nullable(SignedPence),
  commission: SignedPence,
  left: v.nullable(SignedPence),
  offInvoices: SignedPence,
  offCredits: SignedPence,
  forLater: SignedPence,
  bridge: v.nullable(Bridge),
})
export type EarnedLine = v.InferOutput<typeof EarnedLine>

/** Newest first. `balance` is ours and Stripe’s own when we last read it; null before that. `from` is the first month we have. */
export const Earned = v.object({
  lines: v.array(EarnedLine),
  from: v.nullable(Month),
  balance: v.nullable(v.object({ at: v.string(), ours: SignedPence, stripe: SignedPence })),
})
export type Earned = v.InferOutput<typeof Earned>
