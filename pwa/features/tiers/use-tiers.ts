import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { tiersQuery } from './queries.ts'

/** What a TierChooser shows: `tiers` is empty when there are none and when they could not be loaded. */
export type TiersState = { tiers: readonly MembershipTier[]; isLoading: boolean; retry: () => void }

/** The tiers on sale. A failure is logged and looks like an empty list, which offers a retry. */
export const useTiers = (): TiersState => {
  const { data = [], error, isFetching, isPending, refetch } = useQuery(tiersQuery)
  useEffect(() => {
    if (error) console.warn('The tiers could not be loaded:', error.message)
  }, [error])
  return { tiers: data, isLoading: isFetching && (isPending || data.length === 0), retry: refetch }
}
