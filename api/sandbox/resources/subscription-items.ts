import * as v from 'valibot'
import { itemOf } from '#api/sandbox/billing/subscription-state.ts'
import { updateSubscription } from '#api/sandbox/billing/subscription-update.ts'
import { ApiError } from '#api/sandbox/errors.ts'
import type { Subscription } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { allObjects, pageOfLines } from '#api/sandbox/store/lists.ts'
import { amount, clearable, metadata, paging, text } from './params.ts'
import { type Route, route } from './route.ts'

const change = {
  metadata,
  price: v.optional(text),
  proration_behavior: v.optional(v.picklist(['none', 'create_prorations', 'always_invoice'])),
  quantity: v.optional(amount),
  tax_rates: v.optional(clearable(v.array(text))),
}

function subscriptionOf(ctx: Context, item: string): Subscription {
  const [found] = allObjects(ctx, 'subscription', { item })
  if (found !== undefined) return found
  throw new ApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such subscription item: '${item}'`,
    param: 'item',
  })
}

/** The subscription's one item, by its own path. */
export const subscriptionItemRoutes: Route[] = [
  route('GET /v1/subscription_items', { ...paging, subscription: text }, (ctx, params) => {
    const { items } = getObject(ctx, 'subscription', params.subscription, 'subscription')
    return pageOfLines({ data: items.data, url: '/v1/subscription_items' }, params)
  }),
  route('GET /v1/subscription_items/:id', {}, (ctx, _params, id) => itemOf(subscriptionOf(ctx, id))),
  route('POST /v1/subscription_items/:id', change, (ctx, { proration_behavior, ...item }, id) =>
    itemOf(updateSubscription(ctx, subscriptionOf(ctx, id), { items: [{ ...item, id }], proration_behavior })),
  ),
]
