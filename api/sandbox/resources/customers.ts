import * as v from 'valibot'
import { moveBalance } from '#api/sandbox/billing/balances.ts'
import { replaceCustomerDiscount } from '#api/sandbox/billing/discounts.ts'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import { attachMethod, requireAttachedMethod, resolveMethod } from '#api/sandbox/billing/payment-methods.ts'
import { endSubscription } from '#api/sandbox/billing/subscription-state.ts'
import { invalid } from '#api/sandbox/errors.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { allObjects, listPage } from '#api/sandbox/store/lists.ts'
import { noSuchObject } from '#api/sandbox/store/no-such-object.ts'
import type { Customer } from '#api/sandbox/store/payment-objects.ts'
import { findPublic, insertObject, markDeleted, saveObject } from '#api/sandbox/store/store.ts'
import { emitChange, emitEvent } from '#api/sandbox/webhooks/events.ts'
import { parseSearchQuery } from './customer-search.ts'
import {
  address,
  addressOf,
  clearable,
  clearableText,
  customFields,
  ignored,
  metadata,
  paging,
  range,
  shipping,
  shippingOf,
  text,
  whole,
} from './params.ts'
import { type Route, route } from './route.ts'

const fields = {
  balance: v.optional(whole),
  address: v.optional(clearable(address)),
  description: v.optional(clearableText),
  email: v.optional(clearableText),
  invoice_settings: v.optional(
    v.strictObject({
      custom_fields: customFields,
      default_payment_method: v.optional(clearableText),
      footer: v.optional(clearableText),
    }),
  ),
  metadata,
  name: v.optional(clearableText),
  phone: v.optional(clearableText),
  preferred_locales: v.optional(v.array(text)),
  shipping: v.optional(clearable(shipping)),
  tax_exempt: v.optional(clearable(v.picklist(['none', 'exempt', 'reverse']))),
  tax: ignored,
}

const fieldsSchema = v.strictObject(fields)
type CustomerFields = v.InferOutput<typeof fieldsSchema>

const emailPattern = /^[^\s@]+@[^\s@]+$/

function settingsWith(
  old: Customer['invoice_settings'],
  change: NonNullable<CustomerFields['invoice_settings']>,
): Customer['invoice_settings'] {
  return {
    ...old,
    ...(change.custom_fields === undefined ? {} : { custom_fields: change.custom_fields }),
    ...(change.default_payment_method === undefined ? {} : { default_payment_method: change.default_payment_method }),
    ...(change.footer === undefined ? {} : { footer: change.footer }),
  }
}

function applyFields(ctx: Context, customer: Customer, change: CustomerFields): Customer {
  const method = change.invoice_settings?.default_payment_method
  if (typeof method === 'string') {
    requireAttachedMethod(ctx, method, customer.id, 'invoice_settings[default_payment_method]')
  }
  if (typeof change.email === 'string' && !emailPattern.test(change.email)) {
    throw invalid(`Invalid email address: ${change.email}`, { code: 'email_invalid', param: 'email' })
  }
  return {
    ...customer,
    address: change.address === undefined ? customer.address : change.address && addressOf(change.address),
    description: change.description === undefined ? customer.description : change.description,
    email: change.email === undefined ? customer.email : change.email,
    invoice_settings: settingsWith(customer.invoice_settings, change.invoice_settings ?? {}),
    metadata: mergeMetadata(customer.metadata, change.metadata),
    name: change.name === undefined ? customer.name : change.name,
    phone: change.phone === undefined ? customer.phone : change.phone,
    shipping: change.shipping === undefined ? customer.shipping : change.shipping && shippingOf(change.shipping),
    preferred_locales: change.preferred_locales ?? customer.preferred_locales ?? [],
    tax_exempt: change.tax_exempt ?? customer.tax_exempt ?? 'none',
  }
}

