import { and, eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customerCredits } from '#api/db/schema/provider.ts'
import { remainingAmounts } from '#shared/rules/credit-note.ts'
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
  type Payment,
  paymentOf,
  refundedAmount,
} from './queries.ts'

/** Reissues invoices that lacked an address, once there is one. Skips fully refunded ones. Returns how many. */
export function reissueWithAddress(ctx: Context, { id }: { id: string }): number {
  if (areNumbersOpen(ctx)) return 0
  return transact(ctx, () => {
    const incomplete = newestInvoices(ctx, id).filter((invoice) => canGetAddress(ctx, invoice))
    for (const invoice of incomplete) {
      creditRemainder(ctx, invoice, { kind: 'correction', reason: 'The customer’s address was missing' })
      issueReplacement(ctx, invoice)
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

export type Reissue = { removed: string; replacement: string }

/** Every payment must have its VAT invoice. Only the tool that issues missing ones does this. Sends no mail. */
export function reissueRemoved(ctx: Context, customer: { id: string }): Reissue[] {
  if (areNumbersOpen(ctx)) return []
  return transact(ctx, () => {
    const removed = newestInvoices(ctx, customer.id).filter((invoice) => isRemoved(ctx, invoice))
    const reissues = removed.flatMap((invoice) => {
      const replacement = issueReplacement(ctx, invoice, { isRetroactive: true })
      return replacement === null ? [] : [{ removed: invoice.number, replacement: replacement.number }]
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
    issueReplacement(ctx, invoice)
  }
  issueCreditNotes(ctx, { id })
}

/** Reissues what was paid from the balance and no longer says what its payment does, such as when an owner says what credit was. */
export function reissueSetOff(ctx: Context, { id }: { id: string }, reason: string): void {
  const paidFromBalance = new Set(setOffPayments.all(ctx, { customerId: id }).map(({ invoice }) => invoice))
  for (const invoice of newestInvoices(ctx, id)) {
    if (paidFromBalance.has(invoice.providerInvoiceId) && isOutdated(ctx, invoice)) replaceInvoice(ctx, invoice, reason)
  }
}

const setOffPayments = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({ invoice: customerCredits.invoice })
    .from(customerCredits)
    .where(and(eq(customerCredits.customerId, customerId), eq(customerCredits.type, 'applied_to_invoice'))),
)

/** Credited for more than was refunded: goodwill had paid all of it. `payment`: what it is, or what an answer would make it. */
export function isOutdated(
  ctx: Context,
  invoice: InvoiceRow,
  payment: Pick<Payment, 'total' | 'fromCredit'> | undefined = paymentOf(ctx, invoice),
): boolean {
  if (payment === undefined || isRemoved(ctx, invoice)) return false
  const isOther = invoice.gross !== payment.total || invoice.fromCredit !== Math.min(payment.fromCredit, payment.total)
  return isOther || creditedAmounts(ctx, invoice.id).gross > refundedAmount(ctx, invoice)
}

/** Credits what's left of an invoice, giving this reason, and reissues it. Null if its payment is unknown or for nothing. */
export function replaceInvoice(ctx: Context, invoice: InvoiceRow, reason: string): InvoiceRow | null {
  if (paymentOf(ctx, invoice) === undefined) return null
  creditRemainder(ctx, invoice, { kind: 'correction', reason })
  return issueReplacement(ctx, invoice)
}

/** Refunds with a credit note come off the new invoice too. Refunds without one get theirs for the new invoice. */
function issueReplacement(
  ctx: Context,
  invoice: InvoiceRow,
  { isRetroactive }: Pick<InvoiceRow, 'isRetroactive'> = invoice,
): InvoiceRow | null {
  const payment = paymentOf(ctx, invoice)
  // Goodwill may have paid all of it, which leaves nothing to invoice.
  if (payment === undefined || payment.total === 0) return null
  const replacement = issueInvoice(ctx, payment, { isRetroactive, replacesId: invoice.id })
  carryOverRefunds(ctx, invoice, replacement)
  return replacement
}
