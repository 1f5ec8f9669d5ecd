import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useQueryState } from '#pwa/lib/query-client.ts'
import { tiersQuery } from '#pwa/lib/tiers-query.ts'
import { useBackInRange } from '#pwa/lib/use-back-in-range.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'

/** `tiers` is empty if there are none, and if they couldn't load. */
export type TiersState = { tiers: readonly MembershipTier[]; isLoading: boolean; retry: () => void }

/** The tiers on sale. A failure is logged and looks like an empty list, for which the page offers a retry. */
export function useTiers(): TiersState {
  const client = useQueryClient()
  const state = useQueryState<MembershipTier[]>(tiersQuery.queryKey)
  useEffect(() => {
    client.prefetchQuery(tiersQuery)
  }, [client])
  // Reset, it isn't read again of itself: that's for queries with observers.
  const isReset = state?.status === 'pending' && state.fetchStatus === 'idle'
  useEffect(() => {
    if (isReset) client.prefetchQuery(tiersQuery)
  }, [client, isReset])
  const error = state?.error
  useEffect(() => {
    if (error) console.warn('The tiers could not be loaded:', error.message)
  }, [error])
  useBackInRange(Boolean(error), () => void client.prefetchQuery(tiersQuery))
  const tiers = state?.data ?? []
  const isAwaited = state === undefined || isReset || state.fetchStatus === 'fetching'
  // An empty list would count as fresh for as long as a full one.
  const retry = () => void client.prefetchQuery({ ...tiersQuery, staleTime: 0 })
  return { tiers, isLoading: isAwaited && tiers.length === 0, retry }
}
