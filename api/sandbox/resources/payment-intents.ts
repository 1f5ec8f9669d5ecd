import * as v from 'valibot'
import { onPaymentAttempted } from '#api/sandbox/billing/invoice-collection.ts'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import {
  attemptPayment,
  capturePaymentIntent,
  createPaymentIntent,
  releasePaymentIntent,
} from '#api/sandbox/billing/payment-intents.ts'
import { assertTypeAccepted } from '#api/sandbox/billing/payment-method-types.ts'
import { requireUsableMethod } from '#api/sandbox/billing/payment-methods.ts'
import { type ErrorBody, invalid } from '#api/sandbox/errors.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { listPage } from '#api/sandbox/store/lists.ts'
import type { PaymentIntent, PaymentMethod } from '#api/sandbox/store/payment-objects.ts'
import { presentObject } from '#api/sandbox/store/present.ts'
import { saveObject } from '#api/sandbox/store/store.ts'
import { paging, range, shippingOf, text } from './params.ts'
import {
  assertAmount,
  type Change,
  type Confirmation,
  type Creation,
  cancellation,
  capture,
  change,
  confirmation,
  creation,
  methodTypesOf,
} from './payment-intent-params.ts'
import { type MethodData, methodFromData } from './payment-methods.ts'
import { committedError, openToBrowsers, type Route, route } from './route.ts'

function chosenMethod(ctx: Context, intent: PaymentIntent, params: Confirmation): PaymentMethod {
  if (params.payment_method_data) return methodFromData(ctx, params.payment_method_data)
  const id = params.payment_method ?? intent.payment_method
  if (id === null || id === undefined) {
    throw invalid(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      { code: 'payment_intent_unexpected_state' },
    )
  }
  return requireUsableMethod(ctx, id, intent.customer)
}

function assertConfirmable(intent: PaymentIntent): void {
  const open = ['requires_payment_method', 'requires_confirmation', 'requires_action']
  if (open.includes(intent.status)) return
  const already =
    intent.status === 'succeeded' ? ' because it has already succeeded after being previously confirmed' : ''
  throw invalid(`You cannot confirm this PaymentIntent${already || ` because it has a status of ${intent.status}`}.`, {
    code: 'payment_intent_unexpected_state',
  })
}

/** Returns the intent, or the error of a declined payment, which is recorded too. */
function intentOrError(ctx: Context, intent: PaymentIntent) {
  const failure = intent.last_payment_error
  if (intent.status !== 'requires_payment_method' || failure === null) return intent
  const error: ErrorBody = { ...failure, type: 'card_error', payment_intent: presentObject(ctx.store, intent, []) }
  return committedError(402, error)
}

function confirm(ctx: Context, params: Confirmation, id: string) {
  const intent = getObject(ctx, 'payment_intent', id)
  assertConfirmable(intent)
  const method = chosenMethod(ctx, intent, params)
  const returnUrl = params.return_url ?? intent.hidden.returnUrl
  assertTypeAccepted(intent, method, returnUrl)
  const ready = saveObject(ctx.store, {
    ...intent,
    receipt_email: params.receipt_email ?? intent.receipt_email,
    setup_future_usage: params.setup_future_usage ?? intent.setup_future_usage,
    shipping: params.shipping === undefined ? intent.shipping : shippingOf(params.shipping),
    hidden: {
      ...intent.hidden,
      mustNotAsk: params.error_on_requires_action ?? false,
      offSession: params.off_session ?? false,
      returnUrl,
    },
  })
  const tried = attemptPayment(ctx, ready, method)
  onPaymentAttempted(ctx, tried)
  return intentOrError(ctx, tried)
}

function create(ctx: Context, params: Creation) {
  assertAmount(params.amount, params.currency)
  const customer = params.customer === undefined ? null : getObject(ctx, 'customer', params.customer, 'customer').id
  const method =
    params.payment_method === undefined ? null : requireUsableMethod(ctx, params.payment_method, customer).id
  const intent = createPaymentIntent(ctx, {
    ...methodTypesOf(params),
    amount: params.amount,
    capture_method: params.capture_method,
    currency: params.currency,
    customer,
    description: params.description ?? null,
    metadata: params.metadata ?? {},
    receipt_email: params.receipt_email ?? null,
    setup_future_usage: params.setup_future_usage ?? null,
    payment_method: method,
    shipping: params.shipping === undefined ? null : shippingOf(params.shipping),
    statement_descriptor: params.statement_descriptor ?? null,
    statement_descriptor_suffix: params.statement_descriptor_suffix ?? null,
    hidden: {
      invoice: null,
      renewal: false,
      returnUrl: params.return_url ?? null,
      offSession: params.off_session ?? false,
      mustNotAsk: false,
    },
  })
  if (!params.confirm) return intent
  const { error_on_requires_action, off_session, payment_method_data } = params
  return confirm(ctx, { error_on_requires_action, off_session, ...dataOf(payment_method_data) }, intent.id)
}

