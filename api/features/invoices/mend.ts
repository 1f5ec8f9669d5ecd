import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { leftOf } from '#shared/rules/credit.ts'
import { isRemoved, newestInvoices } from './chain.ts'
import { carryRefunds, creditedOf, creditRest, issueCreditNotes } from './credit.ts'
import { issueInvoice } from './issue.ts'
import { type InvoiceRow, particularsOf } from './particulars.ts'

/**
 * Puts right the customer's invoices that were issued without an address, once there is one: each is taken back by a credit
 * note and issued anew. One of which nothing is left, because all was refunded, stays. Returns how many were put right.
 */
export function mendMissingAddresses(ctx: Context, { id }: { id: string }): number {
  return transact(ctx, () => {
    const flagged = newestInvoices(ctx, id).filter(
      (invoice) => invoice.isMissingAddress && leftOf(invoice, creditedOf(ctx, invoice.id)).gross > 0,
    )
    return flagged.filter((invoice) => mend(ctx, invoice)).length
  })
}

function mend(ctx: Context, invoice: InvoiceRow): boolean {
  const payment = paymentOf(ctx, invoice)
  if (payment === undefined || particularsOf(ctx, payment).isMissingAddress) return false
  const refunded = creditedOf(ctx, invoice.id)
  creditRest(ctx, invoice, { kind: 'correction', reason: 'The customer’s address was missing' })
  const anew = issueInvoice(ctx, payment, { isRetroactive: invoice.isRetroactive, replacesId: invoice.id })
  carryRefunds(ctx, invoice, { invoice: anew, amounts: refunded })
  return true
}

/** Issues anew what an owner had removed: only the tool that issues missing invoices does. Returns how many. */
export function reissueRemoved(ctx: Context, customer: { id: string }): number {
  return transact(ctx, () => {
    const removed = newestInvoices(ctx, customer.id).filter((invoice) => isRemoved(ctx, invoice))
    for (const invoice of removed) reissue(ctx, invoice)
    issueCreditNotes(ctx, customer)
    return removed.length
  })
}

function reissue(ctx: Context, invoice: InvoiceRow): void {
  const payment = paymentOf(ctx, invoice)
  if (payment === undefined) return
  const anew = issueInvoice(ctx, payment, { isRetroactive: true, replacesId: invoice.id })
  carryRefunds(ctx, invoice, { invoice: anew, amounts: creditedOf(ctx, invoice.id, 'removal') })
}

const paymentOf = (ctx: Context, { providerInvoiceId }: InvoiceRow) =>
  providerInvoiceId === null
    ? undefined
    : ctx.db.select().from(providerInvoices).where(eq(providerInvoices.id, providerInvoiceId)).get()
