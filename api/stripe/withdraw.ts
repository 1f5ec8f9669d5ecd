import type Stripe from 'stripe'
import type { Context } from '../context.ts'
import { isRefusal } from './failures.ts'

/**
 * Takes a subscription back at the provider: what is open is voided, what it has charged refunded whole, then it is
 * cancelled. Invoices are read once more after that: one may have been paid in the meantime. Every step may be repeated.
 */
export async function withdrawSubscription(
  ctx: Context,
  subscriptionId: string,
  reason: RefundReason = 'duplicate',
): Promise<void> {
  await settleInvoices(ctx, subscriptionId, reason)
  const { status } = await ctx.stripe.subscriptions.retrieve(subscriptionId)
  if (isLive(status)) await unlessSettled(() => ctx.stripe.subscriptions.cancel(subscriptionId))
  await settleInvoices(ctx, subscriptionId, reason)
}

type RefundReason = 'duplicate' | 'requested_by_customer'

async function settleInvoices(ctx: Context, subscription: string, reason: RefundReason): Promise<void> {
  const invoices = await ctx.stripe.invoices.list({ subscription, limit: 100 }).autoPagingToArray({ limit: 1000 })
  for (const { id, status, amount_paid: paid } of invoices) {
    if (id === undefined) continue
    if (status === 'open') await unlessSettled(() => ctx.stripe.invoices.voidInvoice(id))
    if (status === 'paid' && paid > 0) await refundWhole(ctx, id, reason)
  }
}

async function refundWhole(ctx: Context, invoice: string, reason: RefundReason): Promise<void> {
  const { data } = await ctx.stripe.invoicePayments.list({ invoice, status: 'paid' })
  for (const { id, payment } of data) {
    const intent = typeof payment.payment_intent === 'string' ? payment.payment_intent : payment.payment_intent?.id
    if (intent === undefined) continue
    const refund = { payment_intent: intent, reason }
    // Refused where it was refunded before, which is as good as done.
    await unlessSettled(() => ctx.stripe.refunds.create(refund, { idempotencyKey: `withdraw:${id}` }))
  }
}

/**
 * Ends a subscription that nobody has paid: its first invoice is voided, which the provider refuses once it is paid, or the
 * set-up of a trial's card cancelled, which it refuses once that has succeeded; then it is cancelled. A paid or settled one
 * is left alone. Returns its customer.
 */
export async function cancelUnpaid(ctx: Context, subscriptionId: string): Promise<string> {
  const isUnpaid = await voidUnpaid(ctx, subscriptionId)
  const subscription = await ctx.stripe.subscriptions.retrieve(subscriptionId)
  if (isUnpaid && isLive(subscription.status) && (await endSetup(ctx, subscription))) {
    await unlessSettled(() => ctx.stripe.subscriptions.cancel(subscriptionId))
  }
  return idOf(subscription.customer)
}

/** Whether no card was attached to a trial, and now none can be any more. */
async function endSetup(ctx: Context, subscription: Stripe.Subscription): Promise<boolean> {
  const { status, pending_setup_intent: pending, default_payment_method: method } = subscription
  if (status !== 'trialing') return true
  if (method !== null) return false
  if (pending === null) return true
  const setup = await ctx.stripe.setupIntents.retrieve(idOf(pending))
  if (setup.status === 'canceled') return true
  try {
    await ctx.stripe.setupIntents.cancel(setup.id)
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

const idOf = (thing: string | { id: string }) => (typeof thing === 'string' ? thing : thing.id)

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
