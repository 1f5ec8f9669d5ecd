import type { AdminTier } from '#shared/contract/admin-tier.ts'
import { shippedTierSlugs } from '#shared/contract/tier.ts'

const shipped: readonly string[] = shippedTierSlugs

/** What an owner is told before a first tier of their own: pages from before owners made tiers read the shipped ones alone. */
export const openPagesText = (tiers: readonly Pick<AdminTier, 'slug' | 'isActive' | 'isShown'>[]): string =>
  tiers.every(({ slug, isActive, isShown }) => !(isActive && isShown) || shipped.includes(slug))
    ? 'Pages of an older version that are open now can’t show it until they’re opened again.'
    : ''
