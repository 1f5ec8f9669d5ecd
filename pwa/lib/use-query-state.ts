import { type QueryKey, type QueryState, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'

/**
 * What the cache holds of a question, and that it is being asked. Follows the cache by itself: `useQuery` and its observers
 * weigh as much as some pages' other scripts together.
 */
export const useQueryState = <Data>(queryKey: QueryKey): QueryState<Data> | undefined => {
  const client = useQueryClient()
  const follow = useCallback((onChange: () => void) => client.getQueryCache().subscribe(onChange), [client])
  const read = () => client.getQueryState<Data>(queryKey)
  return useSyncExternalStore(follow, read, read)
}
