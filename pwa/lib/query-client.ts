import { QueryClient, type QueryKey, type QueryState, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import type { PageState } from '#shared/contract/page.ts'
import { deviceStorage } from './storage.ts'

/** Where public responses outlive the page. Increase the number when the cached shape changes. */
export const cachedResponsesKey = 'alliance-public-2'

const publicKeys = new Set<unknown>(['membership-tiers', 'site-content', 'blog'])

export const isPublicKey = ([first]: QueryKey) => publicKeys.has(first)

/** Who's at the owners' gate. It asks whether they're still logged in, and hears that they aren't, while all else is removed. */
export const gateKey = 'owner'

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // By default a request without signal waits for it, and so does the page that needs it. Ours fails straight away, so that
        // the page can say so or show what's cached.
        networkMode: 'always',
        retry: false,
        refetchOnWindowFocus: false,
        // When the signal returns we repeat what failed, but leave what's being read alone.
        refetchOnReconnect: ({ state }) => state.data === undefined,
        staleTime: Number.POSITIVE_INFINITY,
        // A loader's data has no observer, so with a time limit it could be collected while the page still shows it.
        gcTime: Number.POSITIVE_INFINITY,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })

/**
 * Removes every response about a person, from the page and the device, on logging out. Keeps public responses: the next page may be
 * requesting one right now. The owners' gate removes its own as it's left.
 */
export function clearPersonalResponses(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => !isPublicKey(queryKey) && queryKey[0] !== gateKey })
  queryClient.getMutationCache().clear()
  deviceStorage.removeItem(cachedResponsesKey)
}

/**
 * A query's cached data, and whether it's being fetched. Subscribes to the cache directly, because `useQuery` and its observers are
 * as large as all the other scripts on some pages.
 */
export function useQueryState<Data>(queryKey: QueryKey): QueryState<Data> | undefined {
  const client = useQueryClient()
  const subscribe = useCallback((onChange: () => void) => client.getQueryCache().subscribe(onChange), [client])
  const read = () => client.getQueryState<Data>(queryKey)
  return useSyncExternalStore(subscribe, read, read)
}

export function readPageState(): PageState {
  const text = document.getElementById('state')?.textContent
  if (!text) throw new Error('The page came without its state')
  // Not checked: the server that sent this script wrote the text.
  return JSON.parse(text) as PageState
}
