import * as v from 'valibot'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import { invalid } from '#api/sandbox/errors.ts'
import type { Price } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { listPage } from '#api/sandbox/store/lists.ts'
import { saveObject } from '#api/sandbox/store/store.ts'
import { emitChange } from '#api/sandbox/webhooks/events.ts'
import { claimLookupKey, createPrice, createProduct, priceData, unitAmount } from './catalogue.ts'
import { clearableText, flag, metadata, paging, range, text } from './params.ts'
import { type Route, route } from './route.ts'

const fields = {
  active: v.optional(flag),
  lookup_key: v.optional(clearableText),
  metadata,
  nickname: v.optional(clearableText),
  tax_behavior: v.optional(v.picklist(['exclusive', 'inclusive', 'unspecified'])),
  transfer_lookup_key: v.optional(flag, 'false'),
}

const creation = {
  ...fields,
  ...priceData,
  billing_scheme: v.optional(v.literal('per_unit')),
  product: v.optional(text),
  product_data: v.optional(
    v.strictObject({
      active: v.optional(flag),
      id: v.optional(text),
      metadata,
      name: text,
      statement_descriptor: v.optional(text),
      tax_code: v.optional(text),
      unit_label: v.optional(text),
    }),
  ),
}

const creationSchema = v.strictObject(creation)

function productOf(ctx: Context, params: v.InferOutput<typeof creationSchema>): string {
  if (params.product_data !== undefined) {
    const { name, id, ...given } = params.product_data
    return createProduct(ctx, name, given, id).id
  }
  if (params.product === undefined) {
    throw invalid('You must specify either `product` or `product_data` when creating a price.', {
      code: 'parameter_missing',
      param: 'product',
    })
  }
  return getObject(ctx, 'product', params.product, 'product').id
}

function create(ctx: Context, params: v.InferOutput<typeof creationSchema>): Price {
  unitAmount(params)
  const product = productOf(ctx, params)
  if (params.lookup_key) claimLookupKey(ctx, params.lookup_key, null, params.transfer_lookup_key)
  return createPrice(ctx, product, params)
}

export const priceRoutes: Route[] = [
  route('POST /v1/prices', creation, create),
  route('GET /v1/prices/:id', {}, (ctx, _params, id) => getObject(ctx, 'price', id)),
  route('POST /v1/prices/:id', fields, (ctx, params, id) => {
    const before = getObject(ctx, 'price', id)
    if (params.lookup_key) claimLookupKey(ctx, params.lookup_key, id, params.transfer_lookup_key)
    const after = saveObject(ctx.store, {
      ...before,
      active: params.active ?? before.active,
      lookup_key: params.lookup_key === undefined ? before.lookup_key : params.lookup_key,
      metadata: mergeMetadata(before.metadata, params.metadata),
      nickname: params.nickname === undefined ? before.nickname : params.nickname,
      tax_behavior: params.tax_behavior ?? before.tax_behavior,
    })
    emitChange(ctx, 'price.updated', before, after)
    return after
  }),
  route(
    'GET /v1/prices',
    {
      ...paging,
      active: v.optional(flag),
      created: v.optional(range),
      currency: v.optional(text),
      lookup_keys: v.optional(v.pipe(v.array(text), v.maxLength(10))),
      product: v.optional(text),
      recurring: v.optional(v.strictObject({ interval: v.optional(v.picklist(['day', 'week', 'month', 'year'])) })),
      type: v.optional(v.picklist(['one_time', 'recurring'])),
    },
    (ctx, params) => {
      const { active, created, currency, lookup_keys: lookup, product, type } = params
      const filters = { active, created, currency, interval: params.recurring?.interval, lookup, product, type }
      return listPage(ctx, { kind: 'price', url: '/v1/prices', filters, paging: params })
    },
  ),
]
