import * as v from 'valibot'
import { creditAnswers } from '#shared/values/column-values.ts'
import { Day, Line, Pence, Quarter } from './fields.ts'
import { ExportQuery } from './invoices.ts'

const SignedPence = v.pipe(v.number(), v.safeInteger())
const Amounts = v.object({ net: SignedPence, vat: SignedPence, gross: SignedPence })

export const InvoiceRefParams = v.object({ ref: v.pipe(v.string(), v.maxLength(64)) })

/** Everything on an invoice, and what became of it. Amounts are pence. */
export const InvoiceDetail = v.object({
  id: v.string(),
  number: v.string(),
  memberId: v.nullable(v.string()),
  issuedOn: Day,
  taxPoint: Day,
  seller: v.object({ name: v.string(), address: v.string(), vatNumber: v.string() }),
  customer: v.object({
    name: v.string(),
    businessName: v.nullable(v.string()),
    address: v.nullable(v.string()),
  }),
  lines: v.array(
    v.object({
      description: v.string(),
      quantity: v.number(),
      unitPrice: SignedPence,
      net: SignedPence,
      rate: v.number(),
      vat: SignedPence,
    }),
  ),
  net: Pence,
  vat: Pence,
  gross: Pence,
  credited: Amounts,
  payment: v.nullable(v.string()),
  replaces: v.nullable(v.string()),
  replacedBy: v.nullable(v.string()),
  creditNotes: v.array(v.string()),
  /** What's wrong with it, in the same sentences as the check of all invoices. */
  problems: v.array(v.string()),
})
export type InvoiceDetail = v.InferOutput<typeof InvoiceDetail>

/**
 * Credit on a member's balance at Stripe that doesn't say what it was, or a debit taken with a month. `counts` is how invoices treat
 * it, and no invoice of ours names a debit. `answer` is what an owner said, `takenAt` when an invoice last took of it.
 */
export const MemberCredit = v.object({
  id: v.string(),
  memberId: v.nullable(v.string()),
  name: v.nullable(v.string()),
  email: v.nullable(v.string()),
  /** Stripe's word for where it came from. */
  type: v.string(),
  amount: Pence,
  createdAt: v.string(),
  counts: v.picklist([...creditAnswers, 'debit']),
  answer: v.nullable(v.picklist(creditAnswers)),
  takenAt: v.nullable(v.string()),
})
export type MemberCredit = v.InferOutput<typeof MemberCredit>
export const MemberCreditList = v.array(MemberCredit)

export const CreditParams = v.object({ id: v.pipe(v.string(), v.maxLength(255)) })
export const AnswerCreditRequest = v.strictObject({
  answer: v.picklist(creditAnswers, 'Choose money or goodwill.'),
  dryRun: v.optional(v.boolean(), false),
})
export type AnswerCreditRequest = v.InferOutput<typeof AnswerCreditRequest>
/**
 * `documents` are the invoices issued again. In a dry run they're those that would be credited, and `missing` counts payments that
 * would get their first.
 */
export const AnsweredCredit = v.object({
  ...MemberCredit.entries,
  documents: v.array(v.string()),
  missing: v.optional(v.number()),
  dryRun: v.boolean(),
})
export type AnsweredCredit = v.InferOutput<typeof AnsweredCredit>

export const CreditInvoiceRequest = v.strictObject({
  reason: v.pipe(Line(200), v.nonEmpty('Give the reason. It’s printed on the credit note.')),
  dryRun: v.optional(v.boolean(), false),
})
export type CreditInvoiceRequest = v.InferOutput<typeof CreditInvoiceRequest>

/** `creditNote` and `replacedBy` are null in a dry run. */
export const CreditInvoiceResponse = v.object({
  number: v.string(),
  credited: Amounts,
  creditNote: v.nullable(v.string()),
  replacedBy: v.nullable(v.string()),
  dryRun: v.boolean(),
})
export type CreditInvoiceResponse = v.InferOutput<typeof CreditInvoiceResponse>

/** `fix` is the command that fixes it; null if a person has to look. */
export const InvoiceProblem = v.object({
  document: v.string(),
  problem: v.string(),
  fix: v.nullable(v.string()),
})
export type InvoiceProblem = v.InferOutput<typeof InvoiceProblem>

/**
 * The first thousand problems of the last four years, and how many there are. `unread`: customers with payments in them whose details
 * an earlier version read, so that more may come to light.
 */
export const InvoiceLint = v.object({
  checked: v.number(),
  total: v.number(),
  problems: v.array(InvoiceProblem),
  unread: v.number(),
})
export type InvoiceLint = v.InferOutput<typeof InvoiceLint>

export const VatParams = v.object({ quarter: Quarter })

const Sum = v.object({ ...Amounts.entries, count: v.number() })

/**
 * The quarter's VAT return in pence. We don't know what the firm bought, so boxes 4 and 7 are null and box 5 is before box 4.
 * `late`: documents dated in a month whose figures were already closed, which those figures leave out.
 */
export const VatReturn = v.object({
  quarter: Quarter,
  from: Day,
  to: Day,
  hasEnded: v.boolean(),
  boxes: v.object({
    1: SignedPence,
    2: SignedPence,
    3: SignedPence,
    4: v.null(),
    5: SignedPence,
    6: SignedPence,
    7: v.null(),
    8: SignedPence,
    9: SignedPence,
  }),
  invoiced: Sum,
  credited: Sum,
  /** Invoiced less credited at each rate of VAT, in per cent, the highest first. */
  rates: v.array(v.object({ rate: v.number(), net: SignedPence, vat: SignedPence })),
  late: Amounts,
})
export type VatReturn = v.InferOutput<typeof VatReturn>

/** QuickBooks imports invoices and credit notes separately. */
export const accountFormats = ['xero', 'quickbooks', 'quickbooks-credit-notes'] as const
export const AccountFormat = v.picklist(accountFormats, `Say --format ${accountFormats.join(' or ')}.`)
export type AccountFormat = v.InferOutput<typeof AccountFormat>
/** The rows each program takes in one file, not counting the header. QuickBooks doesn't publish a limit; a low one does no harm. */
export const accountFileRows: Record<AccountFormat, number> = {
  xero: 500,
  quickbooks: 100,
  'quickbooks-credit-notes': 100,
}
/** `sales`: where to book a sale, an account code in Xero or a product in QuickBooks. */
export const AccountsQuery = v.intersect([
  ExportQuery,
  v.object({ format: AccountFormat, sales: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(100))) }),
])
export type AccountsQuery = v.InferOutput<typeof AccountsQuery>
