import type Stripe from 'stripe'
import type { AdoptionFacts } from '#shared/rules/adoption.ts'
import { isLive } from '#shared/rules/membership.ts'
import { adoptionFacts, expandedForAdoption } from './adoption-facts.ts'
import type { HasStripe } from './client.ts'

/** A subscription of the account. `line` is its place by age, which never changes: Stripe keeps ended ones. */
export type AccountSubscription = { line: number; facts: AdoptionFacts }

type Found = { created: number; id: string; facts: AdoptionFacts | null }

/**
 * Every subscription that still gives something: it's live, or it has ended and is paid for longer. Read a page at a time, oldest
 * first.
 */
export async function readAccountSubscriptions(
  ctx: HasStripe & { billingNow(): Date },
): Promise<AccountSubscription[]> {
  const now = ctx.billingNow().toISOString()
  const found: Found[] = []
  const pages = ctx.stripe.subscriptions.list({
    status: 'all',
    limit: 100,
    expand: expandedForAdoption.map((path) => `data.${path}`),
  })
  for await (const subscription of pages) {
    const facts = adoptionFacts(ctx, subscription)
    const isOver = !isLive(facts.status) && (facts.paidUntil ?? '') <= now
    found.push({ created: subscription.created, id: subscription.id, facts: isOver ? null : facts })
  }
  return found
    .sort((one, other) => one.created - other.created || one.id.localeCompare(other.id))
    .flatMap(({ facts }, at) => (facts === null ? [] : [{ line: at + 1, facts }]))
}

/** The names of the account's prices, for people. */
export async function readPriceNames({ stripe }: HasStripe, ids: ReadonlySet<string>): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for await (const price of stripe.prices.list({ limit: 100, expand: ['data.product'] })) {
    if (ids.has(price.id)) names.set(price.id, nameOf(price))
  }
  return names
}

function nameOf({ id, nickname, product }: Stripe.Price): string {
  const name = typeof product === 'object' && !product.deleted ? product.name : null
  return [name, nickname].filter(Boolean).join(', ') || id
}
