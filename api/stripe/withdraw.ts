import Stripe from 'stripe'
import type { Context } from '../context.ts'

/**
 * Takes a subscription back at the provider: its open first invoice is voided, the subscription cancelled, and whatever it
 * has charged refunded whole.
 */
export async function withdrawSubscription(ctx: Context, subscriptionId: string): Promise<void> {
  const invoices = await ctx.stripe.invoices
    .list({ subscription: subscriptionId, limit: 100 })
    .autoPagingToArray({ limit: 1000 })
  for (const invoice of invoices) {
    const { id, status } = invoice
    if (id !== undefined && status === 'open') await unlessSettled(() => ctx.stripe.invoices.voidInvoice(id))
  }
  const subscription = await ctx.stripe.subscriptions.retrieve(subscriptionId)
  if (subscription.status !== 'canceled' && subscription.status !== 'incomplete_expired') {
    await unlessSettled(() => ctx.stripe.subscriptions.cancel(subscriptionId))
  }
  for (const invoice of invoices) {
    if (invoice.id === undefined || invoice.status !== 'paid' || invoice.amount_paid === 0) continue
    const { data } = await ctx.stripe.invoicePayments.list({ invoice: invoice.id, status: 'paid' })
    for (const { id, payment } of data) {
      const paymentIntent =
        typeof payment.payment_intent === 'string' ? payment.payment_intent : payment.payment_intent?.id
      if (paymentIntent === undefined) continue
      await ctx.stripe.refunds.create(
        { payment_intent: paymentIntent, reason: 'duplicate' },
        { idempotencyKey: `withdraw:${id}` },
      )
    }
  }
}

/** Two readings may withdraw the same thing at once: the provider refuses the second, which is as good as done. */
async function unlessSettled(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  }
}
