import * as v from 'valibot'
import { itemRedeemer, replaceDiscounts } from '#api/sandbox/billing/discounts.ts'
import { assertOneInterval, itemNamed } from '#api/sandbox/billing/item-change.ts'
import { pauseSubscription } from '#api/sandbox/billing/pauses.ts'
import { requireAttachedMethod } from '#api/sandbox/billing/payment-methods.ts'
import { startSubscription } from '#api/sandbox/billing/subscription-create.ts'
import {
  billingModeOf,
  defaultSubscriptionSettings,
  draftSubscription,
  itemOfPrice,
  recurringPrice,
  taxRatesOf,
} from '#api/sandbox/billing/subscription-draft.ts'
import { resumeSubscription } from '#api/sandbox/billing/subscription-periods.ts'
import { changeSubscription, endSubscription } from '#api/sandbox/billing/subscription-state.ts'
import { assertTrialWithin, updateSubscription } from '#api/sandbox/billing/subscription-update.ts'
import { ApiError, invalid } from '#api/sandbox/errors.ts'
import type { Price, Subscription, SubscriptionItem } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { allObjects, listPage, pageOfLines } from '#api/sandbox/store/lists.ts'
import { noSuchObject } from '#api/sandbox/store/no-such-object.ts'
import { priceFromData } from './catalogue.ts'
import { amount, clearable, metadata, paging, range, text } from './params.ts'
import { type Route, route } from './route.ts'
import {
  billingCycleAnchor,
  type CreateParams,
  cancelParams,
  createParams,
  discounts,
  pauseParams,
  updateParams,
} from './subscription-params.ts'

const secondsPerDay = 86_400
const listedStatuses = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'incomplete_expired']

function trialEndOf(ctx: Context, params: CreateParams): number | null {
  if (params.trial_period_days !== undefined && params.trial_period_days > 0) {
    return ctx.now + params.trial_period_days * secondsPerDay
  }
  if (params.trial_end === undefined || params.trial_end === 'now') return null
  if (params.trial_end <= ctx.now) {
    throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', { param: 'trial_end' })
  }
  assertTrialWithin(ctx.now, params.trial_end)
  return params.trial_end
}

function settingsOf(params: CreateParams): Pick<Subscription, 'payment_settings' | 'trial_settings'> {
  const { payment_settings, trial_settings } = defaultSubscriptionSettings()
  const behaviour = params.trial_settings?.end_behavior.missing_payment_method
  return {
    payment_settings: {
      ...payment_settings,
      payment_method_types: params.payment_settings?.payment_method_types ?? null,
      save_default_payment_method: params.payment_settings?.save_default_payment_method ?? 'off',
    },
    trial_settings:
      behaviour === undefined
        ? trial_settings
        : { end_behavior: { ...trial_settings.end_behavior, missing_payment_method: behaviour } },
  }
}

type ItemParams = CreateParams['items'][number]

function priceOf(ctx: Context, { price, price_data }: ItemParams): Price {
  if (price_data === undefined) {
    if (price !== undefined) return recurringPrice(ctx, price, 'items[0][price]')
    throw invalid('Missing required param: items[0][price].', { code: 'parameter_missing', param: 'items[0][price]' })
  }
  if (price_data.recurring !== undefined) return priceFromData(ctx, price_data, 'items[0][price_data]')
  const param = 'items[0][price_data][recurring]'
  throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
}

function draftItem(
  ctx: Context,
  { id, customer }: { id: string; customer: string },
  params: ItemParams,
): SubscriptionItem {
  const item = itemOfPrice(ctx, id, priceOf(ctx, params))
  const { currency } = item.price
  return {
    ...item,
    discounts: replaceDiscounts(ctx, itemRedeemer({ id, customer, currency }, item), params.discounts),
    metadata: params.metadata ?? {},
    quantity: params.quantity ?? 1,
    tax_rates: taxRatesOf(ctx, params.tax_rates, 'items[0][tax_rates]'),
  }
}

function create(ctx: Context, params: CreateParams): Subscription {
  const customer = getObject(ctx, 'customer', params.customer, 'customer')
  const id = newId('sub')
  const lines = params.items.map((each) => draftItem(ctx, { id, customer: customer.id }, each))
  assertOneInterval(lines)
  const currency = lines[0]?.price.currency ?? 'gbp'
  const method = params.default_payment_method ?? null
  if (method !== null) requireAttachedMethod(ctx, method, customer.id, 'default_payment_method')
  const draft = draftSubscription(ctx, id, {
    ...settingsOf(params),
    billing_mode: billingModeOf(params.billing_mode?.type),
    customer: customer.id,
    currency,
    default_payment_method: method,
    default_tax_rates: taxRatesOf(ctx, params.default_tax_rates, 'default_tax_rates'),
    description: params.description ?? null,
    discounts: replaceDiscounts(ctx, { id, customer: customer.id, currency, discounts: [] }, params.discounts),
    items: { object: 'list', data: lines, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    metadata: params.metadata ?? {},
    trial_end: trialEndOf(ctx, params),
  })
  const begun = startSubscription(ctx, draft, params.payment_behavior)
  if (params.cancel_at_period_end !== true && typeof params.cancel_at !== 'number') return begun
  return updateSubscription(ctx, begun, {
    cancel_at: params.cancel_at,
    cancel_at_period_end: params.cancel_at_period_end,
  })
}

function requireLive(ctx: Context, id: string): Subscription {
  const subscription = getObject(ctx, 'subscription', id)
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    throw noSuchObject('subscription', id)
  }
  return subscription
}

