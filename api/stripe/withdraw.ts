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
    if (invoice.id !== undefined && invoice.status === 'open') await ctx.stripe.invoices.voidInvoice(invoice.id)
  }
  const subscription = await ctx.stripe.subscriptions.retrieve(subscriptionId)
  if (subscription.status !== 'canceled' && subscription.status !== 'incomplete_expired') {
    await ctx.stripe.subscriptions.cancel(subscriptionId)
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
