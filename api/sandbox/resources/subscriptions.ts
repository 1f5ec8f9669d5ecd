import * as v from 'valibot'
import { discountsWith } from '#api/sandbox/billing/discounts.ts'
import { attachedMethod } from '#api/sandbox/billing/payment-methods.ts'
import { beginSubscription } from '#api/sandbox/billing/subscription-create.ts'
import {
  draftSubscription,
  itemOfPrice,
  plainSettings,
  recurringPrice,
  taxRatesOf,
} from '#api/sandbox/billing/subscription-draft.ts'
import { resumeSubscription } from '#api/sandbox/billing/subscription-periods.ts'
import { changeSubscription, endSubscription } from '#api/sandbox/billing/subscription-state.ts'
import { updateSubscription } from '#api/sandbox/billing/subscription-update.ts'
import { invalid, missing } from '#api/sandbox/errors.ts'
import type { Price, Subscription, SubscriptionItem } from '#api/sandbox/store/billing-objects.ts'
import { get, type Work } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { listPage } from '#api/sandbox/store/lists.ts'
import { priceFromData } from './catalogue.ts'
import { paging, range, text } from './params.ts'
import { type Route, route } from './route.ts'
import { type CreateParams, cancelParams, createParams, updateParams } from './subscription-params.ts'

const secondsPerDay = 86_400
const listedStatuses = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused', 'incomplete_expired']

function trialEndOf(work: Work, params: CreateParams): number | null {
  if (params.trial_period_days !== undefined && params.trial_period_days > 0) {
    return work.now + params.trial_period_days * secondsPerDay
  }
  if (params.trial_end === undefined || params.trial_end === 'now') return null
  if (params.trial_end <= work.now) {
    throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', { param: 'trial_end' })
  }
  return params.trial_end
}

function settingsOf(params: CreateParams): Pick<Subscription, 'payment_settings' | 'trial_settings'> {
  const { payment_settings, trial_settings } = plainSettings()
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

/** The price that is named, or one that is made for this subscription alone. */
function priceOf(work: Work, { price, price_data }: ItemParams): Price {
  if (price_data === undefined) {
    if (price !== undefined) return recurringPrice(work, price, 'items[0][price]')
    throw invalid('Missing required param: items[0][price].', { code: 'parameter_missing', param: 'items[0][price]' })
  }
  if (price_data.recurring !== undefined) return priceFromData(work, price_data, 'items[0][price_data]')
  const param = 'items[0][price_data][recurring]'
  throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
}

function draftItem(work: Work, subscription: string, params: ItemParams): SubscriptionItem {
  return {
    ...itemOfPrice(work, subscription, priceOf(work, params)),
    metadata: params.metadata ?? {},
    quantity: params.quantity ?? 1,
    tax_rates: taxRatesOf(work, params.tax_rates, 'items[0][tax_rates]'),
  }
}

function create(work: Work, params: CreateParams): Subscription {
  const customer = get(work, 'customer', params.customer, 'customer')
  const [item] = params.items
  if (item === undefined) throw invalid('Missing required param: items.', { param: 'items' })
  const id = newId('sub')
  const line = draftItem(work, id, item)
  const method = params.default_payment_method ?? null
  if (method !== null) attachedMethod(work, method, customer.id, 'default_payment_method')
  const draft = draftSubscription(work, id, {
    ...settingsOf(params),
    customer: customer.id,
    currency: line.price.currency,
    default_payment_method: method,
    default_tax_rates: taxRatesOf(work, params.default_tax_rates, 'default_tax_rates'),
    description: params.description ?? null,
    discounts: discountsWith(
      work,
      { id, customer: customer.id, currency: line.price.currency, discounts: [] },
      params.discounts,
    ),
    items: { object: 'list', data: [line], has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    metadata: params.metadata ?? {},
    trial_end: trialEndOf(work, params),
  })
  const begun = beginSubscription(work, draft, params.payment_behavior)
  if (params.cancel_at_period_end !== true && typeof params.cancel_at !== 'number') return begun
  return updateSubscription(work, begun, {
    cancel_at: params.cancel_at,
    cancel_at_period_end: params.cancel_at_period_end,
  })
}

function findLive(work: Work, id: string): Subscription {
  const subscription = get(work, 'subscription', id)
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    throw missing('subscription', id)
  }
  return subscription
}

function cancel(
  work: Work,
  id: string,
  details: { comment?: string | null | undefined; feedback?: string | null | undefined },
) {
  const live = findLive(work, id)
  const subscription = changeSubscription(work, live, {
    cancellation_details: {
      comment: details.comment ?? live.cancellation_details?.comment ?? null,
      feedback: details.feedback ?? live.cancellation_details?.feedback ?? null,
      feedback_option: null,
      reason: live.cancellation_details?.reason ?? null,
    },
  })
  const status = subscription.status === 'incomplete' ? 'incomplete_expired' : 'canceled'
  return endSubscription(work, subscription, { status, reason: 'cancellation_requested' })
}

function statusFilter(status: string | undefined): string | string[] | undefined {
  if (status === 'all') return undefined
  if (status === 'ended') return ['canceled', 'incomplete_expired']
  return status ?? listedStatuses
}

export const subscriptionRoutes: Route[] = [
  route('POST /v1/subscriptions', createParams, create),
  route('GET /v1/subscriptions/:id', {}, (work, _params, id) => get(work, 'subscription', id)),
  route('POST /v1/subscriptions/:id', updateParams, (work, params, id) =>
    updateSubscription(work, get(work, 'subscription', id), params),
  ),
  route('DELETE /v1/subscriptions/:id', cancelParams, (work, params, id) =>
    cancel(work, id, params.cancellation_details ?? {}),
  ),
  route(
    'POST /v1/subscriptions/:id/resume',
    {
      billing_cycle_anchor: v.optional(v.picklist(['now', 'unchanged']), 'now'),
      payment_behavior: v.optional(
        v.picklist(['resume_on_payment_attempt', 'resume_on_payment_success']),
        'resume_on_payment_attempt',
      ),
      proration_behavior: v.optional(v.picklist(['none', 'create_prorations', 'always_invoice'])),
    },
    (work, params, id) => resumeSubscription(work, get(work, 'subscription', id), params),
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
    (work, params) => {
      const { customer, created, collection_method, current_period_end, current_period_start, status } = params
      const price = params.price ?? params.plan
      const test_clock = params.test_clock ?? (customer === undefined ? null : undefined)
      const times = { created, current_period_end, current_period_start }
      const filters = { ...times, customer, price, collection_method, test_clock, status: statusFilter(status) }
      return listPage(work, { kind: 'subscription', url: '/v1/subscriptions', filters, paging: params })
    },
  ),
]
