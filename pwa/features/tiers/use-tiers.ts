import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { tiersQuery } from './queries.ts'

/** What a TierChooser shows: `tiers` is empty when there are none and when they could not be loaded. */
export type TiersState = { tiers: readonly MembershipTier[]; isLoading: boolean; retry: () => void }

/**
 * The tiers on sale. A failure is logged and looks like an empty list, which offers a retry. Follows the cache by itself:
 * `useQuery` and its observers would come with every public page, which knows its tiers from the start.
 */
export const useTiers = (): TiersState => {
  const client = useQueryClient()
  const follow = useCallback((onChange: () => void) => client.getQueryCache().subscribe(onChange), [client])
  const read = () => client.getQueryState<MembershipTier[]>(tiersQuery.queryKey)
  const state = useSyncExternalStore(follow, read, read)
  useEffect(() => {
    client.prefetchQuery(tiersQuery)
  }, [client])
  const error = state?.error
  useEffect(() => {
    if (error) console.warn('The tiers could not be loaded:', error.message)
  }, [error])
  const tiers = state?.data ?? []
  const isAsked = state === undefined || state.fetchStatus === 'fetching'
  return { tiers, isLoading: isAsked && tiers.length === 0, retry: () => client.prefetchQuery(tiersQuery) }
}
