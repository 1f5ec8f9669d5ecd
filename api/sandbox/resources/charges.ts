import * as v from 'valibot'
import { refundCharge } from '#api/sandbox/billing/charges.ts'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import { invalid } from '#api/sandbox/errors.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { allObjects, listPage } from '#api/sandbox/store/lists.ts'
import type { Charge } from '#api/sandbox/store/payment-objects.ts'
import { saveObject } from '#api/sandbox/store/store.ts'
import { emitChange } from '#api/sandbox/webhooks/events.ts'
import { amount, metadata, paging, range, text } from './params.ts'
import { type Route, route } from './route.ts'

export const chargeRoutes: Route[] = [
  route(
    'POST /v1/charges/:id',
    { description: v.optional(text), metadata, receipt_email: v.optional(text) },
    (ctx, params, id) => {
      const before = getObject(ctx, 'charge', id)
      const after = saveObject(ctx.store, {
        ...before,
        description: params.description ?? before.description,
        metadata: mergeMetadata(before.metadata, params.metadata),
        receipt_email: params.receipt_email ?? before.receipt_email,
      })
      emitChange(ctx, 'charge.updated', before, after)
      return after
    },
  ),
  route('GET /v1/charges/:id', {}, (ctx, _params, id) => getObject(ctx, 'charge', id)),
  route(
    'GET /v1/charges',
    { ...paging, created: v.optional(range), customer: v.optional(text), payment_intent: v.optional(text) },
    (ctx, params) => {
      const { customer, created, payment_intent } = params
      const filters = { customer, created, payment_intent }
      return listPage(ctx, { kind: 'charge', url: '/v1/charges', filters, paging: params })
    },
  ),
]

type Target = { charge?: string | undefined; payment_intent?: string | undefined }

function chargeOf(ctx: Context, { charge, payment_intent }: Target): Charge {
  if (charge !== undefined && payment_intent !== undefined) {
    throw invalid('You may only specify one of these parameters: charge, payment_intent.', {
      code: 'parameters_exclusive',
      param: 'charge',
    })
  }
  if (charge !== undefined) return getObject(ctx, 'charge', charge, 'charge')
  if (payment_intent === undefined) {
    throw invalid('One of the following params should be provided for this request: payment_intent or charge.')
  }
  const intent = getObject(ctx, 'payment_intent', payment_intent, 'payment_intent')
  const [paid] = allObjects(ctx, 'charge', { payment_intent: intent.id, status: 'succeeded' })
  if (paid === undefined) {
    throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
      param: 'payment_intent',
    })
  }
  return paid
}

export const refundRoutes: Route[] = [
  route(
    'POST /v1/refunds',
    {
      amount: v.optional(v.pipe(amount, v.minValue(1))),
      charge: v.optional(text),
      payment_intent: v.optional(text),
      reason: v.optional(v.picklist(['duplicate', 'fraudulent', 'requested_by_customer'])),
      metadata,
    },
    (ctx, params) =>
      refundCharge(ctx, chargeOf(ctx, params), {
        amount: params.amount,
        reason: params.reason ?? null,
        metadata: params.metadata ?? {},
      }),
  ),
  route('POST /v1/refunds/:id', { metadata }, (ctx, params, id) => {
    const before = getObject(ctx, 'refund', id)
    const after = saveObject(ctx.store, {
      ...before,
      metadata: mergeMetadata(before.metadata ?? {}, params.metadata),
    })
    emitChange(ctx, 'refund.updated', before, after)
    return after
  }),
  route('GET /v1/refunds/:id', {}, (ctx, _params, id) => getObject(ctx, 'refund', id)),
  route(
    'GET /v1/refunds',
    { ...paging, created: v.optional(range), charge: v.optional(text), payment_intent: v.optional(text) },
    (ctx, params) => {
      const { charge, created, payment_intent } = params
      const filters = { charge, created, payment_intent }
      return listPage(ctx, { kind: 'refund', url: '/v1/refunds', filters, paging: params })
    },
  ),
]
