import { asc, eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { shippedLowestPrice, tierSeeds } from '#data/seed/tiers.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import { type MembershipTier, MembershipTierList, type TierSlug } from '#shared/contract/tier.ts'
import { lowestPriceLine } from '#shared/rules/lowest-price.ts'

/** The tiers on sale, in their order. */
export function listTiers(ctx: Context): MembershipTierList {
  const tiers = ctx.db
    .select()
    .from(membershipTiers)
    .where(eq(membershipTiers.isActive, true))
    .orderBy(asc(membershipTiers.orderIndex))
    .all()
  return v.parse(MembershipTierList, { success: true, tiers })
}

/** The content with the price line of the front page as it is to be read today. */
export function withLowestPrice(ctx: Context, site: SiteContent): SiteContent {
  const lowest = lowestPriceLine(site.prices.lowest, listTiers(ctx).tiers, {
    line: shippedLowestPrice,
    tiers: tierSeeds,
  })
  return { ...site, prices: { ...site.prices, lowest } }
}

/** The row of a tier, on sale or not: members stay in a tier that left the list. */
export function tierBySlug(ctx: Context, slug: TierSlug): MembershipTier | undefined {
  return ctx.db.select().from(membershipTiers).where(eq(membershipTiers.slug, slug)).get()
}

/** What a tier is called, on sale or not; all are read at once, for lists. */
export function tierNames(ctx: Context): (slug: TierSlug) => string {
  const rows = ctx.db.select({ slug: membershipTiers.slug, name: membershipTiers.name }).from(membershipTiers).all()
  const names = new Map(rows.map(({ slug, name }) => [slug, name]))
  return (slug) => names.get(slug) ?? slug
}

/** Inserts the tiers that are not there yet; what the owners changed in them stays. */
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
