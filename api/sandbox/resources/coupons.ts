import * as v from 'valibot'
import { withValidity } from '#api/sandbox/billing/discounts.ts'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import { invalid } from '#api/sandbox/errors.ts'
import type { Coupon } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { listPage } from '#api/sandbox/store/lists.ts'
import { findObject, insertObject, purgeSoftDeleted, saveObject, softDeleteObject } from '#api/sandbox/store/store.ts'
import { emitChange, emitEvent } from '#api/sandbox/webhooks/events.ts'
import { amount, decimal, metadata, paging, range, text, whole } from './params.ts'
import { type Route, route } from './route.ts'

const creation = {
  amount_off: v.optional(v.pipe(amount, v.minValue(1))),
  currency: v.optional(text),
  duration: v.optional(v.picklist(['forever', 'once', 'repeating']), 'once'),
  duration_in_months: v.optional(v.pipe(whole, v.minValue(1))),
  id: v.optional(text),
  max_redemptions: v.optional(v.pipe(whole, v.minValue(1))),
  metadata,
  name: v.optional(v.pipe(text, v.maxLength(40))),
  percent_off: v.optional(v.pipe(decimal, v.minValue(0.01), v.maxValue(100))),
  redeem_by: v.optional(whole),
}

const creationSchema = v.strictObject(creation)
type Creation = v.InferOutput<typeof creationSchema>

function assertValidCoupon(
  ctx: Context,
  { amount_off, percent_off, currency, duration, duration_in_months, id }: Creation,
): void {
  if ((amount_off === undefined) === (percent_off === undefined)) {
    throw invalid('Must provide either percent_off or amount_off.', { param: 'percent_off' })
  }
  if (amount_off !== undefined && currency === undefined) {
    throw invalid('Must provide a currency with amount_off.', { code: 'parameter_missing', param: 'currency' })
  }
  if ((duration === 'repeating') !== (duration_in_months !== undefined)) {
    throw invalid('duration_in_months goes with duration=repeating, and only with it.', {
      param: 'duration_in_months',
    })
  }
  if (id !== undefined && findObject(ctx.store, 'coupon', id) !== null) {
    throw invalid('Coupon already exists.', { code: 'resource_already_exists', param: 'id' })
  }
}

function create(ctx: Context, params: Creation): Coupon {
  assertValidCoupon(ctx, params)
  if (params.id !== undefined) purgeSoftDeleted(ctx.store, params.id)
  const coupon = insertObject(ctx.store, {
    id: params.id ?? newId('coupon').slice('coupon_'.length, -16),
    object: 'coupon',
    amount_off: params.amount_off ?? null,
    created: ctx.now,
    currency: params.amount_off === undefined ? null : (params.currency?.toLowerCase() ?? null),
    duration: params.duration,
    duration_in_months: params.duration_in_months ?? null,
    livemode: false,
    max_redemptions: params.max_redemptions ?? null,
    metadata: params.metadata ?? {},
    name: params.name ?? null,
    percent_off: params.percent_off ?? null,
    redeem_by: params.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
  })
  emitEvent(ctx, 'coupon.created', coupon)
  return coupon
}

/** A deleted coupon can't be redeemed, but its discounts continue and still show it. */
function remove(ctx: Context, id: string): object {
  const coupon = getObject(ctx, 'coupon', id)
  emitEvent(ctx, 'coupon.deleted', coupon)
  return softDeleteObject(ctx.store, { ...coupon, valid: false })
}

export const couponRoutes: Route[] = [
  route('POST /v1/coupons', creation, create),
  route('GET /v1/coupons/:id', {}, (ctx, _params, id) => withValidity(ctx, getObject(ctx, 'coupon', id))),
  route('POST /v1/coupons/:id', { metadata, name: v.optional(text) }, (ctx, params, id) => {
    const before = getObject(ctx, 'coupon', id)
    const after = saveObject(ctx.store, {
      ...before,
      metadata: mergeMetadata(before.metadata ?? {}, params.metadata),
      name: params.name ?? before.name,
    })
    emitChange(ctx, 'coupon.updated', before, after)
    return withValidity(ctx, after)
  }),
  route('DELETE /v1/coupons/:id', {}, (ctx, _params, id) => remove(ctx, id)),
  route('GET /v1/coupons', { ...paging, created: v.optional(range) }, (ctx, params) => {
    const page = listPage(ctx, {
      kind: 'coupon',
      url: '/v1/coupons',
      filters: { created: params.created },
      paging: params,
    })
    return { ...page, data: page.data.map((coupon) => withValidity(ctx, coupon)) }
  }),
]
