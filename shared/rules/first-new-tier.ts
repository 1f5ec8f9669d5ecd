import type { AdminTier } from '#shared/contract/admin-tier.ts'
import { shippedTierSlugs } from '#shared/contract/tier.ts'

const shipped: readonly string[] = shippedTierSlugs

/** What an owner is told before a first tier of their own: pages from before owners made tiers read the shipped ones alone. */
export const openPagesText = (tiers: readonly Pick<AdminTier, 'slug' | 'isActive' | 'isShown'>[]): string =>
  tiers.every(({ slug, isActive, isShown }) => !(isActive && isShown) || shipped.includes(slug))
    ? 'Anyone with an older version of the site open won’t see it until they refresh the page.'
    : ''
