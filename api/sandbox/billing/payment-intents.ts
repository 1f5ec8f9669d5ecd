import { invalid } from '#api/sandbox/errors.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newClientSecret, newId } from '#api/sandbox/store/ids.ts'
import type {
  AcceptedMethodTypes,
  CardFailure,
  PaymentIntent,
  PaymentMethod,
} from '#api/sandbox/store/payment-objects.ts'
import { insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { emitEvent } from '#api/sandbox/webhooks/events.ts'
import {
  authorize,
  consentUrl,
  declineAfterAuthentication,
  paymentAuthenticationFailed,
  withMethod,
} from './authorization.ts'
import { insertCharge } from './charges.ts'
import { attachUnchecked, recordConsent } from './payment-methods.ts'

export type NewPaymentIntent = AcceptedMethodTypes & {
  amount: number
  currency: string
  customer: string | null
  description: string | null
  metadata: Record<string, string>
  receipt_email: string | null
  setup_future_usage: string | null
  payment_method: string | null
  hidden: PaymentIntent['hidden']
} & Partial<Pick<PaymentIntent, 'capture_method' | 'shipping' | 'statement_descriptor' | 'statement_descriptor_suffix'>>

function unusedIntentFields() {
  return {
    amount_capturable: 0,
    application: null,
    application_fee_amount: null,
    customer_account: null,
    excluded_payment_method_types: null,
    managed_payments: null,
    on_behalf_of: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_record: null,
    processing: null,
    review: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    transfer_group: null,
  }
}

export function createPaymentIntent(ctx: Context, fields: NewPaymentIntent): PaymentIntent {
  const id = newId('pi')
  const intent = insertObject(ctx.store, {
    id,
    object: 'payment_intent',
    ...unusedIntentFields(),
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: newClientSecret(id),
    confirmation_method: 'automatic',
    created: ctx.now,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    next_action: null,
    status: fields.payment_method === null ? 'requires_payment_method' : 'requires_confirmation',
    ...fields,
  })
  emitEvent(ctx, 'payment_intent.created', intent)
  return intent
}

/** Records a successful charge. With `setup_future_usage` the payment method is attached to the customer. */
function markSucceeded(ctx: Context, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const charge = insertCharge(ctx, intent, method, null)
  emitEvent(ctx, 'charge.succeeded', charge)
  if (intent.customer !== null && intent.setup_future_usage !== null) attachUnchecked(ctx, method, intent.customer)
  else if (method.customer === null) saveObject(ctx.store, { ...method, hidden: { ...method.hidden, spent: true } })
  const isHeld = !charge.captured
  const paid = saveObject(ctx.store, {
    ...intent,
    amount_capturable: isHeld ? intent.amount : 0,
    amount_received: isHeld ? 0 : intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: method.id,
    status: isHeld ? ('requires_capture' as const) : ('succeeded' as const),
  })
  emitEvent(ctx, isHeld ? 'payment_intent.amount_capturable_updated' : 'payment_intent.succeeded', paid)
  return paid
}

function requireAction(ctx: Context, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const waiting = saveObject(ctx.store, {
    ...intent,
    last_payment_error: null,
    next_action: {
      type: 'redirect_to_url' as const,
      redirect_to_url: { return_url: intent.hidden.returnUrl, url: consentUrl(ctx, method, intent.id) },
    },
    payment_method: method.id,
    status: 'requires_action' as const,
  })
  emitEvent(ctx, 'payment_intent.requires_action', waiting)
  return waiting
}

function failPaymentIntent(ctx: Context, intent: PaymentIntent, failure: CardFailure): PaymentIntent {
  const failed = saveObject(ctx.store, {
    ...intent,
    last_payment_error: failure,
    latest_charge: failure.charge ?? intent.latest_charge,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method' as const,
  })
  emitEvent(ctx, 'payment_intent.payment_failed', failed)
  return failed
}

export function attemptPayment(ctx: Context, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const verdict = authorize(method, intent.hidden)
  if (verdict === 'approved') return markSucceeded(ctx, intent, method)
  if (verdict === 'needs_authentication') return requireAction(ctx, intent, method)
  return markDeclined(ctx, intent, method, verdict)
}

function markDeclined(ctx: Context, intent: PaymentIntent, method: PaymentMethod, failure: CardFailure): PaymentIntent {
  const charge = insertCharge(ctx, intent, method, failure)
  emitEvent(ctx, 'charge.failed', charge)
  return failPaymentIntent(ctx, intent, { ...withMethod(failure, method), charge: charge.id })
}

export function finishAuthentication(ctx: Context, intent: PaymentIntent, passed: boolean): PaymentIntent {
  const method = getObject(ctx, 'payment_method', intent.payment_method ?? '')
  if (!passed) return failPaymentIntent(ctx, intent, withMethod(paymentAuthenticationFailed, method))
  const refusal = declineAfterAuthentication(method)
  if (refusal !== null) return markDeclined(ctx, intent, method, refusal)
  return markSucceeded(ctx, intent, recordConsent(ctx, method, intent.setup_future_usage !== null))
}

export function cancelPaymentIntent(ctx: Context, intent: PaymentIntent, reason: string | null): PaymentIntent {
  const canceled = saveObject(ctx.store, {
    ...intent,
    canceled_at: ctx.now,
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled' as const,
  })
  emitEvent(ctx, 'payment_intent.canceled', canceled)
  return canceled
}

/** Captures `amount` pence of the held amount, and releases the rest. */
export function capturePaymentIntent(ctx: Context, intent: PaymentIntent, amount: number): PaymentIntent {
  if (intent.status !== 'requires_capture') {
    throw invalid(
      `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`,
      { code: 'payment_intent_unexpected_state' },
    )
  }
  if (amount < 1 || amount > intent.amount_capturable) {
    throw invalid(`The amount to capture must be between 1 and ${intent.amount_capturable}.`, {
      param: 'amount_to_capture',
    })
  }
  const held = getObject(ctx, 'charge', intent.latest_charge ?? '')
  const captured = saveObject(ctx.store, {
    ...held,
    amount_captured: amount,
    amount_refunded: held.amount - amount,
    captured: true,
  })
  emitEvent(ctx, 'charge.captured', captured)
  const paid = saveObject(ctx.store, {
    ...intent,
    amount_capturable: 0,
    amount_received: amount,
    status: 'succeeded' as const,
  })
  emitEvent(ctx, 'payment_intent.succeeded', paid)
  return paid
}

export function releasePaymentIntent(ctx: Context, intent: PaymentIntent, reason: string | null): PaymentIntent {
  if (intent.status === 'requires_capture') {
    const held = getObject(ctx, 'charge', intent.latest_charge ?? '')
    const released = saveObject(ctx.store, { ...held, amount_refunded: held.amount, refunded: true })
    emitEvent(ctx, 'charge.refunded', released, { amount_refunded: 0, refunded: false })
  }
  return cancelPaymentIntent(ctx, { ...intent, amount_capturable: 0 }, reason)
}
