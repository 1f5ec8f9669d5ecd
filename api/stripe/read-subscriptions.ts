import type Stripe from 'stripe'
import type { subscriptions } from '#api/db/schema/subscriptions.ts'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { isLive } from '#shared/rules/membership.ts'
import { monthlyAmount, type RecurringDiscount } from '#shared/rules/mrr.ts'
import type { HasStripe } from './client.ts'
import { isFreeMonth } from './free-month.ts'
import { idOf, toInstant, toInstantOrNull } from './ids-and-times.ts'
import { readPrice, tierOf } from './prices.ts'
import type { InvoiceState } from './read-invoices.ts'

export type SubscriptionState = Omit<typeof subscriptions.$inferSelect, 'customerId' | 'updatedAt'>

/** A live subscription at a price that names no tier of ours, or with a status that this version does not know. */
export type UnrecognisedSubscription = { id: string; status: string; stripePriceId: string | null }

/** A customer as the provider gives it: of a deleted one nothing but the id is left. */
export type ProviderCustomer = Stripe.Customer | Stripe.DeletedCustomer

/** What the readers need expanded in a list of subscriptions. */
export const expandedSubscriptions = [
  'data.pending_setup_intent.payment_method',
  'data.discounts.source.coupon',
  'data.default_payment_method',
  'data.schedule',
]

/** What reading a subscription takes; `storedSubscription` is what it was when it was read before. */
export type SubscriptionReader = HasStripe & {
  billingNow(): Date
  storedSubscription(subscriptionId: string): Pick<SubscriptionState, 'status' | 'tierSlug'> | null
}
type RestOfReading = { customer: ProviderCustomer; invoices: readonly InvoiceState[] }

/**
 * Null for one that has ended and never was to a tier of ours. A live one is never left out: where it names no tier it
 * counts as `unpaid`, which gives no access, while nothing is sold beside it.
 */
