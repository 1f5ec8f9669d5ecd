import * as v from 'valibot'
import { Day, Month, Pence, Quarter, RequiredLine } from './fields.ts'
import { listEntries } from './listing.ts'

/** A legal VAT invoice, for owners. Amounts are pence, days YYYY-MM-DD of Europe/London. */
export const AdminInvoice = v.object({
  id: v.string(),
  number: v.string(),
  /** Null after the account was deleted, and for an order without an account. */
  memberId: v.nullable(v.string()),
  name: v.string(),
  issuedOn: v.string(),
  taxPoint: v.string(),
  net: Pence,
  vat: Pence,
  gross: Pence,
  /** The total of its credit notes, including VAT. */
  credited: Pence,
  isRetroactive: v.boolean(),
  isMissingAddress: v.boolean(),
  /** The number of the invoice it replaces. */
  replaces: v.nullable(v.string()),
  /** The number of the invoice that replaced it. */
  replacedBy: v.nullable(v.string()),
  creditNotes: v.array(v.string()),
  url: v.string(),
  pdf: v.string(),
})
export type AdminInvoice = v.InferOutput<typeof AdminInvoice>
export const AdminInvoiceList = v.array(AdminInvoice)

/** An id or an email address. */
export const MemberRef = v.pipe(v.string(), v.trim(), v.maxLength(254), v.nonEmpty('Name a member.'))

/** What became of an invoice. `uncredited`: it stands as issued. */
export const invoiceStates = ['uncredited', 'part-credited', 'credited', 'replaced', 'no-address'] as const

/**
 * `month` and `quarter` are the tax point's. `member` may also be part of a name. The search covers numbers,
 * names, addresses and amounts.
 */
export const AdminInvoiceQuery = v.object({
  ...listEntries('issued', 'name', 'gross'),
  member: v.optional(MemberRef),
  month: v.optional(Month),
  quarter: v.optional(Quarter),
  show: v.optional(v.picklist(invoiceStates, `Show one of ${invoiceStates.join(', ')}.`)),
})
export type AdminInvoiceQuery = v.InferOutput<typeof AdminInvoiceQuery>

export const DocumentParams = v.object({ id: v.pipe(v.string(), v.maxLength(64)) })

/** `memberId` may be an email address too. */
export const FixInvoicesRequest = v.strictObject({
  memberId: v.optional(MemberRef),
  dryRun: v.optional(v.boolean(), false),
})
export type FixInvoicesRequest = v.InferOutput<typeof FixInvoicesRequest>

const fixStatuses = ['vat_invoice_created', 'error', 'customer_not_found', 'customer_deleted'] as const

/**
 * The outcome for one member. `vat_invoice_created` means each of their payments has its VAT invoice; `created` is how many this
 * run issued, reissues included. The other statuses say what's wrong at Stripe.
 */
export const FixInvoicesResult = v.object({
  memberId: v.string(),
  name: v.string(),
  email: v.string(),
  status: v.picklist(fixStatuses),
  created: v.number(),
  message: v.optional(v.string()),
})
export type FixInvoicesResult = v.InferOutput<typeof FixInvoicesResult>

/** A dry run issues nothing; `created` is what it would. */
export const FixInvoicesResponse = v.object({
  results: v.array(FixInvoicesResult),
  createdCount: v.number(),
  /** Members with any status other than `vat_invoice_created`. */
  problemCount: v.number(),
  dryRun: v.boolean(),
})
export type FixInvoicesResponse = v.InferOutput<typeof FixInvoicesResponse>

export const DeleteInvoicesRequest = v.strictObject({ memberId: MemberRef, dryRun: v.optional(v.boolean(), false) })
export type DeleteInvoicesRequest = v.InferOutput<typeof DeleteInvoicesRequest>

export const DeleteInvoicesResponse = v.object({
  /** Deleted drafts at Stripe, and our retroactive invoices cancelled by a credit note. */
  deletedCount: v.number(),
  /** Drafts we couldn't delete, such as a running subscription's. */
  errorCount: v.number(),
  /** Finalized invoices, which can't be deleted. */
  finalizedCount: v.number(),
  message: v.optional(v.string()),
  /** The deleted invoices, by number or Stripe's id. */
  deleted: v.array(v.string()),
  dryRun: v.boolean(),
})
export type DeleteInvoicesResponse = v.InferOutput<typeof DeleteInvoicesResponse>

/** Days of Europe/London, both included. */
export const ExportQuery = v.pipe(
  v.object({ from: v.optional(Day), to: v.optional(Day) }),
  v.forward(
    v.partialCheck(
      [['from'], ['to']],
      ({ from, to }) => from === undefined || to === undefined || from <= to,
      'The last day is before the first.',
    ),
    ['to'],
  ),
)
export type ExportQuery = v.InferOutput<typeof ExportQuery>

/** The first and last of a range of numbers no document gets, and why. */
export const SkippedNumbers = v.object({
  first: v.string(),
  last: v.string(),
  reason: v.string(),
  createdAt: v.string(),
  /** Stripe's payment or refund that each number's document was for, as far as we know. */
  documents: v.record(v.string(), v.string()),
})
export type SkippedNumbers = v.InferOutput<typeof SkippedNumbers>

/**
 * Where both series are. `open`: a backup was restored, and we don't know yet which numbers were given out after it, so we issue no
 * document. `payments` have no invoice here. Theirs may be out, so at least this many numbers may be too.
 */
export const DocumentNumbers = v.object({
  nextInvoice: v.string(),
  nextCreditNote: v.string(),
  open: v.nullable(v.object({ madeAt: v.string(), payments: v.number() })),
  skipped: v.array(SkippedNumbers),
})
export type DocumentNumbers = v.InferOutput<typeof DocumentNumbers>

const DocumentNumber = v.pipe(
  v.string(),
  v.regex(/^[AC]-\d{6,9}$/, 'Give a number such as A-000042, or C-000007 of a credit note.'),
)

/**
 * Skips all numbers up to each of these, one for each series at most; an empty list says we issued none. `documents`: what some of
 * them were for. The document we issue for it says which one it replaces.
 */
export const SkipNumbersRequest = v.strictObject({
  upTo: v.pipe(v.array(DocumentNumber), v.maxLength(2)),
  reason: v.optional(RequiredLine('The reason'), 'Given before a backup was restored'),
  documents: v.optional(v.record(DocumentNumber, RequiredLine('The payment')), {}),
})
export type SkipNumbersRequest = v.InferOutput<typeof SkipNumbersRequest>
