import { invalid } from '#api/sandbox/errors.ts'
import type { Context } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import type { CardFailure, Charge, PaymentIntent, PaymentMethod, Refund } from '#api/sandbox/store/payment-objects.ts'
import { insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { emitEvent } from '#api/sandbox/webhooks/events.ts'

function unusedFields() {
  return {
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    failure_balance_transaction: null,
    on_behalf_of: null,
    receipt_number: null,
    receipt_url: null,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    transfer_data: null,
    transfer_group: null,
  }
}

export function insertCharge(
  ctx: Context,
  intent: PaymentIntent,
  method: PaymentMethod,
  failure: CardFailure | null,
): Charge {
  const paid = failure === null
  const captured = paid && intent.capture_method !== 'manual'
  return insertObject(ctx.store, {
    id: newId('ch'),
    object: 'charge',
    ...unusedFields(),
    amount: intent.amount,
    amount_captured: captured ? intent.amount : 0,
    amount_refunded: 0,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'SANDBOX',
    captured,
    created: ctx.now,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    outcome: outcomeOf(failure),
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: methodDetails(method),
    receipt_email: intent.receipt_email,
    refunded: false,
    status: paid ? 'succeeded' : 'failed',
  })
}

function outcomeOf(failure: CardFailure | null): NonNullable<Charge['outcome']> {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: failure ? 'declined_by_network' : 'approved_by_network',
    reason: failure?.decline_code ?? null,
    risk_level: 'normal',
    seller_message: failure ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
    type: failure ? 'issuer_declined' : 'authorized',
  }
}

type Details = NonNullable<Charge['payment_method_details']>

function methodDetails({ card, paypal }: PaymentMethod): Details {
  if (card !== undefined) return { type: 'card', card: cardDetails(card) }
  return {
    type: 'paypal',
    paypal: {
      country: paypal?.country ?? null,
      payer_email: paypal?.payer_email ?? null,
      payer_id: paypal?.payer_id ?? null,
      payer_name: null,
      seller_protection: null,
      transaction_id: null,
    },
  }
}

function cardDetails(card: NonNullable<PaymentMethod['card']>): NonNullable<Details['card']> {
  return {
    amount_authorized: null,
    authorization_code: null,
    brand: card.brand,
    checks: null,
    country: card.country,
    electronic_commerce_indicator: null,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    fingerprint: card.fingerprint ?? null,
    funding: card.funding,
    installments: null,
    last4: card.last4,
    mandate: null,
    network: card.brand,
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  }
}

export type RefundFields = { amount: number | undefined; reason: string | null; metadata: Record<string, string> }

function refundableAmount(charge: Charge): number {
  const rest = charge.amount - charge.amount_refunded
  if (!charge.paid) throw invalid(`Charge ${charge.id} has not been paid.`, { code: 'charge_not_refundable' })
  if (!charge.captured) {
    throw invalid(`Charge ${charge.id} has not been captured; cancel its PaymentIntent instead.`, {
      code: 'charge_not_refundable',
    })
  }
  if (rest === 0) {
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  return rest
}

/** Refunds `amount` pence of the charge, or all that is left of it. */
export function refundCharge(ctx: Context, charge: Charge, { amount, reason, metadata }: RefundFields): Refund {
  const rest = refundableAmount(charge)
  const given = amount ?? rest
  if (given > rest) {
    throw invalid(`Refund amount (${given}) is greater than unrefunded amount on charge (${rest})`, { param: 'amount' })
  }
  const refund = insertObject(ctx.store, {
    id: newId('re'),
    object: 'refund',
    amount: given,
    balance_transaction: null,
    charge: charge.id,
    created: ctx.now,
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  })
  const after = saveObject(ctx.store, {
    ...charge,
    amount_refunded: charge.amount_refunded + given,
    refunded: given === rest,
  })
  emitEvent(ctx, 'charge.refunded', after, { amount_refunded: charge.amount_refunded, refunded: charge.refunded })
  emitEvent(ctx, 'refund.created', refund)
  return refund
}
