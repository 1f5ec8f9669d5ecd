import * as v from 'valibot'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import { getObject } from '#api/sandbox/store/context.ts'
import { listPage } from '#api/sandbox/store/lists.ts'
import { saveObject } from '#api/sandbox/store/store.ts'
import { emitChange } from '#api/sandbox/webhooks/events.ts'
import { metadata, paging, range, text } from './params.ts'
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
