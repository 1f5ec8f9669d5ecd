import { asc, eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { AppError } from '#api/errors.ts'
import { invalidateResponsesAt } from '#api/serving/kept-answers.ts'
import { shippedLowestPrice, tierSeeds } from '#data/seed/tiers.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import { type MembershipTier, MembershipTierList, type TierSlug } from '#shared/contract/tier.ts'
import { londonDay, londonInstant } from '#shared/rules/london.ts'
import { lowestPriceLine } from '#shared/rules/price-mentions.ts'
import { unknownTier } from '#shared/values/tier-words.ts'

type Row = typeof membershipTiers.$inferSelect

/**
 * The row with the price it has now. A waiting price is the tier's from 00:00 in London on its day: the day alone decides, so it's
 * right whatever was off or restored, and no job has to run. What's cached is read again then.
 */
export function atPresent<Tier extends Pick<Row, 'price' | 'stripePriceId' | 'nextPrice'>>(
  ctx: Context,
  row: Tier,
): Tier {
  const { nextPrice: next } = row
  if (next === null) return row
  if (next.from <= londonDay(ctx.billingNow())) {
    return { ...row, price: next.price, stripePriceId: next.stripePriceId, nextPrice: null }
  }
  invalidateResponsesAt(ctx, londonInstant(next.from, '00:00'), 'billingNow')
  return row
}

/** In display order. */
export function listTiers(ctx: Context): MembershipTierList {
  const tiers = ctx.db
    .select()
    .from(membershipTiers)
    .where(eq(membershipTiers.isActive, true))
    .orderBy(asc(membershipTiers.orderIndex))
    .all()
    .map((row) => atPresent(ctx, row))
  return v.parse(MembershipTierList, { success: true, tiers })
}

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

/** A tier's row, on sale or not: members stay on a tier that's been hidden. */
export function tierBySlug(ctx: Context, slug: TierSlug): Row | undefined {
  const row = rowBySlug.get(ctx, { slug })
  return row && atPresent(ctx, row)
}

/** The same for lists: reads all tiers together. */
export function tiersBySlug(ctx: Context): (slug: TierSlug) => MembershipTier | undefined {
  const tiers = new Map(allTiers(ctx).map((row) => [row.slug, row]))
  return (slug) => tiers.get(slug)
}

/** All there are, on sale or not, in display order. */
export const allTiers = (ctx: Context): MembershipTier[] =>
  ctx.db
    .select()
    .from(membershipTiers)
    .orderBy(asc(membershipTiers.orderIndex))
    .all()
    .map((row) => atPresent(ctx, row))

/** Refuses what no row is called, at the field that named it. */
export function assertTier(ctx: Context, field: string, slug: TierSlug): void {
  if (rowBySlug.get(ctx, { slug }) !== undefined) return
  throw new AppError('invalid', unknownTier, { fields: { [field]: unknownTier } })
}

export function assertTiers(ctx: Context, field: string, slugs: readonly TierSlug[]): void {
  for (const [at, slug] of slugs.entries()) assertTier(ctx, `${field}.${at}`, slug)
}

/** Includes tiers that aren't on sale. */
export function tierNames(ctx: Context): (slug: TierSlug) => string {
  const tier = tiersBySlug(ctx)
  return (slug) => tier(slug)?.name ?? slug
}

/** Inserts missing tiers and keeps the owners' changes to existing ones. */
export function ensureTiers(ctx: Context): void {
  const at = ctx.now().toISOString()
  for (const tier of tierSeeds) {
    ctx.db
      .insert(membershipTiers)
      .values({ ...tier, features: [...tier.features], id: ctx.newId(), createdAt: at, updatedAt: at })
      .onConflictDoNothing({ target: membershipTiers.slug })
      .run()
  }
}
