import * as v from 'valibot'
import { invalid } from '#api/stripe/sandbox/http/errors.ts'
import { allObjects, listPage } from '#api/stripe/sandbox/http/lists.ts'
import { clearableText, flag, mergeMetadata, metadata, paging, range, text } from '#api/stripe/sandbox/http/params.ts'
import { type Route, route } from '#api/stripe/sandbox/http/route.ts'
import type { Product } from '#api/stripe/sandbox/store/billing-objects.ts'
import { get } from '#api/stripe/sandbox/store/get.ts'
import { newId } from '#api/stripe/sandbox/store/ids.ts'
import { insertObject, markDeleted, saveObject } from '#api/stripe/sandbox/store/store.ts'
import type { Work } from '#api/stripe/sandbox/store/work.ts'
import { emit, emitChange } from '#api/stripe/sandbox/webhooks/emit.ts'

const fields = {
  active: v.optional(flag),
  description: v.optional(clearableText),
  metadata,
  url: v.optional(clearableText),
}

const listParams = {
  ...paging,
  active: v.optional(flag),
  created: v.optional(range),
  ids: v.optional(v.array(text)),
  type: v.optional(v.picklist(['good', 'service'])),
  url: v.optional(text),
}

export type ProductFields = {
  name: string
  active?: boolean | undefined
  description?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
  url?: string | null | undefined
}

export function createProduct(work: Work, params: ProductFields): Product {
  const product = insertObject(work.store, {
    id: newId('prod'),
    object: 'product',
    active: params.active ?? true,
    created: work.now,
    default_price: null,
    description: params.description ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: params.metadata ?? {},
    name: params.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: work.now,
    url: params.url ?? null,
  })
  emit(work, 'product.created', product)
  return product
}

export const productRoutes: Route[] = [
  route('POST /v1/products', { ...fields, name: text }, createProduct),
  route('GET /v1/products/:id', {}, (work, _params, id) => get(work, 'product', id)),
  route('POST /v1/products/:id', { ...fields, name: v.optional(text) }, (work, params, id) => {
    const before = get(work, 'product', id)
    const after = saveObject(work.store, {
      ...before,
      active: params.active ?? before.active,
      description: params.description === undefined ? before.description : params.description,
      metadata: mergeMetadata(before.metadata, params.metadata),
      name: params.name ?? before.name,
      updated: work.now,
      url: params.url === undefined ? before.url : params.url,
    })
    emitChange(work, 'product.updated', before, after)
    return after
  }),
  route('DELETE /v1/products/:id', {}, (work, _params, id) => {
    const product = get(work, 'product', id)
    if (allObjects(work, 'price', { product: id }).length > 0) {
      throw invalid(
        'This product cannot be deleted because it has one or more user-created prices. Archive it instead.',
      )
    }
    emit(work, 'product.deleted', product)
    return markDeleted(work.store, 'product', id)
  }),
  route('GET /v1/products', listParams, (work, params) => {
    const { active, created, ids, type, url } = params
    const filters = { active, created, id: ids, type, url }
    return listPage(work, { kind: 'product', url: '/v1/products', filters, paging: params })
  }),
]
