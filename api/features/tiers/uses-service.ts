import type { Context } from '#api/context.ts'
import type { TierUses } from '#shared/contract/admin-tier.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { findAdminTier } from './admin-service.ts'
import { isShown, shownTiers, tierBySlug } from './service.ts'
import { figuresOf } from './uses-queries.ts'

/** Who is with a tier, what names it, and where it's shown. */
export function usesOfTier(ctx: Context, slug: TierSlug): TierUses {
  const { name, version } = findAdminTier(ctx, slug)
  return { slug, name, version, ...figuresOf(ctx, slug), pages: pagesOf(ctx, slug) }
}

/** The front page has the lowest price alone. */
function pagesOf(ctx: Context, slug: TierSlug): string[] {
  const tier = tierBySlug(ctx, slug)
  if (tier === undefined || !isShown(tier)) return []
  const lowest = Math.min(...shownTiers(ctx).map(({ price }) => price))
  return [
    ...(tier.price === lowest ? ['/'] : []),
    '/membership-tiers',
    '/membership-application',
    ...(tier.rejoinsNow ? ['/reactivate'] : []),
    ...(tier.rejoinsLater ? ['/reactivate-delayed'] : []),
  ]
}
