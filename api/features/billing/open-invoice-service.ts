import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import type { Person } from '#api/http/session.ts'
import { findNewestInvoice } from '#api/stripe/invoices.ts'
import { saveCardOfNextPayment } from '#api/stripe/subscriptions.ts'
import type { OpenInvoicePayment } from '#shared/contract/billing.ts'
import { assertNotRevoked, withOwnSubscription } from './own-subscription-service.ts'

/**
 * What the browser pays the newest invoice with. An invoice has one payment at the provider, so however often and wherever
 * this is asked for, it is charged once. Once it is paid, the next reading voids older ones.
 */
export async function payOpenInvoice(ctx: Context, person: Person): Promise<OpenInvoicePayment> {
  assertNotRevoked(person)
  return withOwnSubscription(ctx, person, async ({ id, status }) => {
    const isOverdue = status === 'past_due' || status === 'unpaid'
    const invoice = await findNewestInvoice(ctx, id, { finalises: isOverdue })
    const isWaiting = invoice !== null && (invoice.status === 'open' || invoice.status === 'uncollectible')
    const isPaid = invoice?.status === 'paid' && invoice.amountPaid > 0
    if (invoice === null || status === 'incomplete' || !(isWaiting || isPaid)) {
      throw new AppError('conflict', 'Nothing is waiting to be paid.')
    }
    const { invoiceId, net, total } = invoice
    if (isWaiting) await saveCardOfNextPayment(ctx, id)
    return { invoiceId, clientSecret: isWaiting ? invoice.clientSecret : null, net, vat: total - net, total }
  })
}
