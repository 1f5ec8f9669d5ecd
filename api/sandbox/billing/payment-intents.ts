import { invalid } from '#api/sandbox/errors.ts'
import { get, type Work } from '#api/sandbox/store/context.ts'
import { newClientSecret, newId } from '#api/sandbox/store/ids.ts'
import type { Acceptance, CardFailure, PaymentIntent, PaymentMethod } from '#api/sandbox/store/payment-objects.ts'
import { insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { emit } from '#api/sandbox/webhooks/events.ts'
import { consentPage, judge, paymentAuthenticationFailed, refusalInVain, withMethod } from './authorization.ts'
import { insertCharge } from './charges.ts'
import { keepForCustomer, withConsent } from './payment-methods.ts'

export type NewIntent = Acceptance & {
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

/** The fields of an intent that nobody here ever sets. */
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

export function createIntent(work: Work, fields: NewIntent): PaymentIntent {
  const id = newId('pi')
  const intent = insertObject(work.store, {
    id,
    object: 'payment_intent',
    ...unusedIntentFields(),
    amount_received: 0,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: newClientSecret(id),
    confirmation_method: 'automatic',
    created: work.now,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    next_action: null,
    status: fields.payment_method === null ? 'requires_payment_method' : 'requires_confirmation',
    ...fields,
  })
  emit(work, 'payment_intent.created', intent)
  return intent
}

/** Charges, with no more questions: marks the intent paid and keeps the card for later where that was asked for. */
function succeed(work: Work, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const charge = insertCharge(work, intent, method, null)
  emit(work, 'charge.succeeded', charge)
  if (intent.customer !== null && intent.setup_future_usage !== null) keepForCustomer(work, method, intent.customer)
  else if (method.customer === null) saveObject(work.store, { ...method, hidden: { ...method.hidden, spent: true } })
  const isHeld = !charge.captured
  const paid = saveObject(work.store, {
    ...intent,
    amount_capturable: isHeld ? intent.amount : 0,
    amount_received: isHeld ? 0 : intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    payment_method: method.id,
    status: isHeld ? ('requires_capture' as const) : ('succeeded' as const),
  })
  emit(work, isHeld ? 'payment_intent.amount_capturable_updated' : 'payment_intent.succeeded', paid)
  return paid
}

function askForAuthentication(work: Work, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const waiting = saveObject(work.store, {
    ...intent,
    last_payment_error: null,
    next_action: {
      type: 'redirect_to_url' as const,
      redirect_to_url: { return_url: intent.hidden.returnUrl, url: consentPage(work, method, intent.id) },
    },
    payment_method: method.id,
    status: 'requires_action' as const,
  })
  emit(work, 'payment_intent.requires_action', waiting)
  return waiting
}

/** The intent as it is after a failed attempt: without its payment method, with the reason. */
export function failIntent(work: Work, intent: PaymentIntent, failure: CardFailure): PaymentIntent {
  const failed = saveObject(work.store, {
    ...intent,
    last_payment_error: failure,
    latest_charge: failure.charge ?? intent.latest_charge,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method' as const,
  })
  emit(work, 'payment_intent.payment_failed', failed)
  return failed
}

/** One attempt to take the intent's money from this card. What came of it stands in the answered intent's status. */
export function chargeIntent(work: Work, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const verdict = judge(method, intent.hidden)
  if (verdict === 'approved') return succeed(work, intent, method)
  if (verdict === 'needs_authentication') return askForAuthentication(work, intent, method)
  return decline(work, intent, method, verdict)
}

function decline(work: Work, intent: PaymentIntent, method: PaymentMethod, failure: CardFailure): PaymentIntent {
  const charge = insertCharge(work, intent, method, failure)
  emit(work, 'charge.failed', charge)
  return failIntent(work, intent, { ...withMethod(failure, method), charge: charge.id })
}

/** What the cardholder decided on the 3-D Secure page. */
export function finishAuthentication(work: Work, intent: PaymentIntent, passed: boolean): PaymentIntent {
  const method = get(work, 'payment_method', intent.payment_method ?? '')
  if (!passed) return failIntent(work, intent, withMethod(paymentAuthenticationFailed, method))
  const refusal = refusalInVain(method)
  if (refusal !== null) return decline(work, intent, method, refusal)
  return succeed(work, intent, withConsent(work, method, intent.setup_future_usage !== null))
}

export function cancelIntent(work: Work, intent: PaymentIntent, reason: string | null): PaymentIntent {
  const canceled = saveObject(work.store, {
    ...intent,
    canceled_at: work.now,
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled' as const,
  })
  emit(work, 'payment_intent.canceled', canceled)
  return canceled
}

/** Takes what is held on the card, or `amount` pence of it; the rest is let go. */
export function captureIntent(work: Work, intent: PaymentIntent, amount: number): PaymentIntent {
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
  const held = get(work, 'charge', intent.latest_charge ?? '')
  const captured = saveObject(work.store, {
    ...held,
    amount_captured: amount,
    amount_refunded: held.amount - amount,
    captured: true,
  })
  emit(work, 'charge.captured', captured)
  const paid = saveObject(work.store, {
    ...intent,
    amount_capturable: 0,
    amount_received: amount,
    status: 'succeeded' as const,
  })
  emit(work, 'payment_intent.succeeded', paid)
  return paid
}

/** Cancels the intent; what was held on the card is let go. */
export function releaseIntent(work: Work, intent: PaymentIntent, reason: string | null): PaymentIntent {
  if (intent.status === 'requires_capture') {
    const held = get(work, 'charge', intent.latest_charge ?? '')
    const released = saveObject(work.store, { ...held, amount_refunded: held.amount, refunded: true })
    emit(work, 'charge.refunded', released, { amount_refunded: 0, refunded: false })
  }
  return cancelIntent(work, { ...intent, amount_capturable: 0 }, reason)
}
