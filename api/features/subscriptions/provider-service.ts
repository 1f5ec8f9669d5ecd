import type Stripe from 'stripe'
import type { HasStripe } from '#api/stripe/client.ts'
import { findCustomerState } from '#api/stripe/customers.ts'
import { isRejectedByStripe } from '#api/stripe/errors.ts'
import { idOf } from '#api/stripe/ids-and-times.ts'
import { listInvoicesOfSubscription, voidInvoiceIfOpen } from '#api/stripe/invoices.ts'
import { cancelSetupIntent } from '#api/stripe/payment-methods.ts'
import { type RefundReason, refundInvoiceInFull } from '#api/stripe/refunds.ts'
import { cancelWaitingStarts, releaseSchedule } from '#api/stripe/schedules.ts'
import { cancelSubscription, cancelSubscriptionIfLive, listSubscriptions } from '#api/stripe/subscriptions.ts'
import { isLive } from '#shared/rules/membership.ts'

/* The ways a subscription ends at the provider. Our rows follow with the next sync. All are safe to repeat. */

/** Cancels a booked tier change too, because its schedule would decide when the subscription ends. */
export async function cancelAtPeriodEnd(ctx: HasStripe, subscriptionId: string): Promise<void> {
  await releaseSchedule(ctx, subscriptionId)
  await ctx.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
}

/** Ends a subscription now and voids its open invoices. The customer's next sync voids its drafts. */
export async function endSubscription(ctx: HasStripe, subscription: string): Promise<void> {
  const { data: open } = await ctx.stripe.invoices.list({ subscription, status: 'open', limit: 100 })
  await cancelSubscription(ctx, subscription)
  for (const { id } of open) if (id !== undefined) await voidOrRefundInvoice(ctx, id)
}

/** An invoice paid at the last moment bought nothing, so it's refunded. */
async function voidOrRefundInvoice(ctx: HasStripe, invoice: string): Promise<void> {
  await voidInvoiceIfOpen(ctx, invoice)
  const { status } = await ctx.stripe.invoices.retrieve(invoice)
  if (status === 'paid') await refundInvoiceInFull(ctx, invoice, 'requested_by_customer')
}

/** Ends all a customer's live subscriptions and what's to begin later, even ones our rows don't know. False if the provider has no such customer. */
export async function endAllSubscriptions(ctx: HasStripe, customer: string): Promise<boolean> {
  if ((await findCustomerState(ctx, customer)) === 'missing') return false
  // First, so that none begins meanwhile.
  await cancelWaitingStarts(ctx, customer)
  for (const { id, status } of await listSubscriptions(ctx, customer)) {
    if (status === 'incomplete') await endIncompleteSubscription(ctx, id)
    else if (isLive(status)) await endSubscription(ctx, id)
  }
  return true
}

async function endIncompleteSubscription(ctx: HasStripe, subscription: string): Promise<void> {
  await cancelIfUnpaid(ctx, subscription)
  await refundAndCancel(ctx, subscription)
}

/**
 * Reads the invoices again after refunding, because one may have been paid in between. Throws if a refund is refused, without
 * cancelling. Calls `onRefunded` once all refunds are done.
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

/** Cancels first, so that a duplicate can't charge again even if its refund is refused. Throws on a refused refund. */
export async function cancelAndRefundDuplicate(ctx: HasStripe, subscriptionId: string): Promise<void> {
  await cancelSubscriptionIfLive(ctx, subscriptionId)
  await voidAndRefundInvoices(ctx, subscriptionId, 'duplicate')
  await voidAndRefundInvoices(ctx, subscriptionId, 'duplicate')
}

async function voidAndRefundInvoices(ctx: HasStripe, subscription: string, reason: RefundReason): Promise<void> {
  for (const { id, status } of await listInvoicesOfSubscription(ctx, subscription)) {
    if (id === undefined) continue
    if (status === 'open') await voidInvoiceIfOpen(ctx, id)
    if (status === 'paid') await refundInvoiceInFull(ctx, id, reason)
  }
}

/**
 * First voids the invoice or cancels the trial's card setup, which the provider refuses once it's paid or done. Then leaves the
 * subscription alone. Returns its customer.
 */
export async function cancelIfUnpaid(ctx: HasStripe, subscriptionId: string): Promise<string> {
  const isUnpaid = await voidFirstInvoice(ctx, subscriptionId)
  const subscription = await ctx.stripe.subscriptions.retrieve(subscriptionId)
  if (isUnpaid && isLive(subscription.status) && (await preventSetup(ctx, subscription))) {
    await cancelSubscription(ctx, subscriptionId)
  }
  return idOf(subscription.customer)
}

/** Whether it's unpaid and can no longer be paid. */
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

/** Whether a trial has no card and can no longer get one. */
async function preventSetup(ctx: HasStripe, subscription: Stripe.Subscription): Promise<boolean> {
  const { status, pending_setup_intent: pending, default_payment_method: method } = subscription
  if (status !== 'trialing') return true
  if (method !== null) return false
  if (pending === null) return true
  const setup = await ctx.stripe.setupIntents.retrieve(idOf(pending))
  return setup.status === 'canceled' || cancelSetupIntent(ctx, setup.id)
}
