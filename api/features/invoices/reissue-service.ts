import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { type Amounts, creditOf, leftOf } from '#shared/rules/credit-note.ts'
import { carryRefunds, creditedOf, creditRest, issueCreditNotes } from './credit-note-service.ts'
import { issueInvoice } from './issue-service.ts'
import { type InvoiceRow, particularsOf } from './particulars-rules.ts'
import { isRemoved, newestInvoices } from './queries.ts'

/**
 * Puts right the customer's invoices that were issued without an address, once there is one: each is taken back by a credit
 * note and issued anew. One of which nothing is left, because all was refunded, stays. Returns how many were put right.
 */
export function reissueWithAddress(ctx: Context, { id }: { id: string }): number {
  return transact(ctx, () => {
    const wrong = newestInvoices(ctx, id).filter((invoice) => canGetAddress(ctx, invoice))
    for (const invoice of wrong) mend(ctx, invoice)
    return wrong.length
  })
}

/** Flagged, not all refunded, and with an address by now. */
export function canGetAddress(ctx: Context, invoice: InvoiceRow): boolean {
  if (!invoice.isMissingAddress || leftOf(invoice, creditedOf(ctx, invoice.id)).gross === 0) return false
  const payment = paymentOf(ctx, invoice)
  return payment !== undefined && !particularsOf(ctx, payment).isMissingAddress
}

function mend(ctx: Context, invoice: InvoiceRow): void {
  const refunded = creditedOf(ctx, invoice.id)
  creditRest(ctx, invoice, { kind: 'correction', reason: 'The customer’s address was missing' })
  replace(ctx, invoice, { isRetroactive: invoice.isRetroactive, refunded })
}

/** An invoice that an owner had removed, and the one that stands in its place now. */
export type Reissue = { removed: string; anew: string }

/**
 * Issues anew what an owner had removed, since every payment has to have its VAT invoice: only the tool that issues missing
 * ones does. The member hears nothing of it: nothing about his payment has changed.
 */
export function reissueRemoved(ctx: Context, customer: { id: string }): Reissue[] {
  return transact(ctx, () => {
    const removed = newestInvoices(ctx, customer.id).filter((invoice) => isRemoved(ctx, invoice))
    const reissues = removed.flatMap((invoice) => {
      const refunded = creditedOf(ctx, invoice.id, 'removal')
      const anew = replace(ctx, invoice, { isRetroactive: true, refunded })
      return anew === null ? [] : [{ removed: invoice.number, anew: anew.number }]
    })
    issueCreditNotes(ctx, customer)
    return reissues
  })
}

/**
 * A refund may fail days after it went through; its credit note stands. What was credited beyond the refunds that hold is put
 * right by issuing the invoice anew, with their sum alone taken off it.
 */
export function reissueAfterFailedRefunds(ctx: Context, { id }: { id: string }): void {
  const hasFailed = ctx.sqlite
    .prepare(
      `select 1 from provider_refunds join credit_notes on providerRefundId = provider_refunds.id
       where customerId = ? and status in ('failed', 'canceled')`,
    )
    .get(id)
  if (hasFailed === undefined) return
  for (const invoice of newestInvoices(ctx, id)) {
    const held = refundedOf(ctx, invoice)
    if (isRemoved(ctx, invoice) || creditedOf(ctx, invoice.id).gross <= held) continue
    creditRest(ctx, invoice, { kind: 'correction', reason: 'A refund failed after its credit note was issued' })
    const refunded = creditOf(invoice, { net: 0, vat: 0, gross: 0 }, held)
    replace(ctx, invoice, { isRetroactive: invoice.isRetroactive, refunded })
  }
}

/** Pence of the invoice's payment that went back, for good as far as is known. */
const refundedOf = (ctx: Context, { providerInvoiceId }: InvoiceRow): number =>
  ctx.sqlite
    .prepare<[string | null], { amount: number }>(
      `select coalesce(sum(amount), 0) as amount from provider_refunds where providerInvoiceId = ? and status = 'succeeded'`,
    )
    .get(providerInvoiceId)?.amount ?? 0

function replace(
  ctx: Context,
  invoice: InvoiceRow,
  how: { isRetroactive: boolean; refunded: Amounts },
): InvoiceRow | null {
  const payment = paymentOf(ctx, invoice)
  if (payment === undefined) return null
  const anew = issueInvoice(ctx, payment, { isRetroactive: how.isRetroactive, replacesId: invoice.id })
  carryRefunds(ctx, invoice, { invoice: anew, amounts: how.refunded })
  return anew
}

const paymentOf = (ctx: Context, { providerInvoiceId }: InvoiceRow) =>
  providerInvoiceId === null
    ? undefined
    : ctx.db.select().from(providerInvoices).where(eq(providerInvoices.id, providerInvoiceId)).get()
