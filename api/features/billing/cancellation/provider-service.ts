import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { findCustomerState } from '#api/stripe/customers.ts'
import { errorCodeOf, ignoreIfRefused, isRejectedByStripe } from '#api/stripe/errors.ts'
import { withIdempotencyKey } from '#api/stripe/idempotency.ts'
import { idOf } from '#api/stripe/ids-and-times.ts'
import { releaseSchedule } from '#api/stripe/schedules.ts'
import { isLive } from '#shared/rules/membership.ts'

/** What of a subscription decides how it is ended. */
export type Ending = { id: string; cancelAtPeriodEnd: boolean }

/** No payment after this period's. A booked change of tier would steer the subscription's end, and goes. */
export async function endWithPeriod(ctx: Context, subscriptionId: string): Promise<void> {
  await releaseSchedule(ctx, subscriptionId)
  await ctx.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
}

/** Goes on after all: with the next period it is charged again. */
export async function goOn(ctx: Context, { id, cancelAtPeriodEnd }: Ending): Promise<void> {
  await ctx.stripe.subscriptions.update(id, cancelAtPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' })
}

/**
 * Ends a pause: the provider makes an invoice for a period that begins now, and goes on once that is paid. Nothing is
 * charged by this. While such an invoice is open there is no second one; the key names the one before it, so that two
 * tabs get the same.
 */
export async function endPause(ctx: Context, subscriptionId: string): Promise<void> {
  const expand = ['latest_invoice']
  const { latest_invoice: last, status } = await ctx.stripe.subscriptions.retrieve(subscriptionId, { expand })
  const isAsked = typeof last === 'object' && last?.status === 'open'
  if (status !== 'paused' || isAsked) return
  await withIdempotencyKey(ctx, `resume:${subscriptionId}:${idOf(last)}`, (options) =>
    ctx.stripe.subscriptions.resume(subscriptionId, { payment_behavior: 'resume_on_payment_success' }, options),
  )
}

/**
 * Ends now whatever a customer has that is live, known to our rows or not: nothing more is charged after it. False where the
 * provider has no such customer.
 */
export async function endAllSubscriptions(ctx: Context, customer: string): Promise<boolean> {
  if ((await findCustomerState(ctx, customer)) === 'missing') return false
  const found = await ctx.stripe.subscriptions
    .list({ customer, status: 'all', limit: 100 })
    .autoPagingToArray({ limit: 1000 })
  for (const { id, status } of found) {
    if (status === 'incomplete') await endUnbought(ctx, id)
    else if (isLive(status)) await endNow(ctx, id)
  }
  return true
}

/** Ends a purchase that waits for its payment; one that is paid at the last moment has bought nothing, and goes back. */
async function endUnbought(ctx: Context, subscription: string): Promise<void> {
  await cancelIfUnpaid(ctx, subscription)
  await refundAndCancel(ctx, subscription)
}

/** Ends it now, with what it still asks for. A draft is dropped by the customer's next reading. */
export async function endNow(ctx: Context, subscription: string): Promise<void> {
  const { data: open } = await ctx.stripe.invoices.list({ subscription, status: 'open', limit: 100 })
  await ignoreIfRefused(() => ctx.stripe.subscriptions.cancel(subscription))
  for (const { id } of open) if (id !== undefined) await voidOrRefundInvoice(ctx, id)
}

/**
 * Gives back what a subscription has charged, whole, and voids what is open; once the money is back it is cancelled.
 * Invoices are read once more after that: one may have been paid in the meantime. Throws where a refund is refused, and
 * nothing is cancelled then. Every step may be repeated.
 */
export async function refundAndCancel(ctx: Context, subscriptionId: string): Promise<void> {
  await settleInvoices(ctx, subscriptionId, 'requested_by_customer')
  await cancelLive(ctx, subscriptionId)
  await settleInvoices(ctx, subscriptionId, 'requested_by_customer')
}

/**
 * Takes a second subscription back: it is cancelled first, so that it charges no more even where a refund of what it has
 * charged is refused, which throws. Every step may be repeated.
 */
export async function cancelAndRefundDuplicate(ctx: Context, subscriptionId: string): Promise<void> {
  await cancelLive(ctx, subscriptionId)
  await settleInvoices(ctx, subscriptionId, 'duplicate')
  await settleInvoices(ctx, subscriptionId, 'duplicate')
}

async function cancelLive(ctx: Context, subscriptionId: string): Promise<void> {
  const { status } = await ctx.stripe.subscriptions.retrieve(subscriptionId)
  if (isLive(status)) await ignoreIfRefused(() => ctx.stripe.subscriptions.cancel(subscriptionId))
}

type RefundReason = 'duplicate' | 'requested_by_customer'

async function settleInvoices(ctx: Context, subscription: string, reason: RefundReason): Promise<void> {
  const invoices = await ctx.stripe.invoices.list({ subscription, limit: 100 }).autoPagingToArray({ limit: 1000 })
  for (const { id, status, amount_paid: paid } of invoices) {
    if (id === undefined) continue
    if (status === 'open') await ignoreIfRefused(() => ctx.stripe.invoices.voidInvoice(id))
    if (status === 'paid' && paid > 0) await refundInvoiceInFull(ctx, id, reason)
  }
}

/** Voids a demand of a membership that has ended; one that was paid at the last moment has bought nothing, and goes back. */
export async function voidOrRefundInvoice(ctx: Context, invoice: string): Promise<void> {
  await ignoreIfRefused(() => ctx.stripe.invoices.voidInvoice(invoice))
  const { status, amount_paid: paid } = await ctx.stripe.invoices.retrieve(invoice)
  if (status === 'paid' && paid > 0) await refundInvoiceInFull(ctx, invoice, 'requested_by_customer')
}

/** All that is left of what an invoice took goes back. False where the provider took nothing: it was paid elsewhere. */
export async function refundInvoiceInFull(ctx: Context, invoice: string, reason: RefundReason): Promise<boolean> {
  const { data } = await ctx.stripe.invoicePayments.list({ invoice, status: 'paid' })
  const intents = data.map(({ payment }) => idOf(payment.payment_intent)).filter((intent) => intent !== null)
  for (const payment_intent of intents) await refundRest(ctx, { payment_intent, reason })
  return intents.length > 0
}

/** All that is left of a payment goes back once, however often it is asked: no key, which would keep a refusal for a day. */
async function refundRest(ctx: Context, refund: Stripe.RefundCreateParams): Promise<void> {
  try {
    await ctx.stripe.refunds.create(refund)
  } catch (error) {
    if (errorCodeOf(error) !== 'charge_already_refunded') throw error
  }
}

/**
 * Ends a subscription that nobody has paid: its first invoice is voided, which the provider refuses once it is paid, or the
 * set-up of a trial's card cancelled, which it refuses once that has succeeded; then it is cancelled. A paid or settled one
 * is left alone. Returns its customer.
 */
export async function cancelIfUnpaid(ctx: Context, subscriptionId: string): Promise<string> {
  const isUnpaid = await voidUnpaid(ctx, subscriptionId)
  const subscription = await ctx.stripe.subscriptions.retrieve(subscriptionId)
  if (isUnpaid && isLive(subscription.status) && (await endSetup(ctx, subscription))) {
    await ignoreIfRefused(() => ctx.stripe.subscriptions.cancel(subscriptionId))
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
    if (isRejectedByStripe(error)) return false
    throw error
  }
}

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
    if (isRejectedByStripe(error)) return false
    throw error
  }
}
