import type { Context } from '#api/context.ts'
import { whenWritable } from '#api/db/busy.ts'
import { AppError } from '#api/errors.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { findCustomer, findOpenInvoice } from '#api/features/subscriptions/queries.ts'
import { billingView, currentBilling } from '#api/features/subscriptions/view-service.ts'
import type { Member } from '#api/identity/person.ts'
import { errorName } from '#api/log.ts'
import { rateLimits, recordHitIfAllowed } from '#api/serving/rate-limits.ts'
import { findNewestInvoice, readInvoiceToPay } from '#api/stripe/invoices.ts'
import { saveCardOfNextPayment } from '#api/stripe/subscriptions.ts'
import type { BillingSubscription, OpenInvoicePayment } from '#shared/contract/billing.ts'
import { assertNotRevoked, withOwnSubscription } from './own-subscription-service.ts'

/** Reads the provider while a first payment is under way, so that polling needs no webhook. Otherwise uses our rows. */
export async function billingSubscription(ctx: Context, person: Member): Promise<BillingSubscription> {
  if (person.access.status !== 'incomplete') return billingView(ctx, person)
  const customer = findCustomer(ctx, person.id)
  if (customer === undefined) return billingView(ctx, person)
  try {
    await whenWritable(ctx)
    if (!recordHitIfAllowed(ctx, rateLimits.providerPolls(person.id))) return billingView(ctx, person)
    await syncCustomer(ctx, customer.stripeCustomerId)
  } catch (error) {
    ctx.log.warn('provider not reached while polling', { name: errorName(error) })
  }
  return currentBilling(ctx, person)
}

/** The invoice Billing shows, else the newest. Each has one payment at the provider, so it's charged once, however often asked. */
export async function payOpenInvoice(ctx: Context, person: Member): Promise<OpenInvoicePayment> {
  assertNotRevoked(person)
  return withOwnSubscription(
    ctx,
    person,
    async ({ id, status }) => {
      if (status === 'incomplete') throw nothingToPay()
      const isOverdue = status === 'past_due' || status === 'unpaid'
      // The newest may be a paid upgrade while an earlier renewal is unpaid.
      const shown = findOpenInvoice(ctx, id, { withDrafts: isOverdue })
      const found = shown?.id ?? (await findNewestInvoice(ctx, id))
      if (found === null) throw nothingToPay()
      const invoice = await readInvoiceToPay(ctx, found)
      const isWaiting = invoice.status === 'open' || invoice.status === 'uncollectible'
      const isPaid = invoice.status === 'paid' && invoice.amountPaid > 0
      if (!(isWaiting || isPaid)) throw nothingToPay()
      const { invoiceId, due, clientSecret } = invoice
      if (isWaiting) await saveCardOfNextPayment(ctx, id)
      const { net, total, fromCredit, vatRate } = shown ?? { ...invoice, fromCredit: 0, vatRate: undefined }
      const price = { net, vat: total - net, total, vatRate, fromCredit, due: isWaiting ? due : total - fromCredit }
      return { invoiceId, clientSecret: isWaiting ? clientSecret : null, ...price }
    },
    { asked: 'offer' },
  )
}

const nothingToPay = () => new AppError('conflict', 'You don’t owe anything.')
