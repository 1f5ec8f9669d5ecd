import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { type Amounts, creditNoteAmounts, remainingAmounts } from '#shared/rules/credit-note.ts'
import { carryOverRefunds, creditRemainder, issueCreditNotes } from './credit-note-service.ts'
import { issueInvoice } from './issue-service.ts'
import { areNumbersOpen } from './left-out-numbers-service.ts'
import { particularsOf } from './particulars-rules.ts'
import {
  creditedAmounts,
  failedRefundsWithNote,
  type InvoiceRow,
  isRemoved,
  newestInvoices,
  paymentOf,
  refundedAmount,
} from './queries.ts'

/** Reissues invoices that lacked an address, once there is one. Skips fully refunded ones. Returns how many. */
export function reissueWithAddress(ctx: Context, { id }: { id: string }): number {
  if (areNumbersOpen(ctx)) return 0
  return transact(ctx, () => {
    const incomplete = newestInvoices(ctx, id).filter((invoice) => canGetAddress(ctx, invoice))
    for (const invoice of incomplete) {
      const refunded = creditedAmounts(ctx, invoice.id)
      creditRemainder(ctx, invoice, { kind: 'correction', reason: 'The customer’s address was missing' })
      issueReplacement(ctx, invoice, { isRetroactive: invoice.isRetroactive, refunded })
    }
    return incomplete.length
  })
}

export function canGetAddress(ctx: Context, invoice: InvoiceRow): boolean {
  if (!needsAddress(ctx, invoice)) return false
  const payment = paymentOf(ctx, invoice)
  return payment !== undefined && !particularsOf(ctx, payment).isMissingAddress
}

export const needsAddress = (ctx: Context, invoice: InvoiceRow): boolean =>
  invoice.isMissingAddress && remainingAmounts(invoice, creditedAmounts(ctx, invoice.id)).gross > 0

export type Reissue = { removed: string; anew: string }

/** Every payment must have its VAT invoice. Only the tool that issues missing ones does this. Sends no mail. */
export function reissueRemoved(ctx: Context, customer: { id: string }): Reissue[] {
  if (areNumbersOpen(ctx)) return []
  return transact(ctx, () => {
    const removed = newestInvoices(ctx, customer.id).filter((invoice) => isRemoved(ctx, invoice))
    const reissues = removed.flatMap((invoice) => {
      const refunded = creditedAmounts(ctx, invoice.id, 'removal')
      const anew = issueReplacement(ctx, invoice, { isRetroactive: true, refunded })
      return anew === null ? [] : [{ removed: invoice.number, anew: anew.number }]
    })
    issueCreditNotes(ctx, customer)
    return reissues
  })
}

/** A refund may fail after its credit note was issued. Then this reissues the invoice and credits only what's refunded. */
export function reissueAfterFailedRefunds(ctx: Context, { id }: { id: string }): void {
  if (areNumbersOpen(ctx)) return
  if (failedRefundsWithNote.get(ctx, { customerId: id }) === undefined) return
  for (const invoice of newestInvoices(ctx, id)) {
    const stillRefunded = refundedAmount(ctx, invoice)
    if (isRemoved(ctx, invoice) || creditedAmounts(ctx, invoice.id).gross <= stillRefunded) continue
    creditRemainder(ctx, invoice, { kind: 'correction', reason: 'A refund failed after its credit note was issued' })
    const refunded = creditNoteAmounts(invoice, { net: 0, vat: 0, gross: 0 }, stillRefunded)
    issueReplacement(ctx, invoice, { isRetroactive: invoice.isRetroactive, refunded })
  }
}

/** Credits what's left of an invoice, giving this reason, and reissues it. Null if its payment is unknown. */
export function replaceInvoice(ctx: Context, invoice: InvoiceRow, reason: string): InvoiceRow | null {
  const payment = paymentOf(ctx, invoice)
  if (payment === undefined) return null
  const refunded = creditedAmounts(ctx, invoice.id)
  creditRemainder(ctx, invoice, { kind: 'correction', reason })
  // Goodwill may have paid all of it, which leaves nothing to invoice.
  if (payment.total === 0) return null
  return issueReplacement(ctx, invoice, { isRetroactive: invoice.isRetroactive, refunded })
}

function issueReplacement(
  ctx: Context,
  invoice: InvoiceRow,
  { isRetroactive, refunded }: { isRetroactive: boolean; refunded: Amounts },
): InvoiceRow | null {
  const payment = paymentOf(ctx, invoice)
  if (payment === undefined) return null
  const anew = issueInvoice(ctx, payment, { isRetroactive, replacesId: invoice.id })
  carryOverRefunds(ctx, invoice, { invoice: anew, amounts: refunded })
  return anew
}
