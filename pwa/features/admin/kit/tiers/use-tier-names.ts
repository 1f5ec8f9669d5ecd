import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { adminTiersQuery } from './queries.ts'

export type TierName = (slug: string) => string

const noTiers: readonly TierSlug[] = []

/** In display order, those that aren’t on sale too. Empty until they’ve loaded. */
export function useTierSlugs(): readonly TierSlug[] {
  const { data } = useQuery({ ...adminTiersQuery, staleTime: 60_000, select: slugsOf })
  return data ?? noTiers
}

const none: readonly AdminTier[] = []

/** What someone can be invited to: those that aren’t among the cards too. Empty until they’ve loaded. */
export function useTiersOnSale(): readonly AdminTier[] {
  const { data } = useQuery({ ...adminTiersQuery, staleTime: 60_000, select: onSale })
  return data ?? none
}

const onSale = (tiers: readonly AdminTier[]) =>
  tiers.filter(({ isActive, prices }) => isActive && prices.some(({ isOffered }) => isOffered))

/** The one that’s meant where nobody chooses. Empty until it has loaded. */
export function useDefaultTier(): TierSlug {
  const { data } = useQuery({ ...adminTiersQuery, staleTime: 60_000, select: defaultOf })
  return data ?? ''
}

const defaultOf = (tiers: readonly AdminTier[]) => tiers.find(({ isDefault }) => isDefault)?.slug

const slugsOf = (tiers: readonly AdminTier[]) => tiers.map(({ slug }) => slug)

export type TierList = { slugs: readonly TierSlug[]; nameOf: TierName }

export const useTierList = (): TierList => ({ slugs: useTierSlugs(), nameOf: useTierNames() })

/** Includes tiers that aren’t on sale. Empty text until they’ve loaded. */
export function useTierNames(): TierName {
  const { data, isPending } = useQuery({ ...adminTiersQuery, staleTime: 60_000 })
  return useCallback(
    (slug) => data?.find((tier) => tier.slug === slug)?.name ?? (isPending ? '' : slug),
    [data, isPending],
  )
}