function dataOf(data: MethodData | undefined): { payment_method_data?: MethodData } {
  return data === undefined ? {} : { payment_method_data: data }
}

function assertChangeAllowed(intent: PaymentIntent, { description: _a, metadata: _b, ...change }: Change): void {
  const [param] = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (param === undefined) return
  assertConfirmable(intent)
  if (intent.hidden.invoice !== null && (param === 'amount' || param === 'currency' || param === 'customer')) {
    throw invalid(`You cannot update the ${param} of a PaymentIntent that belongs to an invoice.`, { param })
  }
}

function methodOf(ctx: Context, params: Change, customer: string | null): string | null {
  if (params.payment_method_data !== undefined) return methodFromData(ctx, params.payment_method_data).id
  return params.payment_method === undefined ? null : requireUsableMethod(ctx, params.payment_method, customer).id
}

function textFields(intent: PaymentIntent, params: Change): Partial<PaymentIntent> {
  const { receipt_email, setup_future_usage, shipping } = params
  return {
    description: params.description ?? intent.description,
    metadata: mergeMetadata(intent.metadata, params.metadata),
    receipt_email: receipt_email === undefined ? intent.receipt_email : receipt_email,
    setup_future_usage: setup_future_usage === undefined ? intent.setup_future_usage : setup_future_usage,
    shipping: shipping === undefined ? intent.shipping : shipping && shippingOf(shipping),
    statement_descriptor: params.statement_descriptor ?? intent.statement_descriptor,
    statement_descriptor_suffix: params.statement_descriptor_suffix ?? intent.statement_descriptor_suffix,
  }
}

function update(ctx: Context, params: Change, id: string): PaymentIntent {
  const intent = getObject(ctx, 'payment_intent', id)
  assertChangeAllowed(intent, params)
  const customer =
    params.customer === undefined ? intent.customer : getObject(ctx, 'customer', params.customer, 'customer').id
  const amount = params.amount ?? intent.amount
  const currency = params.currency ?? intent.currency
  if (params.amount !== undefined || params.currency !== undefined) assertAmount(amount, currency)
  const method = methodOf(ctx, params, customer)
  return saveObject(ctx.store, {
    ...intent,
    ...textFields(intent, params),
    amount,
    currency,
    customer,
    ...(method === null ? {} : { next_action: null, payment_method: method, status: 'requires_confirmation' as const }),
  })
}

function cancel(ctx: Context, id: string, reason: string | undefined): PaymentIntent {
  const intent = getObject(ctx, 'payment_intent', id)
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    throw invalid(`You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`, {
      code: 'payment_intent_unexpected_state',
    })
  }
  if (intent.hidden.invoice !== null) {
    throw invalid('You cannot cancel this PaymentIntent because it belongs to an invoice. Void the invoice instead.')
  }
  return releasePaymentIntent(ctx, intent, reason ?? null)
}

const browserFields = [
  ...['id', 'object', 'amount', 'amount_details', 'automatic_payment_methods', 'canceled_at', 'cancellation_reason'],
  ...['capture_method', 'client_secret', 'confirmation_method', 'created', 'currency', 'description'],
  ...['last_payment_error', 'livemode', 'next_action', 'payment_method', 'payment_method_types', 'processing'],
  ...['receipt_email', 'setup_future_usage', 'shipping', 'source', 'status'],
]

export const paymentIntentRoutes: Route[] = [
  route('POST /v1/payment_intents', creation, create),
  openToBrowsers(
    browserFields,
    route('GET /v1/payment_intents/:id', { client_secret: v.optional(text) }, (ctx, _params, id) =>
      getObject(ctx, 'payment_intent', id),
    ),
  ),
  route('POST /v1/payment_intents/:id', change, update),
  openToBrowsers(browserFields, route('POST /v1/payment_intents/:id/confirm', confirmation, confirm)),
  route('POST /v1/payment_intents/:id/capture', capture, (ctx, params, id) => {
    const intent = getObject(ctx, 'payment_intent', id)
    const named = { ...intent, metadata: mergeMetadata(intent.metadata, params.metadata) }
    return capturePaymentIntent(ctx, named, params.amount_to_capture ?? intent.amount_capturable)
  }),
  route('POST /v1/payment_intents/:id/cancel', cancellation, (ctx, params, id) =>
    cancel(ctx, id, params.cancellation_reason),
  ),
  route(
    'GET /v1/payment_intents',
    { ...paging, created: v.optional(range), customer: v.optional(text) },
    (ctx, params) => {
      const filters = { customer: params.customer, created: params.created }
      return listPage(ctx, { kind: 'payment_intent', url: '/v1/payment_intents', filters, paging: params })
    },
  ),
]
