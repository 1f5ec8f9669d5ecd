import type { Context } from '#api/context.ts'
import type { TierUses } from '#shared/contract/admin-tier.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { knownTier } from './service.ts'
import { figuresOf } from './uses-queries.ts'

/** Who is with a tier, and what names it. */
export function usesOfTier(ctx: Context, slug: TierSlug): TierUses {
  const { name, version } = knownTier(ctx, slug)
  return { slug, name, version, ...figuresOf(ctx, slug) }
}
