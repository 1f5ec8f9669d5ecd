import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { monthlyAmount, type RecurringDiscount } from '#shared/rules/mrr.ts'

const intervals = ['day', 'week', 'month', 'year'] as const

/**
 * What a subscription brings in a month, after the discounts that go on: its item's first, then its own, or where it has
 * none its customer's. https://docs.stripe.com/api/subscriptions/object#subscription_object-discounts
 */
export async function monthlyNet(
  ctx: Context,
  subscription: Stripe.Subscription,
  customer: Stripe.Customer | Stripe.DeletedCustomer,
): Promise<number> {
  const [item] = subscription.items.data
  if (item === undefined) return 0
  const { unit_amount: each, recurring } = item.price
  const price = {
    amount: (each ?? 0) * (item.quantity ?? 1),
    interval: intervals.find((known) => known === recurring?.interval) ?? 'month',
    intervalCount: recurring?.interval_count ?? 1,
  }
  const inherited = customer.deleted || !customer.discount ? [] : [customer.discount]
  const own = subscription.discounts.length > 0 ? subscription.discounts : inherited
  const all = [...(await discountsOfItem(ctx, item)), ...own]
  return monthlyAmount(
    price,
    all.flatMap((discount) => recurringDiscount(discount, ctx.billingNow()) ?? []),
  )
}

/** Their coupons are too deep within a list of subscriptions for the provider to expand them there. */
async function discountsOfItem(
  ctx: Context,
  { id, discounts }: Stripe.SubscriptionItem,
): Promise<(string | Stripe.Discount)[]> {
  if (discounts.length === 0) return []
  return (await ctx.stripe.subscriptionItems.retrieve(id, { expand: ['discounts.source.coupon'] })).discounts
}

/** Null for one that came off a single invoice, or has run out. */
function recurringDiscount(discount: string | Stripe.Discount, now: Date): RecurringDiscount | null {
  if (typeof discount === 'string') return null
  const { coupon } = discount.source
  if (coupon === null || typeof coupon === 'string' || coupon.duration === 'once') return null
  if (discount.end !== null && discount.end * 1000 <= now.getTime()) return null
  return { percentOff: coupon.percent_off, amountOff: coupon.amount_off }
}
