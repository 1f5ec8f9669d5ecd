import * as v from 'valibot'
import { invalid } from '#api/stripe/sandbox/http/errors.ts'
import { allObjects, listPage } from '#api/stripe/sandbox/http/lists.ts'
import {
  amount,
  clearableText,
  flag,
  mergeMetadata,
  metadata,
  paging,
  range,
  text,
  whole,
} from '#api/stripe/sandbox/http/params.ts'
import { type Route, route } from '#api/stripe/sandbox/http/route.ts'
import { createProduct } from '#api/stripe/sandbox/resources/products.ts'
import type { Price } from '#api/stripe/sandbox/store/billing-objects.ts'
import { get } from '#api/stripe/sandbox/store/get.ts'
import { newId } from '#api/stripe/sandbox/store/ids.ts'
import { insertObject, saveObject } from '#api/stripe/sandbox/store/store.ts'
import type { Work } from '#api/stripe/sandbox/store/work.ts'
import { emit, emitChange } from '#api/stripe/sandbox/webhooks/emit.ts'

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
  billing_scheme: v.optional(v.literal('per_unit')),
  currency: text,
  product: v.optional(text),
  product_data: v.optional(v.strictObject({ name: text, metadata })),
  recurring: v.optional(
    v.strictObject({
      interval: v.picklist(['day', 'week', 'month', 'year']),
      interval_count: v.optional(v.pipe(whole, v.minValue(1)), '1'),
      usage_type: v.optional(v.literal('licensed')),
    }),
  ),
  unit_amount: amount,
}

const creationSchema = v.strictObject(creation)

/** A lookup key names one price: another price that has it must hand it over, or the request is refused. */
function claimLookupKey(work: Work, key: string, own: string | null, transfer: boolean): void {
  const holder = allObjects(work, 'price', { lookup: key }).find((price) => price.id !== own)
  if (holder === undefined) return
  if (!transfer) {
    throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, {
      code: 'resource_already_exists',
      param: 'lookup_key',
    })
  }
  const freed = saveObject(work.store, { ...holder, lookup_key: null })
  emitChange(work, 'price.updated', holder, freed)
}

function productOf(work: Work, params: v.InferOutput<typeof creationSchema>): string {
  if (params.product_data !== undefined) return createProduct(work, params.product_data).id
  if (params.product === undefined) {
    throw invalid('You must specify either `product` or `product_data` when creating a price.', { param: 'product' })
  }
  return get(work, 'product', params.product, 'product').id
}

function create(work: Work, params: v.InferOutput<typeof creationSchema>): Price {
  const product = productOf(work, params)
  if (params.lookup_key) claimLookupKey(work, params.lookup_key, null, params.transfer_lookup_key)
  const price = insertObject(work.store, {
    id: newId('price'),
    object: 'price',
    active: params.active ?? true,
    billing_scheme: 'per_unit',
    created: work.now,
    currency: params.currency.toLowerCase(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: params.lookup_key ?? null,
    metadata: params.metadata ?? {},
    nickname: params.nickname ?? null,
    product,
    recurring: params.recurring
      ? {
          interval: params.recurring.interval,
          interval_count: params.recurring.interval_count,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: params.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: params.recurring ? 'recurring' : 'one_time',
    unit_amount: params.unit_amount,
    unit_amount_decimal: String(params.unit_amount),
  })
  emit(work, 'price.created', price)
  return price
}

export const priceRoutes: Route[] = [
  route('POST /v1/prices', creation, create),
  route('GET /v1/prices/:id', {}, (work, _params, id) => get(work, 'price', id)),
  route('POST /v1/prices/:id', fields, (work, params, id) => {
    const before = get(work, 'price', id)
    if (params.lookup_key) claimLookupKey(work, params.lookup_key, id, params.transfer_lookup_key)
    const after = saveObject(work.store, {
      ...before,
      active: params.active ?? before.active,
      lookup_key: params.lookup_key === undefined ? before.lookup_key : params.lookup_key,
      metadata: mergeMetadata(before.metadata, params.metadata),
      nickname: params.nickname === undefined ? before.nickname : params.nickname,
      tax_behavior: params.tax_behavior ?? before.tax_behavior,
    })
    emitChange(work, 'price.updated', before, after)
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
    (work, params) => {
      const { active, created, currency, lookup_keys: lookup, product, type } = params
      const filters = { active, created, currency, interval: params.recurring?.interval, lookup, product, type }
      return listPage(work, { kind: 'price', url: '/v1/prices', filters, paging: params })
    },
  ),
]
