import type Stripe from 'stripe'
import type { TierSlug } from '#shared/contract/tier.ts'
import type { AdoptionFacts } from '#shared/rules/adoption.ts'
import { refusalWords } from '#shared/rules/adoption-texts.ts'
import { isLive } from '#shared/rules/membership.ts'
import { vatRate } from '#shared/rules/money.ts'
import { adoptionFacts } from './adoption-facts.ts'
import type { HasStripe } from './client.ts'
import { errorCodeOf } from './errors.ts'
import { idOf } from './ids-and-times.ts'
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
  /** What decides whether we can adopt one we didn't sell. */
  facts: AdoptionFacts
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

const expandedSubscriptions = [
  'data.pending_setup_intent',
  'data.default_payment_method',
  'data.default_source',
  'data.application',
]

/** Finds a customer by their id or a subscription's. Throws if Stripe can't be reached. */
export async function findCustomerBy(
  ctx: HasStripe,
  reference: string,
): Promise<FoundCustomer | 'missing' | 'deleted'> {
  const id = reference.startsWith('sub_') ? await customerOf(ctx, reference) : reference
  const expand = ['invoice_settings.default_payment_method', 'default_source']
  const customer = id === null ? null : await nullIfMissing(retrieveCustomer(ctx, id, expand))
  if (customer === null) return 'missing'
  if (customer.deleted) return 'deleted'
  const listed = await ctx.stripe.subscriptions
    .list({ customer: customer.id, status: 'all', limit: 100, expand: expandedSubscriptions })
    .autoPagingToArray({ limit: 1000 })
  const { id: found, email, metadata } = customer
  return {
    id: found,
    email,
    accountId: metadata.userId ?? null,
    subscriptions: listed.map((one) => toFound(ctx, one, customer)),
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

/** Stripe can't expand anything of a deleted customer. */
async function retrieveCustomer({ stripe }: HasStripe, id: string, expand: string[]) {
  const customer = await stripe.customers.retrieve(id)
  return customer.deleted ? customer : stripe.customers.retrieve(id, { expand })
}

async function nullIfMissing<Found>(call: Promise<Found>): Promise<Found | null> {
  try {
    return await call
  } catch (error) {
    if (errorCodeOf(error) === 'resource_missing') return null
    throw error
  }
}

function toFound(ctx: HasStripe, subscription: Stripe.Subscription, customer: Stripe.Customer): FoundSubscription {
  const facts = adoptionFacts(ctx, { ...subscription, customer })
  return {
    id: subscription.id,
    isLive: isLive(subscription.status),
    isIncomplete: subscription.status === 'incomplete' || !isSettled(subscription, customer),
    tier: facts.price?.ownTier ?? null,
    problem: problemOf(facts),
    accountId: subscription.metadata.userId ?? null,
    facts,
  }
}

/** Why we can't have sold it, to complete a sentence. Null if we can. */
export function problemOf({ price, tax }: Pick<AdoptionFacts, 'price' | 'tax'>): string | null {
  if (price === null || price.ownTier === null) return 'has a price that isn’t one of our tiers'
  if (price.currency !== 'gbp') return refusalWords.currency.says
  if (tax === 'inside') return 'has a price that includes VAT'
  return tax === 'on_top' ? null : `doesn’t add ${vatRate}% VAT`
}
