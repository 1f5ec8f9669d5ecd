import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { adminTiersQuery } from './queries.ts'

export type TierName = (slug: string) => string

/** Includes tiers that aren’t on sale. Empty text until they’ve loaded. */
export function useTierNames(): TierName {
  const { data, isPending } = useQuery({ ...adminTiersQuery, staleTime: 60_000 })
  return useCallback(
    (slug) => data?.find((tier) => tier.slug === slug)?.name ?? (isPending ? '' : slug),
    [data, isPending],
  )
}
