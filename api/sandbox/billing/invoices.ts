import { invalid } from '#api/sandbox/errors.ts'
import type { Invoice, InvoicePayment } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { allObjects } from '#api/sandbox/store/lists.ts'
import type { Customer, PaymentIntent } from '#api/sandbox/store/payment-objects.ts'
import { findObject, insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { setTimers, type Timer } from '#api/sandbox/store/timers.ts'
import { emitEvent } from '#api/sandbox/webhooks/events.ts'
import { applyBalance, unapplyBalance } from './balances.ts'
import { subscriptionIdOf } from './invoice-draft.ts'
import { cancelPaymentIntent, createPaymentIntent } from './payment-intents.ts'
import { billingMethodTypes } from './payment-method-types.ts'

function timersOf(invoice: Invoice): Timer[] {
  if (!invoice.auto_advance) return []
  if (invoice.status === 'draft' && invoice.automatically_finalizes_at !== null) {
    return [{ kind: 'finalize', at: invoice.automatically_finalizes_at }]
  }
  if (invoice.status === 'open' && invoice.next_payment_attempt !== null) {
    return [{ kind: 'retry', at: invoice.next_payment_attempt }]
  }
  return []
}

export function insertDraft(ctx: Context, invoice: Invoice): Invoice {
  insertObject(ctx.store, invoice)
  setTimers(ctx.store, invoice.id, timersOf(invoice))
  emitEvent(ctx, 'invoice.created', invoice)
  return invoice
}

export function saveInvoice(ctx: Context, invoice: Invoice): Invoice {
  setTimers(ctx.store, invoice.id, timersOf(invoice))
  return saveObject(ctx.store, invoice)
}

function takeInvoiceNumber(ctx: Context, customer: Customer): string {
  saveObject(ctx.store, { ...customer, next_invoice_sequence: customer.next_invoice_sequence + 1 })
  return `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`
}

function createInvoicePayment(ctx: Context, invoice: Invoice, method: string | null): PaymentIntent {
  const ofSubscription = subscriptionIdOf(invoice) !== null
  const renewal = invoice.billing_reason === 'subscription_cycle'
  const intent = createPaymentIntent(ctx, {
    ...billingMethodTypes(invoice.payment_settings.payment_method_types),
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: invoice.customer,
    description: ofSubscription ? `Subscription ${renewal ? 'update' : 'creation'}` : `Payment for Invoice`,
    metadata: {},
    receipt_email: null,
    setup_future_usage: ofSubscription ? 'off_session' : null,
    payment_method: method,
    hidden: { invoice: invoice.id, renewal, returnUrl: null, offSession: false, mustNotAsk: false },
  })
  insertObject(ctx.store, {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: ctx.now,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  })
  return intent
}

/** Opens a draft with a PaymentIntent, or marks it paid if nothing is due. `method` is the expected payment method. */
export function finalizeInvoice(ctx: Context, draft: Invoice, method: string | null): Invoice {
  if (draft.status !== 'draft') {
    throw invalid('This invoice is already finalized, you cannot re-finalize a non-draft invoice.', {
      code: 'invoice_not_editable',
    })
  }
  const page = `${ctx.pagesUrl}/invoice/${draft.id}`
  const open: Invoice = {
    ...applyBalance(ctx, draft),
    status: 'open',
    automatically_finalizes_at: null,
    next_payment_attempt: null,
    effective_at: draft.effective_at ?? ctx.now,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    number: draft.number ?? takeInvoiceNumber(ctx, getObject(ctx, 'customer', draft.customer)),
    status_transitions: { ...draft.status_transitions, finalized_at: ctx.now },
  }
  saveInvoice(ctx, open)
  emitEvent(ctx, 'invoice.finalized', open)
  if (open.amount_due === 0) return markPaid(ctx, open)
  const intent = createInvoicePayment(ctx, open, method)
  return saveInvoice(ctx, { ...open, hidden: { ...open.hidden, paymentIntent: intent.id } })
}

function updateOpenPayments(ctx: Context, invoice: Invoice, change: (payment: InvoicePayment) => InvoicePayment): void {
  for (const payment of allObjects(ctx, 'invoice_payment', { invoice: invoice.id, status: 'open' })) {
    const changed = saveObject(ctx.store, change(payment))
    if (changed.status === 'paid') emitEvent(ctx, 'invoice_payment.paid', changed)
  }
}

/** Marks the invoice paid: by its PaymentIntent, outside Stripe, or because nothing was due. */
export function markPaid(ctx: Context, invoice: Invoice, outside = false): Invoice {
  if (outside) cancelOpenPayment(ctx, invoice, 'automatic')
  else {
    updateOpenPayments(ctx, invoice, (payment) => ({
      ...payment,
      amount_paid: payment.amount_requested,
      status: 'paid',
      status_transitions: { canceled_at: null, paid_at: ctx.now },
    }))
  }
  const paid = saveInvoice(ctx, {
    ...invoice,
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_paid_off_stripe: outside ? invoice.amount_due : 0,
    amount_remaining: 0,
    attempt_count: invoice.attempt_count + (outside || invoice.amount_due === 0 ? 0 : 1),
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: ctx.now },
  })
  emitEvent(ctx, 'invoice.paid', paid)
  emitEvent(ctx, 'invoice.payment_succeeded', paid)
  return paid
}

