import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { isLive } from '#shared/rules/membership.ts'
import { findCustomerState } from './customers.ts'
import { isRejectedByStripe } from './errors.ts'
import { atOrNull, idOf, instantOf } from './ids-and-times.ts'
import { monthlyNet } from './monthly-net.ts'
import { readPrice, tierOf } from './prices.ts'
import { type BilledState, type InvoiceState, readBilled } from './read-invoices.ts'

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
  stripeScheduleId: string | null
  nextTierSlug: TierSlug | null
  nextTierAt: string | null
  nextTierNet: number | null
  created: string
}

/** How the customer pays; null where nothing is on file. */
export type PaymentMethodState = {
  stripePaymentMethodId: string
  type: string
  brand: string | null
  last4: string | null
  expMonth: number | null
  expYear: number | null
}

/** A live subscription at a price that names no tier of ours, or of a status that this version does not know. */
export type Unrecognised = { id: string; status: string; stripePriceId: string | null }

export type ProviderState = BilledState & {
  subscriptions: SubscriptionState[]
  unrecognised: Unrecognised[]
  /** By subscription, and under `null` the customer's own default. */
  methods: Map<string | null, PaymentMethodState>
}

type ProviderCustomer = Stripe.Customer | Stripe.DeletedCustomer

const expand = [
  'data.pending_setup_intent.payment_method',
  'data.discounts.source.coupon',
  'data.default_payment_method',
  'data.schedule',
]

/** Reads all that the provider has of a customer, in the shape of our rows. Nothing is written. */
export async function readCustomer(ctx: Context, stripeCustomerId: string): Promise<ProviderState> {
  const customer = await retrieveCustomer(ctx, stripeCustomerId)
  const found = await ctx.stripe.subscriptions
    .list({ customer: stripeCustomerId, status: 'all', limit: 100, expand })
    .autoPagingToArray({ limit: 1000 })
  const billed = await readBilled(ctx, stripeCustomerId)
  const read = await Promise.all(
    found.map((subscription) => toSubscription(ctx, subscription, { ...billed, customer })),
  )
  return {
    ...billed,
    subscriptions: read.filter((one) => one !== null),
    unrecognised: found.filter(isUnrecognised).map(({ id, status, items }) => {
      return { id, status, stripePriceId: idOf(items.data[0]?.price) }
    }),
    methods: methodsOf(customer, found),
  }
}

/** Of a deleted customer the provider refuses to expand anything; his subscriptions and invoices are still to be had. */
async function retrieveCustomer(ctx: Context, id: string): Promise<ProviderCustomer> {
  const expand = ['invoice_settings.default_payment_method', 'discount.source.coupon']
  try {
    return await ctx.stripe.customers.retrieve(id, { expand })
  } catch (error) {
    if (!isRejectedByStripe(error) || (await findCustomerState(ctx, id)) !== 'deleted') throw error
    return { id, object: 'customer', deleted: true }
  }
}

function methodsOf(
  customer: ProviderCustomer,
  subscriptions: readonly Stripe.Subscription[],
): Map<string | null, PaymentMethodState> {
  const methods = new Map<string | null, PaymentMethodState>()
  const own = customer.deleted ? null : toMethod(customer.invoice_settings.default_payment_method)
  if (own !== null) methods.set(null, own)
  for (const { id, default_payment_method: chosen, pending_setup_intent: pending } of subscriptions) {
    const settled = typeof pending === 'object' && pending?.status === 'succeeded' ? pending.payment_method : null
    const method = toMethod(chosen) ?? toMethod(settled)
    if (method !== null) methods.set(id, method)
  }
  return methods
}

function toMethod(method: string | Stripe.PaymentMethod | null): PaymentMethodState | null {
  if (method === null || typeof method === 'string') return null
  const { id, type, card } = method
  return {
    stripePaymentMethodId: id,
    type,
    brand: card?.brand ?? null,
    last4: card?.last4 ?? null,
    expMonth: card?.exp_month ?? null,
    expYear: card?.exp_year ?? null,
  }
}

