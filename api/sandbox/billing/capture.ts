import { cancelIntent } from '#api/sandbox/billing/charging.ts'
import { invalid } from '#api/sandbox/http/errors.ts'
import { get } from '#api/sandbox/store/get.ts'
import type { PaymentIntent } from '#api/sandbox/store/payment-objects.ts'
import { saveObject } from '#api/sandbox/store/store.ts'
import type { Work } from '#api/sandbox/store/work.ts'
import { emit } from '#api/sandbox/webhooks/emit.ts'

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
