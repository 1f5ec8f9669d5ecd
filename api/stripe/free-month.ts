import type Stripe from 'stripe'
import type { HasStripe } from './client.ts'
import { errorCodeOf } from './errors.ts'

/** One coupon for every free month: it has the amount and duration. */
const couponId = 'free-month'

export function isFreeMonth(discount: string | Stripe.Discount): boolean {
  const coupon = typeof discount === 'object' ? discount.source.coupon : null
  return coupon !== null && typeof coupon === 'object' && coupon.duration === 'once' && coupon.percent_off === 100
}

/** Makes a subscription's next invoice free or not, leaving its other discounts alone. Idempotent. */
export async function setFreeMonth(ctx: HasStripe, subscriptionId: string, isFree: boolean): Promise<void> {
  const discounts = await discountsWithFreeMonth(ctx, subscriptionId, isFree)
  if (discounts !== null) await ctx.stripe.subscriptions.update(subscriptionId, { discounts })
}

/** The subscription's discounts with or without the free month; null if that changes nothing. */
export async function discountsWithFreeMonth(ctx: HasStripe, subscriptionId: string, isFree: boolean) {
  const expand = ['discounts.source.coupon']
  const { discounts } = await ctx.stripe.subscriptions.retrieve(subscriptionId, { expand })
  const others = discounts.filter((discount) => !isFreeMonth(discount))
  if (isFree === others.length < discounts.length) return null
  const remaining = others.map((discount) => ({ discount: typeof discount === 'string' ? discount : discount.id }))
  if (isFree) await createCouponIfAbsent(ctx)
  const wanted = isFree ? [...remaining, { coupon: couponId }] : remaining
  return wanted.length === 0 ? '' : wanted
}

async function createCouponIfAbsent({ stripe }: HasStripe): Promise<void> {
  try {
    await stripe.coupons.create({ id: couponId, name: 'A month free', percent_off: 100, duration: 'once' })
  } catch (error) {
    if (errorCodeOf(error) !== 'resource_already_exists') throw error
  }
}