/** Records an attempt that didn't pay the invoice. `intent` is null if there was no payment method to try. */
export function markAttempted(ctx: Context, invoice: Invoice, intent: PaymentIntent | null): Invoice {
  const waits = intent?.status === 'requires_action'
  const isAutomatic = intent === null || intent.hidden.offSession
  // Any first attempt counts. After it only automatic ones do.
  const counts = isAutomatic || (!waits && invoice.attempt_count === 0)
  const attempted = saveInvoice(ctx, {
    ...invoice,
    attempted: true,
    attempt_count: invoice.attempt_count + (counts ? 1 : 0),
  })
  if (waits) emitEvent(ctx, 'invoice.payment_action_required', attempted)
  if (!waits || intent.hidden.offSession) emitEvent(ctx, 'invoice.payment_failed', attempted)
  return attempted
}

function cancelOpenPayment(ctx: Context, invoice: Invoice, reason: string): void {
  updateOpenPayments(ctx, invoice, (payment) => ({
    ...payment,
    status: 'canceled',
    status_transitions: { canceled_at: ctx.now, paid_at: null },
  }))
  const intent = findObject(ctx.store, 'payment_intent', invoice.hidden.paymentIntent ?? '')
  if (intent !== null && intent.status !== 'succeeded' && intent.status !== 'canceled') {
    cancelPaymentIntent(ctx, intent, reason)
  }
}

export function voidInvoice(ctx: Context, invoice: Invoice): Invoice {
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
    throw invalid(`You can only void an invoice that is open or uncollectible. This invoice is ${invoice.status}.`)
  }
  cancelOpenPayment(ctx, invoice, 'void_invoice')
  unapplyBalance(ctx, invoice)
  const voided = saveInvoice(ctx, {
    ...invoice,
    status: 'void',
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, voided_at: ctx.now },
  })
  emitEvent(ctx, 'invoice.voided', voided)
  return voided
}

export function markUncollectible(ctx: Context, invoice: Invoice): Invoice {
  if (invoice.status !== 'open') {
    throw invalid(`You can only mark an open invoice as uncollectible. This invoice is ${invoice.status}.`)
  }
  const written = saveInvoice(ctx, {
    ...invoice,
    status: 'uncollectible',
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, marked_uncollectible_at: ctx.now },
  })
  emitEvent(ctx, 'invoice.marked_uncollectible', written)
  return written
}

/** Stops automatic collection without changing the invoice's status. */
export function stopCollecting(ctx: Context, invoice: Invoice): void {
  if (invoice.status !== 'open' && invoice.status !== 'draft') return
  saveInvoice(ctx, { ...invoice, auto_advance: false, next_payment_attempt: null, automatically_finalizes_at: null })
}
