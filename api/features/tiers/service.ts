import { asc, eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { shippedLowestPrice, tierSeeds } from '#data/seed/tiers.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import { type MembershipTier, MembershipTierList, type TierSlug } from '#shared/contract/tier.ts'
import { lowestPriceLine } from '#shared/rules/price-mentions.ts'

/** In display order. */
export function listTiers(ctx: Context): MembershipTierList {
  const tiers = ctx.db
    .select()
    .from(membershipTiers)
    .where(eq(membershipTiers.isActive, true))
    .orderBy(asc(membershipTiers.orderIndex))
    .all()
  return v.parse(MembershipTierList, { success: true, tiers })
}

export function withLowestPrice(ctx: Context, site: SiteContent): SiteContent {
  const lowest = lowestPriceLine(site.prices.lowest, listTiers(ctx).tiers, {
    line: shippedLowestPrice,
    tiers: tierSeeds,
  })
  return { ...site, prices: { ...site.prices, lowest } }
}

/** A tier's row, on sale or not: members stay on a tier that's been hidden. */
export function tierBySlug(ctx: Context, slug: TierSlug): MembershipTier | undefined {
  return ctx.db.select().from(membershipTiers).where(eq(membershipTiers.slug, slug)).get()
}

/** The same for lists: reads all tiers together. */
export function tiersBySlug(ctx: Context): (slug: TierSlug) => MembershipTier | undefined {
  const tiers = new Map(
    ctx.db
      .select()
      .from(membershipTiers)
      .all()
      .map((tier) => [tier.slug, tier]),
  )
  return (slug) => tiers.get(slug)
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
