import * as v from 'valibot'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import {
  attachMethod,
  createMethod,
  detachMethod,
  type MethodParams,
  resolveMethod,
} from '#api/sandbox/billing/payment-methods.ts'
import { parseExpiryYear } from '#api/sandbox/billing/test-cards.ts'
import { invalid } from '#api/sandbox/errors.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { listPage } from '#api/sandbox/store/lists.ts'
import type { PaymentMethod } from '#api/sandbox/store/payment-objects.ts'
import { saveObject } from '#api/sandbox/store/store.ts'
import { emitChange } from '#api/sandbox/webhooks/events.ts'
import { address, addressOf, clearable, clearableText, ignored, metadata, paging, text, whole } from './params.ts'
import { openToBrowsers, type Route, route } from './route.ts'

const typed = v.strictObject({
  number: text,
  exp_month: whole,
  exp_year: whole,
  cvc: v.optional(text),
  networks: ignored,
})
const ready = v.strictObject({ token: text })
const card = v.lazy((input): typeof typed | typeof ready =>
  typeof input === 'object' && input !== null && 'token' in input ? ready : typed,
)

const billingDetails = v.optional(
  v.strictObject({
    address: v.optional(clearable(address)),
    email: v.optional(clearableText),
    name: v.optional(clearableText),
    phone: v.optional(clearableText),
  }),
)

const redisplay = v.optional(v.picklist(['always', 'limited', 'unspecified']))

/** A confirmation's `payment_method_data`, and the body that creates a payment method. */
export const methodData = {
  type: v.optional(v.picklist(['card', 'paypal']), 'card'),
  card: v.optional(card),
  paypal: ignored,
  billing_details: billingDetails,
  metadata: v.optional(v.record(v.string(), v.string())),
  allow_redisplay: redisplay,
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

function detailsOf({ address, ...plain }: NonNullable<Details>): NonNullable<MethodParams['billing_details']> {
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  return { ...given, ...(address === undefined ? {} : { address: address && addressOf(address) }) }
}

export function methodFromData(ctx: Context, data: MethodData): PaymentMethod {
  if (data.type === 'card' && data.card === undefined) {
    throw invalid('Missing required param: card.', { code: 'parameter_missing', param: 'card' })
  }
  return createMethod(ctx, {
    card: data.type === 'paypal' ? null : (data.card ?? null),
    allow_redisplay: data.allow_redisplay,
    billing_details: detailsOf(data.billing_details ?? {}),
    metadata: data.metadata,
  })
}

const cardChange = v.optional(
  v.strictObject({ exp_month: v.optional(whole), exp_year: v.optional(whole), networks: ignored }),
)

function withExpiry(
  card: NonNullable<PaymentMethod['card']>,
  change: v.InferOutput<typeof cardChange>,
  now: number,
): NonNullable<PaymentMethod['card']> {
  if (change?.exp_month === undefined && change?.exp_year === undefined) return card
  const exp_month = change.exp_month ?? card.exp_month
  return { ...card, exp_month, exp_year: parseExpiryYear(change.exp_year ?? card.exp_year, exp_month, now) }
}

const browserFields = ['id', 'object', 'billing_details', 'card', 'created', 'livemode', 'paypal', 'type']

export const paymentMethodRoutes: Route[] = [
  openToBrowsers(browserFields, route('POST /v1/payment_methods', methodData, methodFromData)),
  route('GET /v1/payment_methods/:id', {}, (ctx, _params, id) => getObject(ctx, 'payment_method', id)),
  route(
    'POST /v1/payment_methods/:id',
    { billing_details: billingDetails, card: cardChange, metadata, allow_redisplay: redisplay },
    (ctx, params, id) => {
      const before = getObject(ctx, 'payment_method', id)
      const details = detailsOf(params.billing_details ?? {})
      const after = saveObject(ctx.store, {
        ...before,
        allow_redisplay: params.allow_redisplay ?? before.allow_redisplay ?? 'unspecified',
        billing_details: { ...before.billing_details, ...details },
        ...(before.card === undefined ? {} : { card: withExpiry(before.card, params.card, ctx.now) }),
        metadata: mergeMetadata(before.metadata ?? {}, params.metadata),
      })
      emitChange(ctx, 'payment_method.updated', before, after)
      return after
    },
  ),
  route('POST /v1/payment_methods/:id/attach', { customer: text }, (ctx, params, id) => {
    const customer = getObject(ctx, 'customer', params.customer, 'customer')
    return attachMethod(ctx, resolveMethod(ctx, id), customer.id)
  }),
  route('POST /v1/payment_methods/:id/detach', {}, (ctx, _params, id) =>
    detachMethod(ctx, getObject(ctx, 'payment_method', id)),
  ),
  route(
    'GET /v1/payment_methods',
    { ...paging, allow_redisplay: redisplay, customer: v.optional(text), type: v.optional(text) },
    (ctx, params) => {
      const filters = { allow_redisplay: params.allow_redisplay, customer: params.customer, type: params.type }
      return listPage(ctx, { kind: 'payment_method', url: '/v1/payment_methods', filters, paging: params })
    },
  ),
]
