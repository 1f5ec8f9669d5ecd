import type Stripe from 'stripe'
import type { paymentStatuses } from '#api/db/schema/money.ts'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { monthlyAmount, type RecurringDiscount } from '#shared/rules/revenue.ts'
import type { Context } from '../context.ts'
import { tierOf, tierOfPrice } from './catalogue.ts'

export type SubscriptionState = {
  id: string
  status: (typeof subscriptionStatuses)[number]
  isSettled: boolean
  tierSlug: TierSlug
  stripePriceId: string | null
  monthlyNet: number
  currentPeriodStart: string | null
  currentPeriodEnd: string | null
  trialEnd: string | null
  cancelAtPeriodEnd: boolean
  cancelAt: string | null
  canceledAt: string | null
  endedAt: string | null
  cancellationReason: string | null
  created: string
}

export type InvoiceState = {
  id: string
  subscriptionId: string | null
  status: (typeof paymentStatuses)[number]
  billingReason: string | null
  tierSlug: TierSlug | null
  net: number
  vat: number
  total: number
  amountPaid: number
  hostedInvoiceUrl: string | null
  periodStart: string | null
  periodEnd: string | null
  created: string
  paidAt: string | null
}

export type ProviderState = { subscriptions: SubscriptionState[]; invoices: InvoiceState[] }

const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const atOrNull = (seconds: number | null | undefined) =>
  seconds === null || seconds === undefined ? null : at(seconds)
const idOf = (thing: string | { id?: string } | null | undefined) =>
  typeof thing === 'string' ? thing : (thing?.id ?? null)

const expand = ['data.pending_setup_intent', 'data.discounts.source.coupon']

/** Reads all that the provider has of a customer, in the shape of our rows. Nothing is written. */
export async function readCustomer(ctx: Context, stripeCustomerId: string): Promise<ProviderState> {
  const found = await ctx.stripe.subscriptions
    .list({ customer: stripeCustomerId, status: 'all', limit: 100, expand })
    .autoPagingToArray({ limit: 1000 })
  const billed = await ctx.stripe.invoices
    .list({ customer: stripeCustomerId, limit: 100 })
    .autoPagingToArray({ limit: 10_000 })
  const invoices = await Promise.all(billed.map((invoice) => toInvoice(ctx, invoice)))
  const subscriptions = found.flatMap((subscription) => toSubscription(subscription, invoices, ctx.billingNow()) ?? [])
  return { subscriptions, invoices: invoices.filter((invoice) => invoice !== null) }
}

/** Null for a subscription to something that is not a tier of ours. */
function toSubscription(
  subscription: Stripe.Subscription,
  invoices: readonly (InvoiceState | null)[],
  now: Date,
): SubscriptionState | null {
  const [item] = subscription.items.data
  const status = subscriptionStatuses.find((known) => known === subscription.status)
  const ownTier = item ? tierOf(item.price) : null
  if (item === undefined || status === undefined || ownTier === null) return null
  // The tier follows the newest paid period: a changed price counts from its first payment on.
  const paid = invoices
    .filter(
      (invoice) => invoice?.subscriptionId === subscription.id && invoice.status === 'paid' && invoice.amountPaid > 0,
    )
    .sort((one, other) => (other?.created ?? '').localeCompare(one?.created ?? ''))[0]
  return {
    id: subscription.id,
    status,
    isSettled: isSettled(subscription),
    tierSlug: paid?.tierSlug ?? ownTier,
    stripePriceId: item.price.id,
    monthlyNet: monthlyNet(subscription, item, now),
    currentPeriodStart: atOrNull(item.current_period_start),
    currentPeriodEnd: atOrNull(item.current_period_end),
    trialEnd: atOrNull(subscription.trial_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    cancelAt: atOrNull(subscription.cancel_at),
    canceledAt: atOrNull(subscription.canceled_at),
    endedAt: atOrNull(subscription.ended_at),
    cancellationReason: subscription.cancellation_details?.reason ?? null,
    created: at(subscription.created),
  }
}

/** A trial whose card was never confirmed is no membership yet. */
function isSettled(subscription: Stripe.Subscription): boolean {
  if (subscription.status !== 'trialing') return true
  const pending = subscription.pending_setup_intent
  const hasSettledSetup = pending === null || (typeof pending === 'object' && pending.status === 'succeeded')
  const hasCard =
    subscription.default_payment_method !== null ||
    (typeof pending === 'object' && pending?.payment_method !== null && pending !== null)
  return hasSettledSetup && hasCard
}

const intervals = ['day', 'week', 'month', 'year'] as const

function monthlyNet(subscription: Stripe.Subscription, item: Stripe.SubscriptionItem, now: Date): number {
  const amount = (item.price.unit_amount ?? 0) * (item.quantity ?? 1)
  const interval = intervals.find((known) => known === item.price.recurring?.interval) ?? 'month'
  const intervalCount = item.price.recurring?.interval_count ?? 1
  const running = subscription.discounts.flatMap((discount) => recurringDiscount(discount, now) ?? [])
  return monthlyAmount({ amount, interval, intervalCount }, running)
}

/** Null for one that came off a single invoice, or has run out. */
function recurringDiscount(discount: string | Stripe.Discount, now: Date): RecurringDiscount | null {
  if (typeof discount === 'string') return null
  const { coupon } = discount.source
  if (coupon === null || typeof coupon === 'string' || coupon.duration === 'once') return null
  if (discount.end !== null && discount.end * 1000 <= now.getTime()) return null
  return { percentOff: coupon.percent_off, amountOff: coupon.amount_off }
}

async function toInvoice(ctx: Context, invoice: Stripe.Invoice): Promise<InvoiceState | null> {
  const status = (['draft', 'open', 'paid', 'void', 'uncollectible'] as const).find((known) => known === invoice.status)
  if (invoice.id === undefined || status === undefined) return null
  const [line] = invoice.lines.data
  const priceId = idOf(line?.pricing?.price_details?.price)
  const net = invoice.total_excluding_tax ?? invoice.total
  return {
    id: invoice.id,
    subscriptionId: idOf(invoice.parent?.subscription_details?.subscription),
    status,
    billingReason: invoice.billing_reason,
    tierSlug: priceId === null ? null : await tierOfPrice(ctx, priceId),
    net,
    vat: invoice.total - net,
    total: invoice.total,
    amountPaid: invoice.amount_paid,
    hostedInvoiceUrl: invoice.hosted_invoice_url ?? null,
    periodStart: atOrNull(line?.period.start),
    periodEnd: atOrNull(line?.period.end),
    created: at(invoice.created),
    paidAt: atOrNull(invoice.status_transitions.paid_at),
  }
}