/**
 * A status that Stripe adds one day counts as `unpaid`, the least that is still live: it gives no access and takes no part
 * in revenue, but nothing is sold beside it, and an owner hears of it.
 */
const statusOf = ({ status }: Stripe.Subscription) => subscriptionStatuses.find((known) => known === status) ?? 'unpaid'

const ownTierOf = ({ items: { data } }: Stripe.Subscription) => (data[0] === undefined ? null : tierOf(data[0].price))

const isUnrecognised = (subscription: Stripe.Subscription) =>
  isLive(statusOf(subscription)) && (ownTierOf(subscription) === null || statusOf(subscription) !== subscription.status)

/** Null for one that has ended and never was to a tier of ours; a live one is never left out. */
async function toSubscription(
  ctx: Context,
  subscription: Stripe.Subscription,
  { customer, invoices }: { customer: ProviderCustomer; invoices: readonly InvoiceState[] },
): Promise<SubscriptionState | null> {
  const [item] = subscription.items.data
  const status = statusOf(subscription)
  const tierSlug = tierOfSubscription(ctx, subscription, invoices) ?? (isLive(status) ? 'standard' : null)
  if (item === undefined || tierSlug === null) return null
  return {
    id: subscription.id,
    status,
    isSettled: isSettled(subscription),
    tierSlug,
    stripePriceId: item.price.id,
    monthlyNet: await monthlyNet(ctx, subscription, customer),
    currentPeriodStart: atOrNull(item.current_period_start),
    currentPeriodEnd: atOrNull(item.current_period_end),
    trialEnd: atOrNull(subscription.trial_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    cancelAt: atOrNull(subscription.cancel_at),
    canceledAt: atOrNull(subscription.canceled_at),
    endedAt: atOrNull(subscription.ended_at),
    cancellationReason: subscription.cancellation_details?.reason ?? null,
    ...(await nextTierOf(ctx, subscription, item.price.id)),
    created: instantOf(subscription.created),
  }
}

/** The tier follows the newest paid period: a changed price counts from its first payment on. */
function tierOfSubscription(
  ctx: Context,
  subscription: Stripe.Subscription,
  invoices: readonly InvoiceState[],
): TierSlug | null {
  const paid = invoices
    .filter(({ subscriptionId, status, amountPaid, tierSlug }) => {
      return subscriptionId === subscription.id && status === 'paid' && amountPaid > 0 && tierSlug !== null
    })
    .sort((one, other) => other.created.localeCompare(one.created))[0]
  return paid?.tierSlug ?? ownTierOf(subscription) ?? knownTier(ctx, subscription.id)
}

const knownTier = (ctx: Context, subscriptionId: string): TierSlug | null =>
  ctx.sqlite
    .prepare<[string], { tierSlug: TierSlug }>('select tierSlug from subscriptions where id = ?')
    .get(subscriptionId)?.tierSlug ?? null

/** The tier that a schedule changes to, and when; a phase that has begun, or at the same price, changes nothing more. */
async function nextTierOf(ctx: Context, { schedule }: Stripe.Subscription, currentPriceId: string) {
  const none = { stripeScheduleId: idOf(schedule), nextTierSlug: null, nextTierAt: null, nextTierNet: null }
  if (schedule === null || typeof schedule === 'string') return none
  const next = schedule.phases.find(({ start_date }) => start_date > (schedule.current_phase?.start_date ?? 0))
  const priceId = idOf(next?.items[0]?.price)
  if (next === undefined || priceId === null || priceId === currentPriceId) return none
  const { tier, net } = await readPrice(ctx, priceId)
  return {
    stripeScheduleId: schedule.id,
    nextTierSlug: tier,
    nextTierAt: instantOf(next.start_date),
    nextTierNet: net,
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
