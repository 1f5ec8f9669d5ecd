import type Stripe from 'stripe'
import type { Context } from '#api/context.ts'
import type { MembershipTier, TierSlug } from '#shared/contract/tier.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { vatRate } from '#shared/rules/money.ts'
import { isRejectedByStripe } from './errors.ts'
import { withIdempotencyKey } from './idempotency.ts'

type PriceFacts = { tier: TierSlug | null; net: number }
/** Neither amount nor tier of a price ever changes, so they are asked for once. */
type Catalogue = { prices: Map<string, string>; facts: Map<string, PriceFacts>; taxRate: string | null }

const catalogues = new WeakMap<Context, Catalogue>()
function catalogueOf(ctx: Context): Catalogue {
  const found = catalogues.get(ctx) ?? { prices: new Map(), facts: new Map(), taxRate: null }
  catalogues.set(ctx, found)
  return found
}

/**
 * The provider's price for a tier at its row's amount; made when it is first sold, found again by its lookup key. Whatever
 * holds that key without being such a price hands it over to one that is.
 */
export async function getOrCreatePrice(ctx: Context, tier: MembershipTier): Promise<string> {
  const lookupKey = `${tier.slug}_${tier.price}`
  const known = catalogueOf(ctx).prices.get(lookupKey)
  if (known !== undefined) return known
  const { data } = await ctx.stripe.prices.list({ lookup_keys: [lookupKey], limit: 1, expand: ['data.product'] })
  const [holder] = data
  const price =
    holder !== undefined && isOnSale(holder) && isPriceOf(tier, holder) ? holder : await makePrice(ctx, tier, holder)
  catalogueOf(ctx).prices.set(lookupKey, price.id)
  return price.id
}

function forgetPrice(ctx: Context, priceId: string): void {
  const { prices } = catalogueOf(ctx)
  for (const [lookupKey, id] of prices) if (id === priceId) prices.delete(lookupKey)
}

/**
 * Sells at the tier's price. One that the provider has refused may have been archived since it was found: it is looked up
 * afresh, and where that brings another, that one is sold.
 */
export async function withPriceOnSale<Result>(
  ctx: Context,
  tier: MembershipTier,
  sell: (price: string) => Promise<Result>,
): Promise<Result> {
  const price = await getOrCreatePrice(ctx, tier)
  try {
    return await sell(price)
  } catch (error) {
    if (isRejectedByStripe(error) && (await isPriceReplaced(ctx, tier, price)))
      return sell(await getOrCreatePrice(ctx, tier))
    throw error
  }
}

/** Whether a price that was refused has given way to another. */
export async function isPriceReplaced(ctx: Context, tier: MembershipTier, refused: string): Promise<boolean> {
  forgetPrice(ctx, refused)
  return (await getOrCreatePrice(ctx, tier)) !== refused
}

const isOnSale = ({ active, product }: Stripe.Price) =>
  active && typeof product === 'object' && !product.deleted && product.active

const isPriceOf = (tier: MembershipTier, price: Stripe.Price) =>
  price.unit_amount === tier.price &&
  price.currency === 'gbp' &&
  price.recurring?.interval === 'month' &&
  price.recurring.interval_count === 1 &&
  price.tax_behavior !== 'inclusive' &&
  tierOf(price) === tier.slug

/** `holder` has had the lookup key until now; it is part of the idempotency key, which would bring an archived price back. */
function makePrice(ctx: Context, tier: MembershipTier, holder: Stripe.Price | undefined): Promise<Stripe.Price> {
  const lookupKey = `${tier.slug}_${tier.price}`
  return withIdempotencyKey(ctx, `price:${tier.id}:${lookupKey}:${holder?.id ?? 'first'}`, (options) =>
    ctx.stripe.prices.create(
      {
        currency: 'gbp',
        unit_amount: tier.price,
        recurring: { interval: 'month' },
        tax_behavior: 'exclusive',
        lookup_key: lookupKey,
        transfer_lookup_key: true,
        metadata: { tier: tier.slug },
        product_data: { name: tier.name, metadata: { tier: tier.slug } },
      },
      options,
    ),
  )
}

/** 20 % VAT, added on top, as a tax rate at the provider. */
export async function getOrCreateVatRate(ctx: Context): Promise<string> {
  const catalogue = catalogueOf(ctx)
  if (catalogue.taxRate !== null) return catalogue.taxRate
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
  catalogue.taxRate = rate.id
  return rate.id
}

export const tierOf = (price: Pick<Stripe.Price, 'metadata'>): TierSlug | null =>
  tierSlugs.find((slug) => slug === price.metadata.tier) ?? null

/** What a price of the provider was made for: a tier, null where it is not one of ours; and pence excluding VAT. */
export async function readPrice(ctx: Context, priceId: string): Promise<PriceFacts> {
  const { facts } = catalogueOf(ctx)
  const known = facts.get(priceId)
  if (known !== undefined) return known
  const price = await ctx.stripe.prices.retrieve(priceId)
  const found = { tier: tierOf(price), net: price.unit_amount ?? 0 }
  facts.set(priceId, found)
  return found
}

export const tierOfPrice = async (ctx: Context, priceId: string) => (await readPrice(ctx, priceId)).tier
