import * as v from 'valibot'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import { invalid } from '#api/sandbox/errors.ts'
import type { Product } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { allObjects, listPage } from '#api/sandbox/store/lists.ts'
import { markDeleted, saveObject } from '#api/sandbox/store/store.ts'
import { emitChange, emitEvent } from '#api/sandbox/webhooks/events.ts'
import { createPrice, createProduct, priceData, productFields, withFields } from './catalogue.ts'
import { clearableText, flag, metadata, paging, range, text } from './params.ts'
import { type Route, route } from './route.ts'

const listParams = {
  ...paging,
  active: v.optional(flag),
  created: v.optional(range),
  ids: v.optional(v.array(text)),
  type: v.optional(v.picklist(['good', 'service'])),
  url: v.optional(text),
}

const creation = {
  ...productFields,
  default_price_data: v.optional(v.strictObject({ ...priceData, metadata })),
  id: v.optional(text),
  name: text,
  type: v.optional(v.picklist(['good', 'service'])),
}

const creationSchema = v.strictObject(creation)

function create(ctx: Context, params: v.InferOutput<typeof creationSchema>): Product {
  const { default_price_data: data, id, name, type: _type, ...given } = params
  const product = createProduct(ctx, name, given, id)
  if (data === undefined) return product
  return saveObject(ctx.store, { ...product, default_price: createPrice(ctx, product.id, data).id })
}

function requirePriceOf(ctx: Context, product: string, price: string): string {
  if (getObject(ctx, 'price', price, 'default_price').product === product) return price
  throw invalid('The price that is to be the default belongs to another product.', { param: 'default_price' })
}

const change = { ...productFields, default_price: v.optional(clearableText), name: v.optional(text) }

export const productRoutes: Route[] = [
  route('POST /v1/products', creation, create),
  route('GET /v1/products/:id', {}, (ctx, _params, id) => getObject(ctx, 'product', id)),
  route('POST /v1/products/:id', change, (ctx, { default_price: price, name, ...given }, id) => {
    const before = getObject(ctx, 'product', id)
    const after = saveObject(ctx.store, {
      ...withFields(before, given, mergeMetadata(before.metadata, given.metadata)),
      default_price: price ? requirePriceOf(ctx, id, price) : price === null ? null : before.default_price,
      name: name ?? before.name,
      updated: ctx.now,
    })
    emitChange(ctx, 'product.updated', before, after)
    return after
  }),
  route('DELETE /v1/products/:id', {}, (ctx, _params, id) => {
    const product = getObject(ctx, 'product', id)
    if (allObjects(ctx, 'price', { product: id }).length > 0) {
      throw invalid(
        'This product cannot be deleted because it has one or more user-created prices. Archive it instead.',
      )
    }
    emitEvent(ctx, 'product.deleted', product)
    return markDeleted(ctx.store, 'product', id)
  }),
  route('GET /v1/products', listParams, (ctx, params) => {
    const { active, created, ids, type, url } = params
    const filters = { active, created, id: ids, type, url }
    return listPage(ctx, { kind: 'product', url: '/v1/products', filters, paging: params })
  }),
]
