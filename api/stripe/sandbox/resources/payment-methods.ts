import * as v from 'valibot'
import {
  attachMethod,
  createMethod,
  detachMethod,
  type MethodParams,
  resolveMethod,
} from '#api/stripe/sandbox/billing/methods.ts'
import { invalid } from '#api/stripe/sandbox/http/errors.ts'
import { listPage } from '#api/stripe/sandbox/http/lists.ts'
import {
  address,
  clearable,
  clearableText,
  ignored,
  mergeMetadata,
  metadata,
  paging,
  text,
  whole,
} from '#api/stripe/sandbox/http/params.ts'
import { forBrowsers, type Route, route } from '#api/stripe/sandbox/http/route.ts'
import { get } from '#api/stripe/sandbox/store/get.ts'
import type { PaymentMethod } from '#api/stripe/sandbox/store/payment-objects.ts'
import { saveObject } from '#api/stripe/sandbox/store/store.ts'
import type { Work } from '#api/stripe/sandbox/store/work.ts'
import { emitChange } from '#api/stripe/sandbox/webhooks/emit.ts'

export const card = v.union([
  v.strictObject({ number: text, exp_month: whole, exp_year: whole, cvc: v.optional(text), networks: ignored }),
  v.strictObject({ token: text }),
])

export const billingDetails = v.optional(
  v.strictObject({
    address: v.optional(clearable(address)),
    email: v.optional(clearableText),
    name: v.optional(clearableText),
    phone: v.optional(clearableText),
  }),
)

/** `payment_method_data` of a confirmation, and the body that makes a payment method. */
export const methodData = {
  type: v.optional(v.picklist(['card', 'paypal']), 'card'),
  card: v.optional(card),
  paypal: ignored,
  billing_details: billingDetails,
  metadata: v.optional(v.record(v.string(), v.string())),
  allow_redisplay: ignored,
  radar_options: ignored,
  referrer: ignored,
  guid: ignored,
  muid: ignored,
  sid: ignored,
  payment_user_agent: ignored,
  time_on_page: ignored,
  client_attribution_metadata: ignored,
}

const dataSchema = v.strictObject(methodData)
export type MethodData = v.InferOutput<typeof dataSchema>

type Details = v.InferOutput<typeof billingDetails>

function detailsOf(details: Details): NonNullable<MethodParams['billing_details']> {
  const given = details?.address
  const place = given && {
    line1: given.line1 ?? null,
    line2: given.line2 ?? null,
    city: given.city ?? null,
    state: given.state ?? null,
    postal_code: given.postal_code ?? null,
    country: given.country ?? null,
  }
  return {
    address: place ?? null,
    email: details?.email ?? null,
    name: details?.name ?? null,
    phone: details?.phone ?? null,
  }
}

export function methodFromData(work: Work, data: MethodData): PaymentMethod {
  if (data.type === 'card' && data.card === undefined) {
    throw invalid('Missing required param: card.', { code: 'parameter_missing', param: 'card' })
  }
  return createMethod(work, {
    card: data.type === 'paypal' ? null : (data.card ?? null),
    billing_details: detailsOf(data.billing_details),
    metadata: data.metadata,
  })
}

const BROWSER_FIELDS = ['id', 'object', 'billing_details', 'card', 'created', 'livemode', 'paypal', 'type']

export const paymentMethodRoutes: Route[] = [
  forBrowsers(BROWSER_FIELDS, route('POST /v1/payment_methods', methodData, methodFromData)),
  route('GET /v1/payment_methods/:id', {}, (work, _params, id) => get(work, 'payment_method', id)),
  route(
    'POST /v1/payment_methods/:id',
    { billing_details: billingDetails, metadata, allow_redisplay: ignored },
    (work, params, id) => {
      const before = get(work, 'payment_method', id)
      const details = params.billing_details === undefined ? before.billing_details : detailsOf(params.billing_details)
      const after = saveObject(work.store, {
        ...before,
        billing_details: { ...before.billing_details, ...details },
        metadata: mergeMetadata(before.metadata ?? {}, params.metadata),
      })
      emitChange(work, 'payment_method.updated', before, after)
      return after
    },
  ),
  route('POST /v1/payment_methods/:id/attach', { customer: text }, (work, params, id) => {
    const customer = get(work, 'customer', params.customer, 'customer')
    return attachMethod(work, resolveMethod(work, id), customer.id)
  }),
  route('POST /v1/payment_methods/:id/detach', {}, (work, _params, id) =>
    detachMethod(work, get(work, 'payment_method', id)),
  ),
  route(
    'GET /v1/payment_methods',
    { ...paging, customer: v.optional(text), type: v.optional(text) },
    (work, params) => {
      const filters = { customer: params.customer, type: params.type }
      return listPage(work, { kind: 'payment_method', url: '/v1/payment_methods', filters, paging: params })
    },
  ),
]
