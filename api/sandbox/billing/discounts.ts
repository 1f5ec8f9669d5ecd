import type Stripe from 'stripe'
import { ApiError, invalid } from '#api/sandbox/errors.ts'
import type {
  Coupon,
  Discount,
  InvoiceLine,
  Subscription,
  SubscriptionItem,
} from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import type { Customer } from '#api/sandbox/store/payment-objects.ts'
import { findObject, insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { setTimers } from '#api/sandbox/store/timers.ts'
import { emitEvent } from '#api/sandbox/webhooks/events.ts'
import { nextBoundary } from './periods.ts'
import { changeSubscription } from './subscription-state.ts'
import { share } from './tax.ts'

export type DiscountParams = { coupon?: string | undefined; discount?: string | undefined }[] | null | undefined

/** A subscription, or one of its items. A customer has no `id` here. */
export type Redeemer = Pick<Subscription, 'customer' | 'currency' | 'discounts'> & { id: string | null; item?: string }

export const itemRedeemer = (
  { id, customer, currency }: Omit<Redeemer, 'discounts'>,
  item: SubscriptionItem,
): Redeemer => ({
  id,
  customer,
  currency,
  item: item.id,
  discounts: item.discounts,
})

function isValid(coupon: Coupon, now: number): boolean {
  const { max_redemptions: most, redeem_by: until, times_redeemed: times } = coupon
  return (most === null || times < most) && (until === null || now <= until)
}

/** The coupon with `valid` as of now, because no timer updates it when it expires. */
export function withValidity(ctx: Context, coupon: Coupon): Coupon {
  return { ...coupon, valid: isValid(coupon, ctx.now) }
}

export function isRedeemable(ctx: Context, id: string, currency: string): boolean {
  const coupon = findObject(ctx.store, 'coupon', id)
  return coupon !== null && isValid(coupon, ctx.now) && (coupon.currency ?? currency) === currency
}

function requireRedeemable(ctx: Context, id: string, currency: string, param: string): Coupon {
  const coupon = getObject(ctx, 'coupon', id, param)
  if (!isValid(coupon, ctx.now)) {
    throw new ApiError(400, {
      type: 'invalid_request_error',
      code: 'coupon_expired',
      message: `Coupon expired: ${id}`,
      param,
    })
  }
  if (coupon.currency !== null && coupon.currency !== currency) {
    throw invalid(`The coupon ${id} is in ${coupon.currency}, and the subscription in ${currency}.`, { param })
  }
  return coupon
}

function endOf({ duration, duration_in_months: months }: Coupon, start: number): number | null {
  if (duration !== 'repeating' || months === null) return null
  return nextBoundary(start, { interval: 'month', interval_count: months }, start)
}

function redeemCoupon(ctx: Context, redeemer: Redeemer, coupon: Coupon): Discount {
  const redeemed = { ...coupon, times_redeemed: coupon.times_redeemed + 1 }
  saveObject(ctx.store, redeemed)
  const discount = insertObject(ctx.store, {
    id: newId('di'),
    object: 'discount',
    checkout_session: null,
    customer: redeemer.customer,
    customer_account: null,
    end: endOf(coupon, ctx.now),
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { coupon: coupon.id, type: 'coupon' },
    start: ctx.now,
    subscription: redeemer.id,
    subscription_item: redeemer.item ?? null,
    hidden: { coupon: redeemed },
  })
  setTimers(ctx.store, discount.id, discount.end === null ? [] : [{ kind: 'discount_end', at: discount.end }])
  emitEvent(ctx, 'customer.discount.created', discount)
  return discount
}

/** A customer's discount, which takes the place of an earlier one. Null ends it. */
export function replaceCustomerDiscount(ctx: Context, customer: Customer, coupon: string | null): Customer {
  if (customer.discount !== null) endDiscount(ctx, customer.discount.id)
  const redeemer = { id: null, customer: customer.id, currency: customer.currency ?? 'gbp', discounts: [] }
  const discount =
    coupon === null ? null : redeemCoupon(ctx, redeemer, requireRedeemable(ctx, coupon, redeemer.currency, 'coupon'))
  return saveObject(ctx.store, { ...customer, discount: discount && shownDiscount(discount) })
}

const shownDiscount = ({ hidden: _hidden, ...discount }: Discount): Stripe.Discount => discount

/** An item's own come first: https://docs.stripe.com/api/subscriptions/object#subscription_object-discounts */
export const discountsOfItem = (item: SubscriptionItem, others: string[]): string[] => [...item.discounts, ...others]

/** The subscription's discounts, or if it has none, the customer's. */
export function discountsOf(
  ctx: Context,
  { customer, discounts }: Pick<Subscription, 'customer' | 'discounts'>,
): string[] {
  if (discounts.length > 0) return discounts
  const inherited = findObject(ctx.store, 'customer', customer)?.discount ?? null
  return inherited === null ? [] : [inherited.id]
}

function endDiscount(ctx: Context, id: string): void {
  const discount = getObject(ctx, 'discount', id)
  setTimers(ctx.store, id, [])
  emitEvent(ctx, 'customer.discount.deleted', discount)
}

/** Redeems the given coupons, keeps the given discounts and ends the subscription's other discounts. */
export function replaceDiscounts(ctx: Context, redeemer: Redeemer, params: DiscountParams): string[] {
  const remaining = (params ?? []).map(({ coupon, discount }, index) => {
    if (coupon !== undefined) {
      return redeemCoupon(
        ctx,
        redeemer,
        requireRedeemable(ctx, coupon, redeemer.currency, `discounts[${index}][coupon]`),
      ).id
    }
    if (discount !== undefined && redeemer.discounts.includes(discount)) return discount
    throw invalid(`No such discount: '${discount ?? ''}'`, {
      code: 'resource_missing',
      param: `discounts[${index}][discount]`,
    })
  })
  for (const id of redeemer.discounts) if (!remaining.includes(id)) endDiscount(ctx, id)
  return remaining
}

export function discountOfCoupon(ctx: Context, subscription: Redeemer, coupon: string): string | undefined {
  return subscription.discounts.find((id) => getObject(ctx, 'discount', id).source.coupon === coupon)
}

type Amounts = InvoiceLine['discount_amounts']

/** What each discount takes off `amount`, in pence. They apply one after another, each rounded half up. */
export function discountAmounts(ctx: Context, ids: string[], amount: number): Amounts {
  let rest = amount
  return ids.map((discount) => {
    const { percent_off, amount_off } = getObject(ctx, 'discount', discount).hidden.coupon
    const wanted = percent_off === null ? (amount_off ?? 0) : share(rest, Math.round(percent_off * 10_000), 1_000_000)
    const taken = Math.min(wanted, rest)
    rest -= taken
    return { amount: taken, discount }
  })
}

/**
 * The discounts left after `amounts` were taken off. A coupon with `duration=once` ends once it has taken something off, a
 * customer's too.
 */
export function endUsedDiscounts(ctx: Context, subscription: Subscription, amounts: Amounts): Discounted {
  const over = amounts
    .filter(
      ({ amount, discount }) => amount > 0 && getObject(ctx, 'discount', discount).hidden.coupon.duration === 'once',
    )
    .map(({ discount }) => discount)
  for (const id of over) {
    endDiscount(ctx, id)
    endCustomerDiscount(ctx, subscription.customer, id)
  }
  return withoutDiscounts(subscription, over)
}

type Discounted = Pick<Subscription, 'discounts' | 'items'>

function withoutDiscounts({ discounts, items }: Discounted, over: string[]): Discounted {
  const left = (ids: string[]) => ids.filter((id) => !over.includes(id))
  return {
    discounts: left(discounts),
    items: { ...items, data: items.data.map((item) => ({ ...item, discounts: left(item.discounts) })) },
  }
}

function endCustomerDiscount(ctx: Context, customer: string, id: string): void {
  const found = findObject(ctx.store, 'customer', customer)
  if (found?.discount?.id === id) saveObject(ctx.store, { ...found, discount: null })
}

export function onDiscountEnd(ctx: Context, id: string): void {
  const discount = getObject(ctx, 'discount', id)
  if (discount.subscription === null) {
    endDiscount(ctx, id)
    endCustomerDiscount(ctx, discount.customer, id)
    return
  }
  const subscription = findObject(ctx.store, 'subscription', discount.subscription)
  if (subscription === null || subscription.ended_at !== null) return
  endDiscount(ctx, id)
  changeSubscription(ctx, subscription, withoutDiscounts(subscription, [id]))
}