export async function readSubscription(
  ctx: SubscriptionReader,
  subscription: Stripe.Subscription,
  { customer, invoices }: RestOfReading,
): Promise<SubscriptionState | null> {
  const [item] = subscription.items.data
  const stored = ctx.storedSubscription(subscription.id)
  // The stored tier of an unpaid one may be the one that was put in the place of none, and one in another currency was none.
  const isTierOurs = stored?.status !== 'unpaid' && item?.price.currency === 'gbp'
  const storedTier = isTierOurs ? (stored?.tierSlug ?? null) : null
  const namedTier = paidTierOf(subscription, invoices) ?? ownTierOf(subscription) ?? storedTier
  const given = statusOf(subscription)
  const tierSlug = namedTier ?? stored?.tierSlug ?? (isLive(given) ? 'standard' : null)
  if (item === undefined || tierSlug === null) return null
  const status = namedTier === null && isLive(given) ? 'unpaid' : given
  return {
    id: subscription.id,
    status,
    isSettled: isSettled(subscription, customer),
    tierSlug,
    stripePriceId: item.price.id,
    monthlyNet: await monthlyNetOf(ctx, subscription, customer),
    currentPeriodStart: toInstantOrNull(item.current_period_start),
    currentPeriodEnd: toInstantOrNull(item.current_period_end),
    trialEnd: toInstantOrNull(subscription.trial_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    cancelAt: toInstantOrNull(subscription.cancel_at),
    canceledAt: toInstantOrNull(subscription.canceled_at),
    endedAt: toInstantOrNull(subscription.ended_at),
    cancellationReason: subscription.cancellation_details?.reason ?? null,
    ...(await readNextTier(ctx, subscription, item.price.id)),
    isNextFree: subscription.discounts.some(isFreeMonth),
    created: toInstant(subscription.created),
  }
}

/**
 * A status that Stripe adds one day counts as `unpaid`, the least that is still live: it gives no access and takes no part
 * in revenue, but nothing is sold beside it, and an owner is notified.
 */
const statusOf = ({ status }: Stripe.Subscription) => subscriptionStatuses.find((known) => known === status) ?? 'unpaid'

export function findUnrecognised(listed: readonly Stripe.Subscription[]): UnrecognisedSubscription[] {
  return listed.filter(isUnrecognised).map(({ id, status, items }) => {
    return { id, status, stripePriceId: idOf(items.data[0]?.price) }
  })
}

function isUnrecognised(subscription: Stripe.Subscription): boolean {
  const status = statusOf(subscription)
  return isLive(status) && (ownTierOf(subscription) === null || status !== subscription.status)
}

/** A price in another currency is none of ours, whatever tier it names: nothing here knows what it is worth. */
function ownTierOf({ items: { data } }: Stripe.Subscription): TierSlug | null {
  const price = data[0]?.price
  return price === undefined || price.currency !== 'gbp' ? null : tierOf(price)
}

/**
 * The tier follows the newest paid period: a changed price counts from its first payment on. A month that was given free
 * is settled by its discount, so the change that was promised for it holds from its first day.
 */
function paidTierOf({ id }: Stripe.Subscription, invoices: readonly InvoiceState[]): TierSlug | null {
  const [newest] = invoices
    .filter((invoice) => {
      const isSettled = invoice.status === 'paid' && (invoice.amountPaid > 0 || invoice.freeMonthNet !== null)
      return invoice.subscriptionId === id && isSettled && invoice.tierSlug !== null
    })
    .sort((one, other) => other.created.localeCompare(one.created))
  return newest?.tierSlug ?? null
}

/** The tier that a schedule changes to, and when. A phase that has started, or has the same price, changes nothing more. */
async function readNextTier(ctx: HasStripe, { schedule }: Stripe.Subscription, currentPriceId: string) {
  const none = { stripeScheduleId: idOf(schedule), nextTierSlug: null, nextTierAt: null, nextTierNet: null }
  if (schedule === null || typeof schedule === 'string') return none
  const next = schedule.phases.find(({ start_date }) => start_date > (schedule.current_phase?.start_date ?? 0))
  const priceId = idOf(next?.items[0]?.price)
  if (next === undefined || priceId === null || priceId === currentPriceId) return none
  const { tier, net } = await readPrice(ctx, priceId)
  return {
    stripeScheduleId: schedule.id,
    nextTierSlug: tier,
    nextTierAt: toInstant(next.start_date),
    nextTierNet: net,
  }
}

/**
 * A trial whose card was never confirmed is no membership yet. Its pending set-up has to be expanded. One that was made by
 * hand, and not by us for an account, is paid by its customer's default card.
 */
export function isSettled(subscription: Stripe.Subscription, customer: ProviderCustomer): boolean {
  if (subscription.status !== 'trialing') return true
  const pending = subscription.pending_setup_intent
  const hasSettledSetup = pending === null || (typeof pending === 'object' && pending.status === 'succeeded')
  const isByHand = subscription.metadata.userId === undefined && !customer.deleted
  const hasCard =
    subscription.default_payment_method !== null ||
    (isByHand && customer.invoice_settings.default_payment_method !== null) ||
    (typeof pending === 'object' && pending?.payment_method !== null && pending !== null)
  return hasSettledSetup && hasCard
}

const intervals = ['day', 'week', 'month', 'year'] as const

/**
 * What a subscription brings in a month, after the recurring discounts: those of its item first, then its own, or where it
 * has none those of its customer. https://docs.stripe.com/api/subscriptions/object#subscription_object-discounts
 */
async function monthlyNetOf(
  ctx: SubscriptionReader,
  subscription: Stripe.Subscription,
  customer: ProviderCustomer,
): Promise<number> {
  const [item] = subscription.items.data
  if (item === undefined || item.price.currency !== 'gbp') return 0
  const { unit_amount: each, recurring } = item.price
  const price = {
    amount: (each ?? 0) * (item.quantity ?? 1),
    interval: intervals.find((known) => known === recurring?.interval) ?? 'month',
    intervalCount: recurring?.interval_count ?? 1,
  }
  const inherited = customer.deleted || !customer.discount ? [] : [customer.discount]
  const own = subscription.discounts.length > 0 ? subscription.discounts : inherited
  const all = [...(await readItemDiscounts(ctx, item)), ...own]
  return monthlyAmount(
    price,
    all.flatMap((discount) => toRecurringDiscount(discount, ctx.billingNow()) ?? []),
  )
}

/** Their coupons are nested too deeply in a list of subscriptions for the provider to expand them there. */
async function readItemDiscounts(
  { stripe }: HasStripe,
  { id, discounts }: Stripe.SubscriptionItem,
): Promise<(string | Stripe.Discount)[]> {
  if (discounts.length === 0) return []
  return (await stripe.subscriptionItems.retrieve(id, { expand: ['discounts.source.coupon'] })).discounts
}

/** Null for one that came off a single invoice, or has run out. */
function toRecurringDiscount(discount: string | Stripe.Discount, now: Date): RecurringDiscount | null {
  if (typeof discount === 'string') return null
  const { coupon } = discount.source
  if (coupon === null || typeof coupon === 'string' || coupon.duration === 'once') return null
  if (discount.end !== null && discount.end * 1000 <= now.getTime()) return null
  return { percentOff: coupon.percent_off, amountOff: coupon.amount_off }
}
