import { cardError, invalid } from '#api/sandbox/errors.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newFingerprint, newId } from '#api/sandbox/store/ids.ts'
import { noSuchObject } from '#api/sandbox/store/no-such-object.ts'
import type { Customer, PaymentMethod } from '#api/sandbox/store/payment-objects.ts'
import { findObject, insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { emitChange, emitEvent } from '#api/sandbox/webhooks/events.ts'
import { unconditionalDecline } from './authorization.ts'
import { type Card, type CardParams, cardByName, parseCard } from './test-cards.ts'

export type MethodParams = {
  /** Null for a PayPal account, whose details are only known after consent. */
  card: CardParams | { token: string } | null
  billing_details?: Partial<PaymentMethod['billing_details']> | undefined
  metadata?: Record<string, string> | undefined
  allow_redisplay?: PaymentMethod['allow_redisplay'] | undefined
}

function cardFields(card: Card): NonNullable<PaymentMethod['card']> {
  return {
    brand: card.brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'GB',
    display_brand: card.brand,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    fingerprint: newFingerprint(),
    funding: card.funding,
    generated_from: null,
    last4: card.last4,
    networks: { available: [card.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: true },
    wallet: null,
  }
}

function insertMethod(ctx: Context, card: Card | null, params: Omit<MethodParams, 'card'>): PaymentMethod {
  return insertObject(ctx.store, {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: params.allow_redisplay ?? 'unspecified',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null, ...params.billing_details },
    created: ctx.now,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: params.metadata ?? {},
    ...(card === null
      ? { type: 'paypal', paypal: { country: null, payer_email: null, payer_id: null } }
      : { type: 'card', card: cardFields(card) }),
    hidden: { behaviour: card?.behaviour ?? 'paypal', authenticated: false, spent: false },
  })
}

export function createMethod(ctx: Context, params: MethodParams): PaymentMethod {
  if (params.card === null) return insertMethod(ctx, null, params)
  const card = 'token' in params.card ? cardByName(params.card.token, 'tok_', ctx.now) : parseCard(params.card, ctx.now)
  if (card === null) {
    const token = 'token' in params.card ? params.card.token : ''
    throw invalid(`No such token: '${token}'`, { code: 'resource_missing', param: 'card[token]' })
  }
  return insertMethod(ctx, card, params)
}

/** The stored payment method, or a new one for one of Stripe's names such as `pm_card_visa`. */
export function resolveMethod(ctx: Context, id: string, param?: string): PaymentMethod {
  const card = cardByName(id, 'pm_card_', ctx.now)
  return card === null ? getObject(ctx, 'payment_method', id, param) : insertMethod(ctx, card, {})
}

/** As at Stripe, a payment method can't be reused once it was detached, or used without a customer. */
function assertUsable({ hidden }: PaymentMethod): void {
  if (!hidden.spent) return
  throw invalid(
    'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    { param: 'payment_method' },
  )
}

export function requireUsableMethod(ctx: Context, id: string, customer: string | null): PaymentMethod {
  const method = resolveMethod(ctx, id, 'payment_method')
  assertUsable(method)
  if (method.customer !== null && method.customer !== customer) {
    throw invalid(
      `The payment method ${id} belongs to another customer. The payment method must be attached to the customer.`,
      { code: 'resource_missing', param: 'payment_method' },
    )
  }
  return method
}

/** Records the owner's consent, which also reveals who owns a PayPal account. */
export function recordConsent(ctx: Context, method: PaymentMethod, forLater: boolean): PaymentMethod {
  return saveObject(ctx.store, {
    ...method,
    ...(method.type === 'paypal'
      ? { paypal: { country: 'GB', payer_email: 'buyer@example.test', payer_id: 'SANDBOXPAYER1' } }
      : {}),
    hidden: { ...method.hidden, authenticated: method.hidden.authenticated || forLater },
  })
}

export function requireAttachedMethod(ctx: Context, id: string, customer: string, param: string): PaymentMethod {
  const method = findObject(ctx.store, 'payment_method', id)
  if (method === null) throw noSuchObject('payment_method', id, param)
  if (method.customer !== customer) {
    throw invalid(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      { code: 'resource_missing', param },
    )
  }
  return method
}

/** Attaches without the bank's check, because the caller has already charged or set up the payment method. */
export function attachUnchecked(ctx: Context, method: PaymentMethod, customer: string): PaymentMethod {
  if (method.customer === customer) return method
  const attached = saveObject(ctx.store, { ...method, customer })
  emitEvent(ctx, 'payment_method.attached', attached)
  return attached
}

/** Stripe checks a card when it is attached, and rejects one that the bank always declines. */
export function attachMethod(ctx: Context, method: PaymentMethod, customer: string): PaymentMethod {
  if (method.customer !== null && method.customer !== customer) {
    throw invalid('The payment method you provided has already been attached to a customer.', {
      param: 'payment_method',
    })
  }
  assertUsable(method)
  const refusal = unconditionalDecline(method)
  if (refusal !== null) {
    const { code, message, decline_code = 'generic_decline', param } = refusal
    throw cardError(code, message, { decline_code, ...(param === undefined ? {} : { param }) })
  }
  return attachUnchecked(ctx, method, customer)
}

/** Detaches the payment method, which also stops being the customer's default. */
export function detachMethod(ctx: Context, method: PaymentMethod): PaymentMethod {
  if (method.customer === null) {
    throw invalid('The payment method you provided is not attached to a customer so detachment is impossible.')
  }
  const owner = findObject(ctx.store, 'customer', method.customer)
  if (owner !== null) clearDefaultMethod(ctx, owner, method.id)
  const detached = saveObject(ctx.store, { ...method, customer: null, hidden: { ...method.hidden, spent: true } })
  emitEvent(ctx, 'payment_method.detached', detached, { customer: method.customer })
  return detached
}

function clearDefaultMethod(ctx: Context, customer: Customer, methodId: string): void {
  if (customer.invoice_settings.default_payment_method !== methodId) return
  const changed = { ...customer, invoice_settings: { ...customer.invoice_settings, default_payment_method: null } }
  saveObject(ctx.store, changed)
  emitChange(ctx, 'customer.updated', customer, changed)
}
