import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import type { Person } from '#api/http/session.ts'
import type { OpenInvoicePayment } from '#shared/contract/billing.ts'
import { findNewestInvoice, saveCardOfNextPayment } from './arrears-service.ts'
import { refuseRevoked, withOwnSubscription } from './own-subscription-service.ts'

/**
 * What the browser pays the newest invoice with. An invoice has one payment at the provider, so however often and wherever
 * this is asked for, it is charged once. Once it is paid, older ones are dropped by the next reading.
 */
export async function payOpenInvoice(ctx: Context, person: Person): Promise<OpenInvoicePayment> {
  refuseRevoked(person)
  return withOwnSubscription(ctx, person, async ({ id, status }) => {
    const isOverdue = status === 'past_due' || status === 'unpaid'
    const demand = await findNewestInvoice(ctx, id, { finalises: isOverdue })
    const isWaiting = demand !== null && (demand.status === 'open' || demand.status === 'uncollectible')
    const isPaid = demand?.status === 'paid' && demand.amountPaid > 0
    if (demand === null || status === 'incomplete' || !(isWaiting || isPaid)) {
      throw new AppError('conflict', 'Nothing is waiting to be paid.')
    }
    const { invoiceId, net, total } = demand
    if (isWaiting) {
      await saveCardOfNextPayment(ctx, id)
      audit(ctx, `user:${person.id}`, 'invoice.pay', { targetId: person.id, detail: { invoice: invoiceId, total } })
    }
    return { invoiceId, clientSecret: isWaiting ? demand.clientSecret : null, net, vat: total - net, total }
  })
}
