import * as v from 'valibot'
import { invalid } from '#api/sandbox/errors.ts'
import type { Price, Product } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { allObjects } from '#api/sandbox/store/lists.ts'
import { findPublic, insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { emitChange, emitEvent } from '#api/sandbox/webhooks/events.ts'
import { amount, clearableText, currency, flag, metadata, pence, text, whole } from './params.ts'

export const productFields = {
  active: v.optional(flag),
  description: v.optional(clearableText),
  images: v.optional(v.pipe(v.array(text), v.maxLength(8))),
  marketing_features: v.optional(v.pipe(v.array(v.strictObject({ name: text })), v.maxLength(15))),
  metadata,
  shippable: v.optional(flag),
  statement_descriptor: v.optional(text),
  tax_code: v.optional(clearableText),
  unit_label: v.optional(clearableText),
  url: v.optional(clearableText),
}

const fieldsSchema = v.strictObject(productFields)
export type ProductFields = v.InferOutput<typeof fieldsSchema>

export function withFields(product: Product, given: ProductFields, metadata: Product['metadata']): Product {
  const { description, tax_code, unit_label, url } = given
  return {
    ...product,
    active: given.active ?? product.active,
    description: description === undefined ? product.description : description,
    images: given.images ?? product.images,
    marketing_features: given.marketing_features ?? product.marketing_features,
    metadata,
    shippable: given.shippable ?? product.shippable,
    statement_descriptor: given.statement_descriptor ?? product.statement_descriptor ?? null,
    tax_code: tax_code === undefined ? product.tax_code : tax_code,
    unit_label: unit_label === undefined ? (product.unit_label ?? null) : unit_label,
    url: url === undefined ? product.url : url,
  }
}

export function createProduct(ctx: Context, name: string, given: ProductFields, id = newId('prod')): Product {
  if (findPublic(ctx.store, id) !== null) {
    throw invalid('Product already exists.', { code: 'resource_already_exists', param: 'id' })
  }
  const blank: Product = {
    id,
    object: 'product',
    active: true,
    created: ctx.now,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: ctx.now,
    url: null,
  }
  const product = insertObject(ctx.store, withFields(blank, given, given.metadata ?? {}))
  emitEvent(ctx, 'product.created', product)
  return product
}

/** A price's parameters, created on its own or within another object. */
export const priceData = {
  currency,
  recurring: v.optional(
    v.strictObject({
      interval: v.picklist(['day', 'week', 'month', 'year']),
      interval_count: v.optional(v.pipe(whole, v.minValue(1)), '1'),
      usage_type: v.optional(v.literal('licensed')),
    }),
  ),
  tax_behavior: v.optional(v.picklist(['exclusive', 'inclusive', 'unspecified'])),
  unit_amount: v.optional(amount),
  unit_amount_decimal: v.optional(pence),
}

const priceSchema = v.strictObject(priceData)

export type PriceFields = v.InferOutput<typeof priceSchema> & {
  active?: boolean | undefined
  lookup_key?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
  nickname?: string | null | undefined
}

/** The amount in pence from either parameter. `param` names it in errors. */
export function unitAmount(
  { unit_amount, unit_amount_decimal }: { unit_amount?: number | undefined; unit_amount_decimal?: number | undefined },
  param = 'unit_amount',
): number {
  const amount = unit_amount ?? unit_amount_decimal
  if (amount !== undefined) return amount
  throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
}

function recurringOf({ recurring }: PriceFields): Price['recurring'] {
  if (recurring === undefined) return null
  const { interval, interval_count } = recurring
  return { interval, interval_count, meter: null, trial_period_days: null, usage_type: 'licensed' }
}

export function createPrice(ctx: Context, product: string, fields: PriceFields): Price {
  const unit_amount = unitAmount(fields)
  const price = insertObject(ctx.store, {
    id: newId('price'),
    object: 'price',
    active: fields.active ?? true,
    billing_scheme: 'per_unit',
    created: ctx.now,
    currency: fields.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: fields.lookup_key ?? null,
    metadata: fields.metadata ?? {},
    nickname: fields.nickname ?? null,
    product,
    recurring: recurringOf(fields),
    tax_behavior: fields.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: fields.recurring ? 'recurring' : 'one_time',
    unit_amount,
    unit_amount_decimal: String(unit_amount),
  })
  emitEvent(ctx, 'price.created', price)
  return price
}

/** A lookup key belongs to one price. Another only takes it over if the request transfers it. */
export function claimLookupKey(ctx: Context, key: string, own: string | null, transfer: boolean): void {
  const holder = allObjects(ctx, 'price', { lookup: key }).find((price) => price.id !== own)
  if (holder === undefined) return
  if (!transfer) {
    throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, {
      code: 'resource_already_exists',
      param: 'lookup_key',
    })
  }
  const freed = saveObject(ctx.store, { ...holder, lookup_key: null })
  emitChange(ctx, 'price.updated', holder, freed)
}

/** `price_data` of an item: an inactive price of an existing product, just for this item. */
export const itemPriceData = v.optional(v.strictObject({ ...priceData, product: text }))

export type InlinePrice = NonNullable<v.InferOutput<typeof itemPriceData>>

export function priceFromData(ctx: Context, { product, ...data }: InlinePrice, param: string): Price {
  return createPrice(ctx, getObject(ctx, 'product', product, `${param}[product]`).id, { ...data, active: false })
}