function cancel(
  ctx: Context,
  id: string,
  details: { comment?: string | null | undefined; feedback?: string | null | undefined },
) {
  const live = requireLive(ctx, id)
  const subscription = changeSubscription(ctx, live, {
    cancellation_details: {
      comment: details.comment ?? live.cancellation_details?.comment ?? null,
      feedback: details.feedback ?? live.cancellation_details?.feedback ?? null,
      feedback_option: null,
      reason: live.cancellation_details?.reason ?? null,
    },
  })
  const status = subscription.status === 'incomplete' ? 'incomplete_expired' : 'canceled'
  return endSubscription(ctx, subscription, { status, reason: 'cancellation_requested' })
}

function statusFilter(status: string | undefined): string | string[] | undefined {
  if (status === 'all') return undefined
  if (status === 'ended') return ['canceled', 'incomplete_expired']
  return status ?? listedStatuses
}

export const subscriptionRoutes: Route[] = [
  route('POST /v1/subscriptions', createParams, create),
  route('GET /v1/subscriptions/:id', {}, (ctx, _params, id) => getObject(ctx, 'subscription', id)),
  route('POST /v1/subscriptions/:id', updateParams, (ctx, params, id) =>
    updateSubscription(ctx, getObject(ctx, 'subscription', id), params),
  ),
  route('DELETE /v1/subscriptions/:id', cancelParams, (ctx, params, id) =>
    cancel(ctx, id, params.cancellation_details ?? {}),
  ),
  route('POST /v1/subscriptions/:id/pause', pauseParams, (ctx, params, id) =>
    pauseSubscription(ctx, getObject(ctx, 'subscription', id), params),
  ),
  route(
    'POST /v1/subscriptions/:id/resume',
    {
      billing_cycle_anchor: billingCycleAnchor,
      payment_behavior: v.optional(
        v.picklist(['resume_on_payment_attempt', 'resume_on_payment_success']),
        'resume_on_payment_attempt',
      ),
      proration_behavior: v.optional(v.picklist(['none', 'create_prorations', 'always_invoice'])),
    },
    (ctx, params, id) => resumeSubscription(ctx, getObject(ctx, 'subscription', id), params),
  ),
  route(
    'GET /v1/subscriptions',
    {
      ...paging,
      collection_method: v.optional(text),
      created: v.optional(range),
      current_period_end: v.optional(range),
      current_period_start: v.optional(range),
      customer: v.optional(text),
      plan: v.optional(text),
      price: v.optional(text),
      test_clock: v.optional(text),
      status: v.optional(v.picklist([...listedStatuses, 'canceled', 'all', 'ended'])),
    },
    (ctx, params) => {
      const { customer, created, collection_method, current_period_end, current_period_start, status } = params
      const price = params.price ?? params.plan
      const test_clock = params.test_clock ?? (customer === undefined ? null : undefined)
      const times = { created, current_period_end, current_period_start }
      const filters = { ...times, customer, price, collection_method, test_clock, status: statusFilter(status) }
      return listPage(ctx, { kind: 'subscription', url: '/v1/subscriptions', filters, paging: params })
    },
  ),
]

const item = {
  discounts,
  metadata,
  price: v.optional(text),
  quantity: v.optional(amount),
  tax_rates: v.optional(clearable(v.array(text))),
}

/** How the subscription takes the change of its item. */
const taken = {
  payment_behavior: updateParams.payment_behavior,
  proration_behavior: updateParams.proration_behavior,
  proration_date: updateParams.proration_date,
}

function subscriptionOf(ctx: Context, item: string): Subscription {
  const found = allObjects(ctx, 'subscription', {}).find(({ items }) => items.data.some(({ id }) => id === item))
  if (found !== undefined) return found
  throw new ApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such subscription item: '${item}'`,
    param: 'item',
  })
}

export const subscriptionItemRoutes: Route[] = [
  route('GET /v1/subscription_items', { ...paging, subscription: text }, (ctx, params) => {
    const { items } = getObject(ctx, 'subscription', params.subscription, 'subscription')
    return pageOfLines({ data: items.data, url: '/v1/subscription_items' }, params)
  }),
  route('GET /v1/subscription_items/:id', {}, (ctx, _params, id) => itemNamed(subscriptionOf(ctx, id), id)),
  route('POST /v1/subscription_items', { ...item, ...taken, subscription: text }, (ctx, params) => {
    const { subscription: id, payment_behavior, proration_behavior, proration_date, ...added } = params
    const before = getObject(ctx, 'subscription', id, 'subscription')
    const how = { payment_behavior, proration_behavior, proration_date }
    const { items } = updateSubscription(ctx, before, { items: [added], ...how })
    return items.data.at(-1) ?? {}
  }),
  route('POST /v1/subscription_items/:id', { ...item, ...taken }, (ctx, params, id) => {
    const { payment_behavior, proration_behavior, proration_date, ...change } = params
    const how = { payment_behavior, proration_behavior, proration_date }
    return itemNamed(updateSubscription(ctx, subscriptionOf(ctx, id), { items: [{ ...change, id }], ...how }), id)
  }),
  route('DELETE /v1/subscription_items/:id', taken, (ctx, how, id) => {
    updateSubscription(ctx, subscriptionOf(ctx, id), { items: [{ id, deleted: true }], ...how })
    return { id, object: 'subscription_item', deleted: true }
  }),
]
