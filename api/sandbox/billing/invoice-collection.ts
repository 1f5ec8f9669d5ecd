import type { Invoice, Subscription } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import type { PaymentIntent, PaymentMethod } from '#api/sandbox/store/payment-objects.ts'
import { findObject, saveObject } from '#api/sandbox/store/store.ts'
import { subscriptionIdOf } from './invoice-draft.ts'
import { finalizeInvoice, markAttempted, markPaid, saveInvoice } from './invoices.ts'
import { attemptPayment } from './payment-intents.ts'
import { onInvoicePaid, onPaymentFailed, onRetriesExhausted } from './subscription-state.ts'

const secondsPerDay = 86_400

function firstUsableMethod(ctx: Context, customerId: string, ids: (string | null | undefined)[]): PaymentMethod | null {
  const customer = findObject(ctx.store, 'customer', customerId)
  const id = [...ids, customer?.invoice_settings.default_payment_method].find((each) => each) ?? ''
  const method = findObject(ctx.store, 'payment_method', id)
  return method?.customer === customerId ? method : null
}

/** The default payment method in Stripe's order: the invoice's, the subscription's, the customer's. */
export function paymentMethodOf(ctx: Context, invoice: Invoice): PaymentMethod | null {
  const subscription = findObject(ctx.store, 'subscription', subscriptionIdOf(invoice) ?? '')
  return firstUsableMethod(ctx, invoice.customer, [
    invoice.default_payment_method,
    subscription?.default_payment_method,
  ])
}

export function paymentMethodOfSubscription(ctx: Context, subscription: Subscription): PaymentMethod | null {
  return firstUsableMethod(ctx, subscription.customer, [subscription.default_payment_method])
}

export function onPaymentAttempted(ctx: Context, intent: PaymentIntent): void {
  const invoice = findObject(ctx.store, 'invoice', intent.hidden.invoice ?? '')
  if (invoice === null || invoice.status === 'paid' || invoice.status === 'void') return
  if (intent.status === 'succeeded') {
    const paid = markPaid(ctx, invoice)
    onInvoicePaid(ctx, paid, intent.payment_method)
    return
  }
  onPaymentFailed(ctx, markAttempted(ctx, invoice, intent))
}

/** Attempts to pay the invoice with this payment method, and updates what depends on it. */
export function payInvoice(ctx: Context, invoice: Invoice, method: PaymentMethod, offSession: boolean): PaymentIntent {
  const intent = getObject(ctx, 'payment_intent', invoice.hidden.paymentIntent ?? '')
  const ready = saveObject(ctx.store, { ...intent, hidden: { ...intent.hidden, offSession } })
  const tried = attemptPayment(ctx, ready, method)
  onPaymentAttempted(ctx, tried)
  return tried
}

function scheduleRetry(ctx: Context, invoice: Invoice): void {
  const firstFailure = invoice.hidden.firstFailure ?? ctx.now
  const attempts = invoice.hidden.attempts + 1
  const days = ctx.settings.retryDays[attempts - 1]
  saveInvoice(ctx, {
    ...invoice,
    next_payment_attempt: days === undefined ? null : Math.max(firstFailure + days * secondsPerDay, ctx.now + 1),
    hidden: { ...invoice.hidden, firstFailure, attempts },
  })
  if (days === undefined) onRetriesExhausted(ctx, invoice)
}

/** An automatic attempt, at a renewal and at each retry. */
export function attemptCollection(ctx: Context, invoice: Invoice): void {
  const method = paymentMethodOf(ctx, invoice)
  if (method === null) onPaymentFailed(ctx, markAttempted(ctx, invoice, null))
  else payInvoice(ctx, invoice, method, true)
  const after = getObject(ctx, 'invoice', invoice.id)
  if (after.status === 'open') scheduleRetry(ctx, after)
}

export function finalizeAndCollect(ctx: Context, draft: Invoice): void {
  const open = finalizeInvoice(ctx, draft, paymentMethodOf(ctx, draft)?.id ?? null)
  if (open.status === 'open') attemptCollection(ctx, open)
  else onInvoicePaid(ctx, open, null)
}
