import type { Context } from '../context.ts'
import { isRefusal } from './failures.ts'

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
  if (isLive(subscription.status)) {
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

/**
 * Ends a subscription that nobody has paid: its first invoice is voided, which the provider refuses once it is paid, then
 * it is cancelled. A paid one is left alone. Returns its customer.
 */
export async function cancelUnpaid(ctx: Context, subscriptionId: string): Promise<string> {
  const isUnpaid = await voidUnpaid(ctx, subscriptionId)
  const { status, customer } = await ctx.stripe.subscriptions.retrieve(subscriptionId)
  if (isUnpaid && isLive(status)) await unlessSettled(() => ctx.stripe.subscriptions.cancel(subscriptionId))
  return typeof customer === 'string' ? customer : customer.id
}

const isLive = (status: string) => status !== 'canceled' && status !== 'incomplete_expired'

/** Whether nothing was paid, and now can be no more. */
async function voidUnpaid(ctx: Context, subscription: string): Promise<boolean> {
  const invoices = await ctx.stripe.invoices.list({ subscription, limit: 100 })
  if (invoices.data.some(({ status, amount_paid: paid }) => status === 'paid' && paid > 0)) return false
  try {
    for (const { id, status } of invoices.data) {
      if (id !== undefined && status === 'open') await ctx.stripe.invoices.voidInvoice(id)
    }
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** Two readings may withdraw the same thing at once: the provider refuses the second, which is as good as done. */
async function unlessSettled(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}
