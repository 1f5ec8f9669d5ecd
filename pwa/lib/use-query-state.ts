import { type QueryKey, type QueryState, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'

/**
 * What the cache holds of a query, and whether it is being fetched. Subscribes to the cache itself: `useQuery` and its
 * observers are as large as all other scripts of some pages.
 */
export function useQueryState<Data>(queryKey: QueryKey): QueryState<Data> | undefined {
  const client = useQueryClient()
  const subscribe = useCallback((onChange: () => void) => client.getQueryCache().subscribe(onChange), [client])
  const read = () => client.getQueryState<Data>(queryKey)
  return useSyncExternalStore(subscribe, read, read)
}