function blankCustomer(ctx: Context): Customer {
  const id = newId('cus')
  return {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: ctx.now,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
}

function create(
  ctx: Context,
  {
    payment_method,
    test_clock,
    invoice_settings,
    ...change
  }: CustomerFields & { payment_method?: string | undefined; test_clock?: string | undefined },
) {
  const clock = test_clock === undefined ? null : getObject(ctx, 'test_helpers.test_clock', test_clock, 'test_clock').id
  const customer = insertObject(ctx.store, { ...applyFields(ctx, blankCustomer(ctx), change), test_clock: clock })
  emitEvent(ctx, 'customer.created', customer)
  setBalance(ctx, customer, change.balance, 'initial')
  const method =
    payment_method === undefined ? null : attachMethod(ctx, resolveMethod(ctx, payment_method), customer.id)
  const wanted = invoice_settings?.default_payment_method
  const chosen = method !== null && wanted === payment_method ? method.id : wanted
  const settings = { ...invoice_settings, default_payment_method: chosen }
  return saveObject(
    ctx.store,
    applyFields(ctx, getObject(ctx, 'customer', customer.id), { invoice_settings: settings }),
  )
}

type Update = CustomerFields & { coupon?: string | null | undefined }

/** As the dashboard and the API set it: the difference is a transaction of its own. */
function setBalance(
  ctx: Context,
  customer: Customer,
  wanted: number | undefined,
  type: 'initial' | 'adjustment',
): void {
  if (wanted === undefined || wanted === customer.balance) return
  moveBalance(ctx, customer.id, { amount: wanted - customer.balance, type })
}

function update(ctx: Context, { coupon, ...change }: Update, id: string): Customer {
  const before = getObject(ctx, 'customer', id)
  const changed = saveObject(ctx.store, applyFields(ctx, before, change))
  const after = coupon === undefined ? changed : replaceCustomerDiscount(ctx, changed, coupon)
  emitChange(ctx, 'customer.updated', before, after)
  setBalance(ctx, after, change.balance, 'adjustment')
  return getObject(ctx, 'customer', id)
}

function remove(ctx: Context, id: string): object {
  const customer = getObject(ctx, 'customer', id)
  for (const subscription of allObjects(ctx, 'subscription', { customer: id })) {
    if (subscription.ended_at === null) {
      endSubscription(ctx, subscription, { status: 'canceled', reason: 'cancellation_requested' })
    }
  }
  emitEvent(ctx, 'customer.deleted', customer)
  return markDeleted(ctx.store, 'customer', id)
}

function retrieve(ctx: Context, id: string): object {
  const stub = findPublic(ctx.store, id)
  return stub?.object === 'customer' && stub.deleted === true ? stub : getObject(ctx, 'customer', id)
}

export const customerRoutes: Route[] = [
  route('POST /v1/customers', { ...fields, payment_method: v.optional(text), test_clock: v.optional(text) }, create),
  route(
    'GET /v1/customers/search',
    { query: text, limit: paging.limit, page: v.optional(text) },
    (ctx, { query, limit = 10, page = '0' }) => {
      const found = allObjects(ctx, 'customer', {}).filter(parseSearchQuery(query))
      const end = Number(page) + limit
      const has_more = found.length > end
      const data = found.slice(Number(page), end)
      return {
        object: 'search_result',
        data,
        has_more,
        next_page: has_more ? String(end) : null,
        url: '/v1/customers/search',
      }
    },
  ),
  route('GET /v1/customers/:id', {}, (ctx, _params, id) => retrieve(ctx, id)),
  // Earlier versions of the API take a coupon, and so does the dashboard.
  route('POST /v1/customers/:id', { ...fields, coupon: v.optional(clearableText) }, update),
  route('DELETE /v1/customers/:id/discount', {}, (ctx, _params, id) => {
    const { discount } = getObject(ctx, 'customer', id)
    if (discount === null) throw noSuchObject('discount', id)
    replaceCustomerDiscount(ctx, getObject(ctx, 'customer', id), null)
    return { ...discount, deleted: true }
  }),
  route('DELETE /v1/customers/:id', {}, (ctx, _params, id) => remove(ctx, id)),
  route(
    'GET /v1/customers',
    { ...paging, created: v.optional(range), email: v.optional(text), test_clock: v.optional(text) },
    (ctx, params) => {
      const filters = { created: params.created, lookup: params.email, test_clock: params.test_clock ?? null }
      return listPage(ctx, { kind: 'customer', url: '/v1/customers', filters, paging: params })
    },
  ),
  route('GET /v1/customers/:id/payment_methods/:method', {}, (ctx, _params, id, method) => {
    const found = getObject(ctx, 'payment_method', method)
    if (found.customer !== getObject(ctx, 'customer', id).id) throw noSuchObject('payment_method', method)
    return found
  }),
  route(
    'GET /v1/customers/:id/payment_methods',
    { ...paging, type: v.optional(text), allow_redisplay: ignored },
    (ctx, params, id) => {
      const filters = { customer: getObject(ctx, 'customer', id).id, type: params.type }
      const url = `/v1/customers/${id}/payment_methods`
      return listPage(ctx, { kind: 'payment_method', url, filters, paging: params })
    },
  ),
]
