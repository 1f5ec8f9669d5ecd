import type Stripe from 'stripe'
import type { TierSlug } from '#shared/contract/tier.ts'
import { vatRate } from '#shared/rules/money.ts'
import type { Adoption } from './adoption-facts.ts'
import type { HasStripe } from './client.ts'
import { tierOf, tierOfPrice } from './prices.ts'

type Items = Pick<Stripe.Subscription, 'items'>

/**
 * The item that buys the tier, wherever it stands among add-ons. One on an adopted subscription has the price an owner named.
 * Without either it's the dearest, which counts for a subscription whose prices we don't know.
 */
export function tierItemOf({ items: { data } }: Items, adoption?: Adoption): Stripe.SubscriptionItem | undefined {
  return (
    data.find(({ price }) => tierOfItem(price) !== null) ??
    data.find(({ price }) => price.id === adoption?.stripePriceId) ??
    data.toSorted((one, other) => (other.price.unit_amount ?? 0) - (one.price.unit_amount ?? 0))[0]
  )
}

/** A price in another currency isn't ours, whatever tier it names, because we don't know its value. */
const tierOfItem = (price: Stripe.Price): TierSlug | null => (price.currency === 'gbp' ? tierOf(price) : null)

/** The tier of our own price among the items, if there's one. */
export function ownTierOf(subscription: Items): TierSlug | null {
  const price = tierItemOf(subscription)?.price
  return price === undefined ? null : tierOfItem(price)
}

/** Stripe only includes a nested list’s first ten items. A tier that a price’s product names is then its own. */
export async function withAllItems(ctx: HasStripe, subscription: Stripe.Subscription) {
  const { id, items } = subscription
  const all = items.has_more
    ? await ctx.stripe.subscriptionItems.list({ subscription: id, limit: 100 }).autoPagingToArray({ limit: 1000 })
    : items.data
  const data = await Promise.all(all.map((item) => withNamedTier(ctx, item)))
  return { ...subscription, items: { ...items, data, has_more: false } }
}

async function withNamedTier(ctx: HasStripe, item: Stripe.SubscriptionItem): Promise<Stripe.SubscriptionItem> {
  const { price } = item
  const named = tierOf(price)
  const tier = named !== null && ctx.isTier(named) ? named : await tierOfPrice(ctx, price.id)
  if (tier === named) return item
  const { tier: _others, ...metadata } = price.metadata
  return { ...item, price: { ...price, metadata: tier === null ? metadata : { ...metadata, tier } } }
}

/** In per cent. `isInside`: the price includes it. */
export type ItemTax = { percentage: number; isInside: boolean }

type Rates = readonly Stripe.TaxRate[] | null | undefined

/** What decides an item's tax: of its subscription (`shared`) or its own, by Stripe Tax, and whether its price includes that. */
type TaxTerms = { shared: Rates; own: Rates; isAutomatic: boolean; isInclusive: boolean; isAdopted: boolean }

/**
 * The VAT on an item. Its own rates take the place of the subscription's, and Stripe Tax adds what the law asks for unless the
 * price includes it. What's received where no rate is named includes the VAT: Value Added Tax Act 1994, s.19(2).
 */
export function taxOfItem({ shared, own, isAutomatic, isInclusive, isAdopted }: TaxTerms): ItemTax {
  if (isAutomatic) return { percentage: vatRate, isInside: isInclusive }
  const rates = own && own.length > 0 ? own : (shared ?? [])
  const percentage = rates.reduce((sum, one) => sum + one.percentage, 0)
  // At 0% another program sold it untaxed.
  if (rates.length === 0 || (isAdopted && percentage === 0)) return { percentage: vatRate, isInside: true }
  return { percentage, isInside: rates.some(({ inclusive }) => inclusive) }
}
