import type Stripe from 'stripe'
import * as v from 'valibot'
import { type PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import { vatRate } from '#shared/rules/money.ts'
import type { RecurringPrice } from '#shared/rules/mrr.ts'
import type { HasStripe } from './client.ts'
import { isRejectedByStripe } from './errors.ts'
import { withIdempotencyKey } from './idempotency.ts'

/** A tier at one of its prices: `price` is pence of each period excluding VAT, `tierPriceId` our row. */
export type PricedTier = {
  id: string
  slug: TierSlug
  name: string
  price: number
  every: PricePeriod
  tierPriceId: string
}

/** The tier a price is for (null if it isn't ours), and the pence of its period. `isInclusive`: Stripe Tax finds its VAT within them. */
export type PriceInfo = Pick<RecurringPrice, 'interval' | 'intervalCount'> & {
  tier: TierSlug | null
  net: number
  isInclusive: boolean
}

/**
 * What we know of the account's prices. A price's amount and tier never change, so we read each once, until an owner may have named
 * the tier of one that named none.
 */
type PriceCache = {
  idsByLookupKey: Map<string, string>
  infoById: Map<string, PriceInfo>
  unnamed: Set<string>
  vatRateId: string | null
  percentageById: Map<string, number>
}

const caches = new WeakMap<Stripe, PriceCache>()
function cacheOf({ stripe }: HasStripe): PriceCache {
  const cache = caches.get(stripe) ?? {
    idsByLookupKey: new Map(),
    infoById: new Map(),
    unnamed: new Set(),
    percentageById: new Map(),
    vatRateId: null,
  }
  caches.set(stripe, cache)
  return cache
}

/** The month's has been without a period since before there were others. No slug has an underscore. */
const lookupKeyOf = ({ slug, price, every }: PricedTier) =>
  every === 'month' ? `${slug}_${price}` : `${slug}_${every}_${price}`

/**
 * Stripe's price for a tier at its row's amount, found by lookup key or created on first sale: two at once, or one killed before we
 * stored it, find the same. One that was archived is made active again. If another price has the key but doesn't match the tier, a
 * new one takes the key over.
 */
export async function getOrCreatePrice(ctx: HasStripe, tier: PricedTier): Promise<string> {
  const lookupKey = lookupKeyOf(tier)
  const cached = cacheOf(ctx).idsByLookupKey.get(lookupKey)
  if (cached !== undefined) return cached
  const { data } = await ctx.stripe.prices.list({ lookup_keys: [lookupKey], limit: 1, expand: ['data.product'] })
  const [holder] = data
  const price = (await reusable(ctx, tier, holder)) ?? (await createPrice(ctx, tier, holder))
  cacheOf(ctx).idsByLookupKey.set(lookupKey, price.id)
  return price.id
}

/** Sells at the tier's price. If Stripe rejects it, it may have been archived since, so we look it up again. */
export async function withPriceOnSale<Result>(
  ctx: HasStripe,
  tier: PricedTier,
  sell: (price: string) => Promise<Result>,
): Promise<Result> {
  const price = await getOrCreatePrice(ctx, tier)
  try {
    return await sell(price)
  } catch (error) {
    if (isRejectedByStripe(error) && (await isPriceReplaced(ctx, tier, price))) {
      return sell(await getOrCreatePrice(ctx, tier))
    }
    throw error
  }
}

/** Whether the price can be sold now, and couldn't a moment ago: it was archived, or another has taken its place. */
export async function isPriceReplaced(ctx: HasStripe, tier: PricedTier, refusedPrice: string): Promise<boolean> {
  const { idsByLookupKey } = cacheOf(ctx)
  for (const [lookupKey, id] of idsByLookupKey) if (id === refusedPrice) idsByLookupKey.delete(lookupKey)
  const { active } = await ctx.stripe.prices.retrieve(refusedPrice)
  return (await getOrCreatePrice(ctx, tier)) !== refusedPrice || !active
}

/** The price that has the key, if it's the one we'd make. */
async function reusable(
  ctx: HasStripe,
  tier: PricedTier,
  holder: Stripe.Price | undefined,
): Promise<Stripe.Price | null> {
  if (holder === undefined || !isPriceOf(tier, holder)) return null
  const { active, product } = holder
  if (typeof product !== 'object' || product.deleted || !product.active) return null
  return active ? holder : ctx.stripe.prices.update(holder.id, { active: true })
}

const isPriceOf = (tier: PricedTier, price: Stripe.Price) =>
  price.unit_amount === tier.price &&
  price.currency === 'gbp' &&
  price.recurring?.interval === tier.every &&
  price.recurring.interval_count === 1 &&
  price.tax_behavior !== 'inclusive' &&
  tierOf(price) === tier.slug

/** A tier's one product, under an id of ours. Its name follows the tier's as a price is made; one that was archived is active again. */
async function getOrCreateProduct(ctx: HasStripe, { slug, name }: PricedTier): Promise<string> {
  const id = `tier_${slug}`
  const { data } = await ctx.stripe.products.list({ ids: [id] })
  const [found] = data
  if (found === undefined)
    await withIdempotencyKey(ctx, `product:${id}`, (options) =>
      ctx.stripe.products.create({ id, name, metadata: { tier: slug } }, options),
    )
  else if (!found.active || found.name !== name) await ctx.stripe.products.update(id, { active: true, name })
  return id
}

/** `holder` had the lookup key before. Its id is part of the idempotency key, which would otherwise return an archived price. */
async function createPrice(ctx: HasStripe, tier: PricedTier, holder: Stripe.Price | undefined): Promise<Stripe.Price> {
  const lookupKey = lookupKeyOf(tier)
  const product = await getOrCreateProduct(ctx, tier)
  return withIdempotencyKey(ctx, `price:${tier.id}:${lookupKey}:${holder?.id ?? 'first'}`, (options) =>
    ctx.stripe.prices.create(
      {
        currency: 'gbp',
        unit_amount: tier.price,
        recurring: { interval: tier.every },
        tax_behavior: 'exclusive',
        lookup_key: lookupKey,
        transfer_lookup_key: true,
        metadata: { tier: tier.slug },
        product,
      },
      options,
    ),
  )
}

/** 20% VAT, added on top, as a Stripe tax rate. */
export async function getOrCreateVatRate(ctx: HasStripe): Promise<string> {
  const cache = cacheOf(ctx)
  if (cache.vatRateId !== null) return cache.vatRateId
  const { data } = await ctx.stripe.taxRates.list({ active: true, limit: 100 })
  const found = data.find((rate) => rate.percentage === vatRate && !rate.inclusive && rate.country === 'GB')
  const rate =
    found ??
    (await withIdempotencyKey(ctx, `vat:${vatRate}`, (options) =>
      ctx.stripe.taxRates.create(
        { display_name: 'VAT', percentage: vatRate, inclusive: false, country: 'GB', tax_type: 'vat' },
        options,
      ),
    ))
  cache.vatRateId = rate.id
  return rate.id
}

/**
 * By the price's own metadata. An owner may name the tier at its product: see `readPrice`. Another program may have its own tiers:
 * `withAllItems` and `readPrice` leave out what isn't one of ours.
 */
export const tierOf = ({ metadata: { tier } }: Pick<Stripe.Price, 'metadata'>): TierSlug | null =>
  v.is(TierSlug, tier) ? tier : null

/** A tier named at the price wins over its product's. */
export async function readPrice(ctx: HasStripe, priceId: string): Promise<PriceInfo> {
  const { infoById, unnamed } = cacheOf(ctx)
  const cached = infoById.get(priceId)
  if (cached !== undefined) return cached
  // Two readings that need it at once each ask: one that waited for the other's request would fail with it.
  const info = await retrievePrice(ctx, priceId)
  infoById.set(priceId, info)
  if (info.tier === null) unnamed.add(priceId)
  return info
}

async function retrievePrice(ctx: HasStripe, id: string): Promise<PriceInfo> {
  const {
    product,
    unit_amount: net,
    recurring,
    ...price
  } = await ctx.stripe.prices.retrieve(id, { expand: ['product'] })
  const named = typeof product === 'string' || product.deleted ? null : tierOf(product)
  const tier = [tierOf(price), named].find((slug) => slug !== null && ctx.isTier(slug)) ?? null
  const isInclusive = price.tax_behavior === 'inclusive'
  return { tier, net: net ?? 0, isInclusive, ...periodOf(recurring) }
}

const intervals = ['day', 'week', 'month', 'year'] as const

export const periodOf = (
  recurring: Stripe.Price.Recurring | null,
): Pick<RecurringPrice, 'interval' | 'intervalCount'> => ({
  interval: intervals.find((known) => known === recurring?.interval) ?? 'month',
  intervalCount: recurring?.interval_count ?? 1,
})

/** Null for a period that we don't sell, such as a week or three months. */
export function everyOf({
  interval,
  intervalCount,
}: Pick<PriceInfo, 'interval' | 'intervalCount'>): PricePeriod | null {
  if (interval === 'month' && intervalCount === 12) return 'year'
  return intervalCount === 1 && (interval === 'month' || interval === 'year') ? interval : null
}

/** An owner may have named one's tier since. */
export function forgetUnnamedPrices(ctx: HasStripe): void {
  const { infoById, unnamed } = cacheOf(ctx)
  for (const id of unnamed) infoById.delete(id)
  unnamed.clear()
}

export const tierOfPrice = async (ctx: HasStripe, priceId: string) => (await readPrice(ctx, priceId)).tier

/** A tax rate's percentage, which never changes. `known` are rates that came with something else. */
export async function percentageOf(
  ctx: HasStripe,
  taxRateId: string,
  known: readonly Stripe.TaxRate[],
): Promise<number> {
  const { percentageById } = cacheOf(ctx)
  const cached = known.find(({ id }) => id === taxRateId)?.percentage ?? percentageById.get(taxRateId)
  if (cached !== undefined) return cached
  const { percentage } = await ctx.stripe.taxRates.retrieve(taxRateId)
  percentageById.set(taxRateId, percentage)
  return percentage
}
