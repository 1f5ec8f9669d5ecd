import type { Invoice, Subscription } from '#api/sandbox/store/billing-objects.ts'
import { get, type Work } from '#api/sandbox/store/context.ts'
import type { PaymentIntent, PaymentMethod } from '#api/sandbox/store/payment-objects.ts'
import { findObject, saveObject } from '#api/sandbox/store/store.ts'
import { subscriptionIdOf } from './invoice-draft.ts'
import { finalizeInvoice, markAttempted, markPaid, saveInvoice } from './invoices.ts'
import { chargeIntent } from './payment-intents.ts'
import { afterFailed, afterLastRetry, afterPaid } from './subscription-state.ts'

const secondsPerDay = 86_400

function firstOf(work: Work, customerId: string, ids: (string | null | undefined)[]): PaymentMethod | null {
  const customer = findObject(work.store, 'customer', customerId)
  const id = [...ids, customer?.invoice_settings.default_payment_method].find((each) => each) ?? ''
  const method = findObject(work.store, 'payment_method', id)
  return method?.customer === customerId ? method : null
}

/** Stripe's order: the invoice's own, the subscription's, the customer's. */
export function methodOf(work: Work, invoice: Invoice): PaymentMethod | null {
  const subscription = findObject(work.store, 'subscription', subscriptionIdOf(invoice) ?? '')
  return firstOf(work, invoice.customer, [invoice.default_payment_method, subscription?.default_payment_method])
}

export function methodOfSubscription(work: Work, subscription: Subscription): PaymentMethod | null {
  return firstOf(work, subscription.customer, [subscription.default_payment_method])
}

/** Everything that follows from one attempt on a PaymentIntent: its invoice and its subscription change with it. */
export function afterAttempt(work: Work, intent: PaymentIntent): void {
  const invoice = findObject(work.store, 'invoice', intent.hidden.invoice ?? '')
  if (invoice === null || invoice.status === 'paid' || invoice.status === 'void') return
  if (intent.status === 'succeeded') {
    const paid = markPaid(work, invoice)
    afterPaid(work, paid, intent.payment_method)
    return
  }
  afterFailed(work, markAttempted(work, invoice, intent))
}

/** Takes the invoice's money from this card and lets everything follow. */
export function payInvoice(work: Work, invoice: Invoice, method: PaymentMethod, offSession: boolean): PaymentIntent {
  const intent = get(work, 'payment_intent', invoice.hidden.paymentIntent ?? '')
  const ready = saveObject(work.store, { ...intent, hidden: { ...intent.hidden, offSession } })
  const tried = chargeIntent(work, ready, method)
  afterAttempt(work, tried)
  return tried
}

/** Plans the next automatic attempt after a failed one, or gives up as the settings say. */
function planRetry(work: Work, invoice: Invoice): void {
  const firstFailure = invoice.hidden.firstFailure ?? work.now
  const attempts = invoice.hidden.attempts + 1
  const days = work.settings.retryDays[attempts - 1]
  saveInvoice(work, {
    ...invoice,
    next_payment_attempt: days === undefined ? null : Math.max(firstFailure + days * secondsPerDay, work.now + 1),
    hidden: { ...invoice.hidden, firstFailure, attempts },
  })
  if (days === undefined) afterLastRetry(work, invoice)
}

/** An automatic attempt on an open invoice: at a renewal, and at each retry. */
export function collect(work: Work, invoice: Invoice): void {
  const method = methodOf(work, invoice)
  if (method === null) afterFailed(work, markAttempted(work, invoice, null))
  else payInvoice(work, invoice, method, true)
  const after = get(work, 'invoice', invoice.id)
  if (after.status === 'open') planRetry(work, after)
}

/** A renewal draft whose time has come. */
export function finalizeAndCollect(work: Work, draft: Invoice): void {
  const open = finalizeInvoice(work, draft, methodOf(work, draft)?.id ?? null)
  if (open.status === 'open') collect(work, open)
  else afterPaid(work, open, null)
}
