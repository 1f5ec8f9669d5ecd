import { invalid } from '#api/sandbox/errors.ts'
import type { Invoice, InvoicePayment } from '#api/sandbox/store/billing-objects.ts'
import { get, type Work } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { allObjects } from '#api/sandbox/store/lists.ts'
import type { Customer, PaymentIntent } from '#api/sandbox/store/payment-objects.ts'
import { findObject, insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { setTimers, type Timer } from '#api/sandbox/store/timers.ts'
import { emit } from '#api/sandbox/webhooks/events.ts'
import { subscriptionIdOf } from './invoice-draft.ts'
import { cancelIntent, createIntent } from './payment-intents.ts'
import { acceptanceOfBilling } from './payment-method-types.ts'

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

export function storeDraft(work: Work, invoice: Invoice): Invoice {
  insertObject(work.store, invoice)
  setTimers(work.store, invoice.id, timersOf(invoice))
  emit(work, 'invoice.created', invoice)
  return invoice
}

export function saveInvoice(work: Work, invoice: Invoice): Invoice {
  setTimers(work.store, invoice.id, timersOf(invoice))
  return saveObject(work.store, invoice)
}

function nextNumber(work: Work, customer: Customer): string {
  saveObject(work.store, { ...customer, next_invoice_sequence: customer.next_invoice_sequence + 1 })
  return `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`
}

function openPayment(work: Work, invoice: Invoice, method: string | null): PaymentIntent {
  const ofSubscription = subscriptionIdOf(invoice) !== null
  const renewal = invoice.billing_reason === 'subscription_cycle'
  const intent = createIntent(work, {
    ...acceptanceOfBilling(invoice.payment_settings.payment_method_types),
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
  insertObject(work.store, {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: work.now,
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

/** Draft → open, with a PaymentIntent to pay it; an invoice over nothing is paid at once. `method` is the expected card. */
export function finalizeInvoice(work: Work, draft: Invoice, method: string | null): Invoice {
  if (draft.status !== 'draft') {
    throw invalid('This invoice is already finalized, you cannot re-finalize a non-draft invoice.', {
      code: 'invoice_not_editable',
    })
  }
  const page = `${work.pagesUrl}/invoice/${draft.id}`
  const open: Invoice = {
    ...draft,
    status: 'open',
    automatically_finalizes_at: null,
    effective_at: draft.effective_at ?? work.now,
    ending_balance: 0,
    hosted_invoice_url: page,
    invoice_pdf: `${page}/pdf`,
    number: draft.number ?? nextNumber(work, get(work, 'customer', draft.customer)),
    status_transitions: { ...draft.status_transitions, finalized_at: work.now },
  }
  saveInvoice(work, open)
  emit(work, 'invoice.finalized', open)
  if (open.amount_due === 0) return markPaid(work, open)
  const intent = openPayment(work, open, method)
  return saveInvoice(work, { ...open, hidden: { ...open.hidden, paymentIntent: intent.id } })
}

function changePayment(work: Work, invoice: Invoice, change: (payment: InvoicePayment) => InvoicePayment): void {
  for (const payment of allObjects(work, 'invoice_payment', { invoice: invoice.id, status: 'open' })) {
    const changed = saveObject(work.store, change(payment))
    if (changed.status === 'paid') emit(work, 'invoice_payment.paid', changed)
  }
}

/** Paid: by its PaymentIntent, outside Stripe, or because nothing was due. */
export function markPaid(work: Work, invoice: Invoice, outside = false): Invoice {
  if (outside) dropIntent(work, invoice, 'automatic')
  else {
    changePayment(work, invoice, (payment) => ({
      ...payment,
      amount_paid: payment.amount_requested,
      status: 'paid',
      status_transitions: { canceled_at: null, paid_at: work.now },
    }))
  }
  const paid = saveInvoice(work, {
    ...invoice,
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_paid_off_stripe: outside ? invoice.amount_due : 0,
    amount_remaining: 0,
    attempt_count: invoice.attempt_count + (outside || invoice.amount_due === 0 ? 0 : 1),
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: work.now },
  })
  emit(work, 'invoice.paid', paid)
  emit(work, 'invoice.payment_succeeded', paid)
  return paid
}

/** An attempt that took no money. `nextAttempt` in unix seconds, null when nobody will try by itself. */
export function markAttempted(work: Work, invoice: Invoice, intent: PaymentIntent | null): Invoice {
  const attempted = saveInvoice(work, {
    ...invoice,
    attempted: true,
    attempt_count: invoice.attempt_count + (intent?.status === 'requires_action' && !intent.hidden.offSession ? 0 : 1),
  })
  const waits = intent?.status === 'requires_action'
  if (waits) emit(work, 'invoice.payment_action_required', attempted)
  if (!waits || intent.hidden.offSession) emit(work, 'invoice.payment_failed', attempted)
  return attempted
}

function dropIntent(work: Work, invoice: Invoice, reason: string): void {
  changePayment(work, invoice, (payment) => ({
    ...payment,
    status: 'canceled',
    status_transitions: { canceled_at: work.now, paid_at: null },
  }))
  const intent = findObject(work.store, 'payment_intent', invoice.hidden.paymentIntent ?? '')
  if (intent !== null && intent.status !== 'succeeded' && intent.status !== 'canceled') {
    cancelIntent(work, intent, reason)
  }
}

export function voidInvoice(work: Work, invoice: Invoice): Invoice {
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
    throw invalid(`You can only void an invoice that is open or uncollectible. This invoice is ${invoice.status}.`)
  }
  dropIntent(work, invoice, 'void_invoice')
  const voided = saveInvoice(work, {
    ...invoice,
    status: 'void',
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, voided_at: work.now },
  })
  emit(work, 'invoice.voided', voided)
  return voided
}

export function markUncollectible(work: Work, invoice: Invoice): Invoice {
  if (invoice.status !== 'open') {
    throw invalid(`You can only mark an open invoice as uncollectible. This invoice is ${invoice.status}.`)
  }
  const written = saveInvoice(work, {
    ...invoice,
    status: 'uncollectible',
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, marked_uncollectible_at: work.now },
  })
  emit(work, 'invoice.marked_uncollectible', written)
  return written
}

/** Nobody tries to collect it by itself any more; it stays as it is. */
export function stopCollecting(work: Work, invoice: Invoice): void {
  if (invoice.status !== 'open' && invoice.status !== 'draft') return
  saveInvoice(work, { ...invoice, auto_advance: false, next_payment_attempt: null, automatically_finalizes_at: null })
}
