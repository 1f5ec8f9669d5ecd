import type Stripe from 'stripe'
import type { HasStripe } from '#api/stripe/client.ts'
import { findCustomerState } from '#api/stripe/customers.ts'
import { isRejectedByStripe } from '#api/stripe/errors.ts'
import { idOf } from '#api/stripe/ids-and-times.ts'
import { listInvoicesOfSubscription, voidInvoiceIfOpen } from '#api/stripe/invoices.ts'
import { cancelSetupIntent } from '#api/stripe/payment-methods.ts'
import { type RefundReason, refundInvoiceInFull } from '#api/stripe/refunds.ts'
import { releaseSchedule } from '#api/stripe/schedules.ts'
import { cancelSubscription, cancelSubscriptionIfLive, listSubscriptions } from '#api/stripe/subscriptions.ts'
import { isLive } from '#shared/rules/membership.ts'

/*
 * The ways in which a subscription ends at the provider. Our rows follow with the customer's next reading. Every one may
 * be repeated, so that one that was cut short is completed by the next.
 */

/** Nothing is charged after this period. A booked change of tier would decide when the subscription ends, so it is dropped. */
export async function cancelAtPeriodEnd(ctx: HasStripe, subscriptionId: string): Promise<void> {
  await releaseSchedule(ctx, subscriptionId)
  await ctx.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
}

/** Ends a subscription now, and its open invoices with it. The customer's next reading voids its drafts. */
export async function endSubscription(ctx: HasStripe, subscription: string): Promise<void> {
  const { data: open } = await ctx.stripe.invoices.list({ subscription, status: 'open', limit: 100 })
  await cancelSubscription(ctx, subscription)
  for (const { id } of open) if (id !== undefined) await voidOrRefundInvoice(ctx, id)
}

/** An invoice that was paid at the last moment has bought nothing, and is refunded. */
async function voidOrRefundInvoice(ctx: HasStripe, invoice: string): Promise<void> {
  await voidInvoiceIfOpen(ctx, invoice)
  const { status, amount_paid: paid } = await ctx.stripe.invoices.retrieve(invoice)
  if (status === 'paid' && paid > 0) await refundInvoiceInFull(ctx, invoice, 'requested_by_customer')
}

/**
 * Ends now whatever a customer has that is live, whether our rows know it or not: nothing is charged after it. False where
 * the provider has no such customer.
 */
export async function endAllSubscriptions(ctx: HasStripe, customer: string): Promise<boolean> {
  if ((await findCustomerState(ctx, customer)) === 'missing') return false
  for (const { id, status } of await listSubscriptions(ctx, customer)) {
    if (status === 'incomplete') await endIncompleteSubscription(ctx, id)
    else if (isLive(status)) await endSubscription(ctx, id)
  }
  return true
}

/** A first payment that lands at the last moment has bought nothing, and is refunded. */
async function endIncompleteSubscription(ctx: HasStripe, subscription: string): Promise<void> {
  await cancelIfUnpaid(ctx, subscription)
  await refundAndCancel(ctx, subscription)
}

/**
 * Refunds all that a subscription has charged and voids what is open; once the money is back it is cancelled. Its invoices
 * are read again after that, because one may have been paid in the meantime. Throws where a refund is refused, and then
 * nothing is cancelled; `onRefunded` is called once they are all done.
 */
export async function refundAndCancel(
  ctx: HasStripe,
  subscriptionId: string,
  onRefunded: () => void = () => {},
): Promise<void> {
  await voidAndRefundInvoices(ctx, subscriptionId, 'requested_by_customer')
  onRefunded()
  await cancelSubscriptionIfLive(ctx, subscriptionId)
  await voidAndRefundInvoices(ctx, subscriptionId, 'requested_by_customer')
}

/** A duplicate is cancelled first, so that it charges no more even where a refund of what it has charged is refused, which throws. */
export async function cancelAndRefundDuplicate(ctx: HasStripe, subscriptionId: string): Promise<void> {
  await cancelSubscriptionIfLive(ctx, subscriptionId)
  await voidAndRefundInvoices(ctx, subscriptionId, 'duplicate')
  await voidAndRefundInvoices(ctx, subscriptionId, 'duplicate')
}

async function voidAndRefundInvoices(ctx: HasStripe, subscription: string, reason: RefundReason): Promise<void> {
  for (const { id, status, amount_paid: paid } of await listInvoicesOfSubscription(ctx, subscription)) {
    if (id === undefined) continue
    if (status === 'open') await voidInvoiceIfOpen(ctx, id)
    if (status === 'paid' && paid > 0) await refundInvoiceInFull(ctx, id, reason)
  }
}

/**
 * Cancels a subscription that nobody has paid: first its invoice is voided, which the provider refuses once it is paid, or
 * the set-up of a trial's card is cancelled, which it refuses once that has succeeded. A paid or settled one is left as it
 * is. Returns its customer.
 */
export async function cancelIfUnpaid(ctx: HasStripe, subscriptionId: string): Promise<string> {
  const isUnpaid = await voidFirstInvoice(ctx, subscriptionId)
  const subscription = await ctx.stripe.subscriptions.retrieve(subscriptionId)
  if (isUnpaid && isLive(subscription.status) && (await preventSetup(ctx, subscription))) {
    await cancelSubscription(ctx, subscriptionId)
  }
  return idOf(subscription.customer)
}

/** Whether nothing was paid, and from now on nothing can be. */
async function voidFirstInvoice(ctx: HasStripe, subscription: string): Promise<boolean> {
  const { data: invoices } = await ctx.stripe.invoices.list({ subscription, limit: 100 })
  if (invoices.some(({ status, amount_paid: paid }) => status === 'paid' && paid > 0)) return false
  try {
    for (const { id, status } of invoices) {
      if (id !== undefined && status === 'open') await ctx.stripe.invoices.voidInvoice(id)
    }
    return true
  } catch (error) {
    if (isRejectedByStripe(error)) return false
    throw error
  }
}

/** Whether a trial has no card, and from now on cannot get one. */
async function preventSetup(ctx: HasStripe, subscription: Stripe.Subscription): Promise<boolean> {
  const { status, pending_setup_intent: pending, default_payment_method: method } = subscription
  if (status !== 'trialing') return true
  if (method !== null) return false
  if (pending === null) return true
  const setup = await ctx.stripe.setupIntents.retrieve(idOf(pending))
  return setup.status === 'canceled' || cancelSetupIntent(ctx, setup.id)
}
