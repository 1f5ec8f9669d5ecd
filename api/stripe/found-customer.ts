import type Stripe from 'stripe'
import type { TierSlug } from '#shared/contract/tier.ts'
import { isLive } from '#shared/rules/membership.ts'
import { vatRate } from '#shared/rules/money.ts'
import type { HasStripe } from './client.ts'
import { errorCodeOf } from './errors.ts'
import { idOf } from './ids-and-times.ts'
import { tierOf } from './prices.ts'
import { isSettled } from './read-subscriptions.ts'

/** `problem` comes from `problemOf`. `accountId`: the account we sold it to. Null if it was sold by hand. */
export type FoundSubscription = {
  id: string
  isLive: boolean
  /** Still waiting for the first payment, or for a trial's card. */
  isIncomplete: boolean
  tier: TierSlug | null
  problem: string | null
  accountId: string | null
}

/**
 * A Stripe customer who may not have an account. `email` is Stripe's. Subscriptions are newest first. `accountId`: the account we
 * created the customer for. Null if it was created by hand.
 */
export type FoundCustomer = {
  id: string
  email: string | null
  accountId: string | null
  subscriptions: FoundSubscription[]
}

/** Finds a customer by their id or a subscription's. Throws if Stripe can't be reached. */
export async function findCustomerBy(
  ctx: HasStripe,
  reference: string,
): Promise<FoundCustomer | 'missing' | 'deleted'> {
  const id = reference.startsWith('sub_') ? await customerOf(ctx, reference) : reference
  const customer = id === null ? null : await nullIfMissing(ctx.stripe.customers.retrieve(id))
  if (customer === null) return 'missing'
  if (customer.deleted) return 'deleted'
  const listed = await ctx.stripe.subscriptions
    .list({ customer: customer.id, status: 'all', limit: 100, expand: ['data.pending_setup_intent'] })
    .autoPagingToArray({ limit: 1000 })
  const { id: found, email, metadata } = customer
  return {
    id: found,
    email,
    accountId: metadata.userId ?? null,
    subscriptions: listed.map((one) => toFound(one, customer)),
  }
}

/** The ids of all customers with this address, in this exact spelling. */
export async function listCustomersByEmail({ stripe }: HasStripe, email: string): Promise<string[]> {
  const found = await stripe.customers.list({ email, limit: 100 }).autoPagingToArray({ limit: 1000 })
  return found.map(({ id }) => id)
}

async function customerOf({ stripe }: HasStripe, subscriptionId: string): Promise<string | null> {
  const subscription = await nullIfMissing(stripe.subscriptions.retrieve(subscriptionId))
  return subscription === null ? null : idOf(subscription.customer)
}

async function nullIfMissing<Found>(call: Promise<Found>): Promise<Found | null> {
  try {
    return await call
  } catch (error) {
    if (errorCodeOf(error) === 'resource_missing') return null
    throw error
  }
}

function toFound(subscription: Stripe.Subscription, customer: Stripe.Customer): FoundSubscription {
  const [item] = subscription.items.data
  return {
    id: subscription.id,
    isLive: isLive(subscription.status),
    isIncomplete: subscription.status === 'incomplete' || !isSettled(subscription, customer),
    tier: item === undefined ? null : tierOf(item.price),
    problem: problemOf(subscription),
    accountId: subscription.metadata.userId ?? null,
  }
}

/** Why we can't have sold it, to complete a sentence. Null if we can. */
export function problemOf(subscription: Stripe.Subscription): string | null {
  const [item] = subscription.items.data
  if (item === undefined || tierOf(item.price) === null) return 'has a price that isn’t one of our tiers'
  if (item.price.currency !== 'gbp') return 'isn’t in pounds'
  if (item.price.tax_behavior === 'inclusive') return 'has a price that includes VAT'
  const rates = [...(subscription.default_tax_rates ?? []), ...(item.tax_rates ?? [])]
  const addsVat = rates.some(({ percentage, inclusive }) => percentage === vatRate && !inclusive)
  return addsVat || subscription.automatic_tax.enabled ? null : `doesn’t add ${vatRate}% VAT`
}
