import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { creditNotes } from '#api/db/schema/invoices.ts'
import { lostDisputeReason } from '#api/db/schema/provider.ts'
import { noteReasons } from '#shared/rules/credit.ts'
import { leftByRate, type Note, noteOn, remainingAmounts, together } from '#shared/rules/credit-note.ts'
import { creditNoteNumber } from '#shared/rules/invoice-number.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { areNumbersOpen, assertNumbersKnown, leftOutNumberOf } from './left-out-numbers-service.ts'
import {
  type CreditNoteRow,
  creditedAmounts,
  type InvoiceRow,
  lastCreditNoteSequence,
  newestInvoice,
  notedRefunds,
  notesOn,
  refundsWithoutNote,
} from './queries.ts'

/**
 * One credit note per successful refund, on the payment's newest invoice. Skips removed invoices until they're reissued. `isFix`: as in
 * `issueInvoices`; a note that waited is dated today, as its quarter's VAT may be paid.
 */
export function issueCreditNotes(ctx: Context, { id }: { id: string }, isFix = false): void {
  if (areNumbersOpen(ctx)) return
  for (const refund of refundsWithoutNote.all(ctx, { customerId: id })) {
    if (refund.waitsForFix && !isFix) continue
    const invoice = newestInvoice(ctx, refund.providerInvoiceId)
    if (invoice === undefined) continue
    const amounts = noteOn(invoice, notesOn(ctx, invoice), refund)
    if (amounts.gross === 0) continue
    const day = londonDay(new Date(refund.created))
    issueCreditNote(ctx, invoice, {
      kind: 'refund',
      amounts,
      providerRefundId: refund.id,
      ...(refund.waitsForFix ? {} : { issuedOn: day }),
      reason: reasonOf(refund.reason, formatLongDate(day)),
    })
  }
}

/** Notes that wait for the owners’ tool, as “£100.00 on A-000001”. */
export const waitingNotes = (ctx: Context, { id }: { id: string }): string[] =>
  refundsWithoutNote.all(ctx, { customerId: id }).flatMap(({ waitsForFix, providerInvoiceId, ...refund }) => {
    const invoice = waitsForFix ? newestInvoice(ctx, providerInvoiceId) : undefined
    if (invoice === undefined) return []
    const { gross } = noteOn(invoice, notesOn(ctx, invoice), refund)
    return gross === 0 ? [] : [`${formatPoundsAndPence(gross)} on ${invoice.number}`]
  })

function reasonOf(reason: string | null, day: string): string {
  if (reason === lostDisputeReason) return `Taken back by the payer’s bank on ${day}`
  if (reason === noteReasons.credit) return `Added to your credit on ${day}`
  return reason === noteReasons.outside ? `Credited on ${day}` : `Refund of ${day}`
}

type Reason = { kind: 'correction' | 'removal'; reason: string }

export function creditRemainder(ctx: Context, invoice: InvoiceRow, reason: Reason): void {
  const notes = notesOn(ctx, invoice)
  const amounts = remainingAmounts(invoice, creditedAmounts(ctx, invoice.id))
  const lines = notes.every((note) => note.lines === null) ? null : leftByRate(invoice, notes)
  if (amounts.gross > 0) issueCreditNote(ctx, invoice, { ...reason, amounts: { ...amounts, lines } })
}

/**
 * Refunds under the replaced invoice come off this one too, as far as it reaches, so that each document is right, and so is their
 * total.
 */
export function carryOverRefunds(ctx: Context, replaced: InvoiceRow, invoice: InvoiceRow): void {
  const notes: Note[] = []
  for (const refund of notedRefunds(ctx, replaced)) notes.push(noteOn(invoice, notes, refund))
  const amounts = together(invoice, notes)
  if (amounts.gross === 0) return
  const reason = `Carries over what was refunded under invoice ${replaced.number}`
  issueCreditNote(ctx, invoice, { kind: 'correction', reason, amounts })
}

type NewNote = Pick<CreditNoteRow, 'kind' | 'reason'> & { amounts: Note; providerRefundId?: string; issuedOn?: string }

/** `issuedOn` defaults to today. */
function issueCreditNote(
  ctx: Context,
  invoice: InvoiceRow,
  { kind, reason, amounts, providerRefundId, issuedOn }: NewNote,
): void {
  assertNumbersKnown(ctx)
  const now = ctx.billingNow()
  const sequence = lastCreditNoteSequence(ctx) + 1
  insertRow(ctx, creditNotes, {
    id: ctx.newId(),
    sequence,
    number: creditNoteNumber(sequence),
    invoiceId: invoice.id,
    kind,
    reason,
    ...amounts,
    providerRefundId: providerRefundId ?? null,
    issuedOn: issuedOn ?? londonDay(now),
    takesPlaceOf: providerRefundId === undefined ? null : leftOutNumberOf(ctx, 'credit_note', providerRefundId),
    createdAt: now.toISOString(),
  })
}
