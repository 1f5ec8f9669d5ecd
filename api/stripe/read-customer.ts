import type Stripe from 'stripe'
import type { WaitingStart } from '#api/db/schema/next-payment.ts'
import type { paymentMethods } from '#api/db/schema/provider.ts'
import { isLive } from '#shared/rules/membership.ts'
import type { HasStripe } from './client.ts'
import { findCustomerState } from './customers.ts'
import { isRejectedByStripe } from './errors.ts'
import { type UpcomingState, upcomingOf } from './next-payment.ts'
import { forgetUnnamedPrices } from './prices.ts'
import { type BilledState, readInvoices } from './read-invoices.ts'
import {
  expandedSubscriptions,
  findUnrecognised,
  oursAmong,
  type ProviderCustomer,
  readSubscription,
  type SubscriptionReader,
  type SubscriptionState,
  type UnrecognisedSubscription,
} from './read-subscriptions.ts'
import { listWaitingStarts } from './schedules.ts'
import { withAllItems } from './tier-items.ts'

export type PaymentMethodState = Omit<typeof paymentMethods.$inferSelect, 'customerId' | 'updatedAt'>

export type ProviderState = BilledState & {
  /** The customer's address. Null if it has none, or was deleted. */
  email: string | null
  subscriptions: SubscriptionState[]
  unrecognised: UnrecognisedSubscription[]
  /** By subscription, with the customer's default under `null`. */
  methods: Map<string | null, PaymentMethodState>
  /** What comes next, to be asked about. */
  upcoming: UpcomingState[]
  /** What begins next, to be asked about; null if nothing waits, or a membership goes on. */
  waitingStart: Omit<WaitingStart, 'payment'> | null
}

/** Reads everything Stripe has of a customer, in our rows' shape. Writes nothing. */
export async function readCustomer(ctx: SubscriptionReader, stripeCustomerId: string): Promise<ProviderState> {
  forgetUnnamedPrices(ctx)
  const customer = await retrieveCustomer(ctx, stripeCustomerId)
  const adoptions = ctx.adoptionsOf(stripeCustomerId)
  const all = await ctx.stripe.subscriptions
    .list({ customer: stripeCustomerId, status: 'all', limit: 100, expand: expandedSubscriptions })
    .autoPagingToArray({ limit: 1000 })
  const listed = oursAmong(ctx, await Promise.all(all.map((one) => withAllItems(ctx, one))), adoptions)
  const ids = new Set(listed.map(({ id }) => id))
  const { tiers, ...billed } = await readInvoices(ctx, stripeCustomerId, {
    adoptions,
    subscriptions: listed,
    answers: ctx.creditAnswersOf(stripeCustomerId),
    hasBalance: !customer.deleted && customer.balance !== 0,
    isOurs: (id) => ids.has(id),
  })
  const isRunning = listed.some(({ status }) => isLive(status))
  const goesOn = listed.some((one) => isLive(one.status) && one.status !== 'incomplete' && !isSetToEnd(one))
  const waiting = goesOn || customer.deleted ? [] : await listWaitingStarts(ctx, stripeCustomerId)
  const pending = isRunning ? await listPendingItems(ctx, stripeCustomerId) : []
  const read = await Promise.all(
    listed.map((subscription) =>
      readSubscription(ctx, subscription, { ...billed, customer, pending, adoptions, tiers }),
    ),
  )
  return {
    email: customer.deleted ? null : customer.email,
    waitingStart: waiting[0] ?? null,
    upcoming: listed.flatMap((subscription) => upcomingOf(subscription, customer, pending) ?? []),
    ...billed,
    subscriptions: read.filter((one) => one !== null),
    unrecognised: findUnrecognised(listed, adoptions),
    methods: paymentMethodsOf(customer, listed),
  }
}

const isSetToEnd = ({ cancel_at, cancel_at_period_end }: Stripe.Subscription) =>
  cancel_at_period_end || cancel_at !== null

/** What an owner adds in Stripe's dashboard, or what a change left, waits for the next invoice. */
const listPendingItems = ({ stripe }: HasStripe, customer: string): Promise<Stripe.InvoiceItem[]> =>
  stripe.invoiceItems.list({ customer, pending: true, limit: 100 }).autoPagingToArray({ limit: 1000 })

/** Stripe can't expand anything of a deleted customer, though its subscriptions and invoices can still be read. */
async function retrieveCustomer(ctx: HasStripe, id: string): Promise<ProviderCustomer> {
  const expand = ['invoice_settings.default_payment_method', 'default_source', 'discount.source.coupon']
  try {
    return await ctx.stripe.customers.retrieve(id, { expand })
  } catch (error) {
    if (!isRejectedByStripe(error) || (await findCustomerState(ctx, id)) !== 'deleted') throw error
    return { id, object: 'customer', deleted: true }
  }
}

function paymentMethodsOf(
  customer: ProviderCustomer,
  subscriptions: readonly Stripe.Subscription[],
): Map<string | null, PaymentMethodState> {
  const methods = new Map<string | null, PaymentMethodState>()
  const own = customer.deleted
    ? null
    : (toPaymentMethod(customer.invoice_settings.default_payment_method) ?? toOldCard(customer.default_source))
  if (own !== null) methods.set(null, own)
  for (const {
    id,
    default_payment_method: chosen,
    default_source: old,
    pending_setup_intent: pending,
  } of subscriptions) {
    const settled = typeof pending === 'object' && pending?.status === 'succeeded' ? pending.payment_method : null
    const method = toPaymentMethod(chosen) ?? toOldCard(old) ?? toPaymentMethod(settled)
    if (method !== null) methods.set(id, method)
  }
  return methods
}

function toPaymentMethod(method: string | Stripe.PaymentMethod | null): PaymentMethodState | null {
  if (method === null || typeof method === 'string') return null
  // A detached card isn't charged any more, even if a subscription still names it.
  if (method.customer === null) return null
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

/** A card from before there were payment methods, which Stripe still charges. */
function toOldCard(source: string | Stripe.CustomerSource | null | undefined): PaymentMethodState | null {
  if (source === null || source === undefined || typeof source === 'string' || source.object !== 'card') return null
  return {
    stripePaymentMethodId: source.id,
    type: 'card',
    brand: source.brand.toLowerCase(),
    last4: source.last4,
    expMonth: source.exp_month,
    expYear: source.exp_year,
  }
}
