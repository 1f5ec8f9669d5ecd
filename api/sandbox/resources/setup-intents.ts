import * as v from 'valibot'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import { assertTypeAccepted } from '#api/sandbox/billing/payment-method-types.ts'
import { requireUsableMethod } from '#api/sandbox/billing/payment-methods.ts'
import { cancelSetupIntent, confirmSetupIntent, createSetupIntent } from '#api/sandbox/billing/setup-intents.ts'
import { onSetupAttempted } from '#api/sandbox/billing/subscription-state.ts'
import { invalid } from '#api/sandbox/errors.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { listPage } from '#api/sandbox/store/lists.ts'
import type { PaymentMethod, SetupIntent } from '#api/sandbox/store/payment-objects.ts'
import { presentObject } from '#api/sandbox/store/present.ts'
import { saveObject } from '#api/sandbox/store/store.ts'
import { flag, ignored, metadata, paging, range, text } from './params.ts'
import { methodTypeParams, methodTypesOf } from './payment-intent-params.ts'
import { methodData, methodFromData } from './payment-methods.ts'
import { committedError, openToBrowsers, type Route, route } from './route.ts'

const confirmation = {
  client_secret: v.optional(text),
  mandate_data: ignored,
  payment_method: v.optional(text),
  payment_method_data: v.optional(v.strictObject(methodData)),
  payment_method_options: ignored,
  return_url: v.optional(v.pipe(text, v.regex(/^https?:\/\//, 'Not a valid URL'))),
  use_stripe_sdk: ignored,
  expected_payment_method_type: ignored,
}

const confirmationSchema = v.strictObject(confirmation)
type Confirmation = v.InferOutput<typeof confirmationSchema>

function chosenMethod(ctx: Context, setup: SetupIntent, params: Confirmation): PaymentMethod {
  if (params.payment_method_data) return methodFromData(ctx, params.payment_method_data)
  const id = params.payment_method ?? setup.payment_method
  if (id === null || id === undefined) {
    throw invalid("You cannot confirm this SetupIntent because it's missing a payment method.", {
      code: 'setup_intent_unexpected_state',
    })
  }
  return requireUsableMethod(ctx, id, setup.customer)
}

function confirm(ctx: Context, params: Confirmation, id: string) {
  const setup = getObject(ctx, 'setup_intent', id)
  if (setup.status === 'succeeded' || setup.status === 'canceled') {
    throw invalid(`You cannot confirm this SetupIntent because it has a status of ${setup.status}.`, {
      code: 'setup_intent_unexpected_state',
    })
  }
  const method = chosenMethod(ctx, setup, params)
  const returnUrl = params.return_url ?? setup.hidden.returnUrl
  assertTypeAccepted(setup, method, returnUrl)
  const ready = saveObject(ctx.store, { ...setup, hidden: { ...setup.hidden, returnUrl } })
  const tried = confirmSetupIntent(ctx, ready, method)
  onSetupAttempted(ctx, tried)
  const failure = tried.last_setup_error
  if (tried.status !== 'requires_payment_method' || failure === null) return tried
  return committedError(402, { ...failure, type: 'card_error', setup_intent: presentObject(ctx.store, tried, []) })
}

const creation = {
  ...confirmation,
  ...methodTypeParams,
  confirm: v.optional(flag, 'false'),
  customer: v.optional(text),
  description: v.optional(text),
  metadata,
  usage: v.optional(v.picklist(['off_session', 'on_session']), 'off_session'),
}

const creationSchema = v.strictObject(creation)

function create(ctx: Context, params: v.InferOutput<typeof creationSchema>) {
  const customer = params.customer === undefined ? null : getObject(ctx, 'customer', params.customer, 'customer').id
  const setup = createSetupIntent(ctx, {
    ...methodTypesOf(params),
    customer,
    description: params.description ?? null,
    metadata: params.metadata ?? {},
    payment_method:
      params.payment_method === undefined ? null : requireUsableMethod(ctx, params.payment_method, customer).id,
    usage: params.usage,
    hidden: { subscription: null, returnUrl: params.return_url ?? null },
  })
  if (!params.confirm) return setup
  const data = params.payment_method_data
  return confirm(ctx, data === undefined ? {} : { payment_method_data: data }, setup.id)
}

const change = {
  customer: v.optional(text),
  description: v.optional(text),
  metadata,
  payment_method: v.optional(text),
}

const changeSchema = v.strictObject(change)

function update(ctx: Context, params: v.InferOutput<typeof changeSchema>, id: string): SetupIntent {
  const setup = getObject(ctx, 'setup_intent', id)
  const open = setup.status === 'requires_payment_method' || setup.status === 'requires_confirmation'
  if (!open && (params.customer !== undefined || params.payment_method !== undefined)) {
    throw invalid(`You cannot update this SetupIntent because it has a status of ${setup.status}.`, {
      code: 'setup_intent_unexpected_state',
    })
  }
  const customer =
    params.customer === undefined ? setup.customer : getObject(ctx, 'customer', params.customer, 'customer').id
  const method =
    params.payment_method === undefined ? null : requireUsableMethod(ctx, params.payment_method, customer).id
  return saveObject(ctx.store, {
    ...setup,
    customer,
    description: params.description ?? setup.description,
    metadata: mergeMetadata(setup.metadata ?? {}, params.metadata),
    ...(method === null ? {} : { payment_method: method, status: 'requires_confirmation' as const }),
  })
}

function cancel(ctx: Context, id: string, reason: string | undefined): SetupIntent {
  const setup = getObject(ctx, 'setup_intent', id)
  if (setup.status === 'succeeded' || setup.status === 'canceled') {
    throw invalid(`You cannot cancel this SetupIntent because it has a status of ${setup.status}.`, {
      code: 'setup_intent_unexpected_state',
    })
  }
  return cancelSetupIntent(ctx, setup, reason ?? null)
}

const browserFields = [
  ...['id', 'object', 'automatic_payment_methods', 'cancellation_reason', 'client_secret', 'created', 'description'],
  ...['last_setup_error', 'livemode', 'next_action', 'payment_method', 'payment_method_types', 'status', 'usage'],
]

export const setupIntentRoutes: Route[] = [
  route('POST /v1/setup_intents', creation, create),
  openToBrowsers(
    browserFields,
    route('GET /v1/setup_intents/:id', { client_secret: v.optional(text) }, (ctx, _params, id) =>
      getObject(ctx, 'setup_intent', id),
    ),
  ),
  route('POST /v1/setup_intents/:id', change, update),
  openToBrowsers(browserFields, route('POST /v1/setup_intents/:id/confirm', confirmation, confirm)),
  route(
    'POST /v1/setup_intents/:id/cancel',
    { cancellation_reason: v.optional(v.picklist(['abandoned', 'requested_by_customer', 'duplicate'])) },
    (ctx, params, id) => cancel(ctx, id, params.cancellation_reason),
  ),
  route(
    'GET /v1/setup_intents',
    { ...paging, created: v.optional(range), customer: v.optional(text), payment_method: v.optional(text) },
    (ctx, params) => {
      const { created, customer, payment_method } = params
      const filters = { created, customer, payment_method }
      return listPage(ctx, { kind: 'setup_intent', url: '/v1/setup_intents', filters, paging: params })
    },
  ),
]
