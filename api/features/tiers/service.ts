import { asc, eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { membershipTiers, tierPrices, tierSlugs } from '#api/db/schema/tiers.ts'
import { AppError, invalidField, notFound } from '#api/errors.ts'
import { invalidateResponsesAt } from '#api/serving/kept-answers.ts'
import type { PricedTier } from '#api/stripe/prices.ts'
import { shippedLowestPrice, tierSeeds } from '#data/seed/tiers.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import { MembershipTierList, type TierSlug } from '#shared/contract/tier.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { londonDay, londonInstant } from '#shared/rules/london.ts'
import { withVat } from '#shared/rules/money.ts'
import { lowestPriceLine } from '#shared/rules/price-mentions.ts'
import { tierPriceChanged, unknownTier } from '#shared/values/tier-words.ts'
import { seeVideosLike } from './videos-service.ts'

export type TierRow = typeof membershipTiers.$inferSelect
export type PriceRow = typeof tierPrices.$inferSelect

/**
 * A tier's row with the prices it has now, the month's first, offered or not. `price` is what a month comes to: the offered price by
 * the month, else a twelfth of the year's, rounded up.
 */
export type Tier = TierRow & { prices: PriceRow[]; price: number }

/**
 * The row with the price it has now. A waiting price is the tier's, and on sale, from 00:00 in London on its day: the day alone decides,
 * so it's right whatever was off or restored, and no job has to run. What's cached is read again then.
 */
function atPresent(ctx: Context, row: PriceRow): PriceRow {
  const { nextPrice: next } = row
  if (next === null) return row
  if (next.from <= londonDay(ctx.billingNow()))
    return { ...row, net: next.net, stripePriceId: next.stripePriceId, isOffered: true, nextPrice: null }
  invalidateResponsesAt(ctx, londonInstant(next.from, '00:00'), 'billingNow')
  return row
}

function withPrices(ctx: Context, row: TierRow, rows: readonly PriceRow[]): Tier {
  const prices = rows.filter(({ tierSlug }) => tierSlug === row.slug).map((price) => atPresent(ctx, price))
  return { ...row, prices, price: monthly(prices.find(({ isOffered }) => isOffered) ?? prices[0]) }
}

const monthly = (price: PriceRow | undefined) =>
  price === undefined ? 0 : price.every === 'month' ? price.net : Math.ceil(price.net / 12)

const rowsInOrder = preparedQuery()((db) =>
  db.select().from(membershipTiers).orderBy(asc(membershipTiers.orderIndex), asc(membershipTiers.id)),
)
const allPrices = preparedQuery()((db) => db.select().from(tierPrices).orderBy(asc(tierPrices.every)))

/** All there are, offered or not, in display order. */
export function allTiers(ctx: Context): Tier[] {
  const prices = allPrices.all(ctx)
  return rowsInOrder.all(ctx).map((row) => withPrices(ctx, row, prices))
}

/** What visitors and members are offered, in display order. */
export const shownTiers = (ctx: Context): Tier[] => allTiers(ctx).filter(isShown)

/** One that isn't among the cards is only sold to who was invited to it. */
export const isOnSale = ({ isActive, prices }: Tier) => isActive && prices.some(({ isOffered }) => isOffered)

export const isShown = (tier: Tier) => tier.isShown && isOnSale(tier)

export const listTiers = (ctx: Context): MembershipTierList =>
  v.parse(MembershipTierList, { success: true, tiers: shownTiers(ctx).map(toWire) })

/** As the contract has it. */
export const toWire = (tier: Tier) => ({
  ...tier,
  prices: tier.prices
    .filter(({ isOffered }) => isOffered)
    .map(({ id, every, net }) => ({ id, every, ...withVat(net) })),
  stripePriceId: tier.prices.find(({ every }) => every === 'month')?.stripePriceId ?? null,
})

export function withLowestPrice(ctx: Context, site: SiteContent): SiteContent {
  const lowest = lowestPriceLine(site.prices.lowest, listTiers(ctx).tiers, {
    line: shippedLowestPrice,
    tiers: tierSeeds,
  })
  return { ...site, prices: { ...site.prices, lowest } }
}

const rowBySlug = preparedQuery<{ slug: TierSlug }>()((db, { slug }) =>
  db.select().from(membershipTiers).where(eq(membershipTiers.slug, slug)),
)
const pricesBySlug = preparedQuery<{ slug: TierSlug }>()((db, { slug }) =>
  db.select().from(tierPrices).where(eq(tierPrices.tierSlug, slug)).orderBy(asc(tierPrices.every)),
)

/** A tier, offered or not: members stay on one that's been retired. */
export function tierBySlug(ctx: Context, slug: TierSlug): Tier | undefined {
  const row = rowBySlug.get(ctx, { slug })
  return row && withPrices(ctx, row, pricesBySlug.all(ctx, { slug }))
}

export function knownTier(ctx: Context, slug: TierSlug): Tier {
  const tier = tierBySlug(ctx, slug)
  if (tier === undefined) throw notFound('This tier')
  return tier
}

/** The same for lists: reads all tiers together. */
export function tiersBySlug(ctx: Context): (slug: TierSlug) => Tier | undefined {
  const tiers = new Map(allTiers(ctx).map((row) => [row.slug, row]))
  return (slug) => tiers.get(slug)
}

/** Refuses what no row is called, at the field that named it. */
export function assertTier(ctx: Context, field: string, slug: TierSlug): void {
  if (rowBySlug.get(ctx, { slug }) !== undefined) return
  throw invalidField(field, unknownTier)
}

export function assertTiers(ctx: Context, field: string, slugs: readonly TierSlug[]): void {
  for (const [at, slug] of slugs.entries()) assertTier(ctx, `${field}.${at}`, slug)
}

/** Includes tiers that aren't on sale. */
export function tierNames(ctx: Context): (slug: TierSlug) => string {
  const tier = tiersBySlug(ctx)
  return (slug) => tier(slug)?.name ?? slug
}

/** Meant where nobody named one. */
export function defaultTierSlug(ctx: Context): TierSlug {
  const tiers = rowsInOrder.all(ctx)
  const found = tiers.find(({ isDefault }) => isDefault) ?? tiers.find(({ isActive }) => isActive) ?? tiers[0]
  if (found === undefined) throw new Error('There is no tier.')
  return found.slug
}

/** A tier at one of its prices: what's asked of Stripe. */
export const atPrice = ({ id, slug, name }: Pick<Tier, 'id' | 'slug' | 'name'>, price: PriceRow): PricedTier => ({
  id,
  slug,
  name,
  price: price.net,
  every: price.every,
  tierPriceId: price.id,
})

/**
 * The price a call means: the one it named, or else the month's. Refused if it's another tier's, isn't offered any more, or if nobody
 * named one of a tier that has none by the month.
 */
export function priceMeant(ctx: Context, tier: Tier, priceId: string | undefined): PricedTier {
  const found = tier.prices.find(({ id, every }) => (priceId === undefined ? every === 'month' : id === priceId))
  if (found?.isOffered) return atPrice(tier, found)
  throw priceChanged(ctx, priceId === undefined ? 'Choose again: this tier is paid by the year.' : tierPriceChanged)
}

/** With the tiers as they are now. */
export const priceChanged = (ctx: Context, sentence = tierPriceChanged) =>
  new AppError('price_changed', sentence, { tiers: listTiers(ctx).tiers })

type Wanted = { slug: TierSlug; priceId?: string | undefined; tierPrice?: number | undefined }

/**
 * The tier, if it's sold to this person. Who names a price of it was shown one: if it has been taken off sale since, they choose
 * again. Any other call, such as an old link's, is refused at `field`.
 */
export function tierToBuy(ctx: Context, field: string, { slug, ...shown }: Wanted, { isInvited = false } = {}): Tier {
  const tier = tierBySlug(ctx, slug)
  if (tier !== undefined && (isInvited ? isOnSale(tier) : isShown(tier))) return tier
  const sentence = 'We don’t sell this tier at the moment. Choose another.'
  const wasShown = (shown.priceId ?? shown.tierPrice) !== undefined && (isInvited || tier?.isShown)
  if (wasShown) throw priceChanged(ctx, sentence)
  throw invalidField(field, tier === undefined ? unknownTier : sentence)
}

/** Names that differ only in case, accents or spacing are the same to a reader. */
export const isSameName = (one: string, other: string) => comparable(one) === comparable(other)

const comparable = (name: string) => foldText(name).replace(/\s+/g, ' ')

const knownSlugs = preparedQuery()((db) => db.select().from(tierSlugs))

/**
 * Lays each shipped tier once. `tier_slugs` says which were: what an owner deletes stays deleted. One whose name is taken is left
 * out for good, and the start goes on.
 */
export function ensureTiers(ctx: Context): void {
  const known = new Set(knownSlugs.all(ctx).map(({ slug }) => slug))
  const missing = tierSeeds.filter(({ slug }) => !known.has(slug))
  if (missing.length === 0) return
  transact(ctx, () => {
    for (const seed of missing) layTier(ctx, seed)
  })
}

function layTier(ctx: Context, { price, videosLike, ...tier }: (typeof tierSeeds)[number]): void {
  const at = ctx.now().toISOString()
  const others = rowsInOrder.all(ctx)
  if (others.some(({ name }) => isSameName(name, tier.name))) {
    insertRow(ctx, tierSlugs, { slug: tier.slug })
    return
  }
  const isDefault = tier.isDefault && !others.some((other) => other.isDefault)
  const orderIndex = Math.max(-1, ...others.map((other) => other.orderIndex)) + 1
  const stamps = { createdAt: at, updatedAt: at }
  insertRow(ctx, membershipTiers, { ...tier, isDefault, orderIndex, id: ctx.newId(), ...stamps })
  insertRow(ctx, tierPrices, { id: ctx.newId(), tierSlug: tier.slug, every: 'month', net: price, ...stamps })
  if (videosLike !== undefined) seeVideosLike(ctx, tier.slug, videosLike)
}
