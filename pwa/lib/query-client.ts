import { QueryClient, type QueryKey, type QueryState, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import type { PageState } from '#shared/contract/page.ts'
import { deviceStorage } from './storage.ts'

/** Where public responses outlive the page; the number is increased when the shape of what is cached changes. */
export const cachedResponsesKey = 'alliance-public-2'

const publicKeys = new Set<unknown>(['membership-tiers', 'site-content', 'blog'])

/** Whether a response is the same for everybody: only these outlive the page. */
export const isPublicKey = ([first]: QueryKey) => publicKeys.has(first)

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // By default a request made without signal waits for it, and the page that needs it with it. Ours fails at once, so
        // that the page can say so or show what is cached.
        networkMode: 'always',
        retry: false,
        refetchOnWindowFocus: false,
        // What failed for want of signal is requested again when it returns; what is there stays as it is being read.
        refetchOnReconnect: ({ state }) => state.data === undefined,
        staleTime: Number.POSITIVE_INFINITY,
        // No observer holds the data of a loader: with a time limit it would be collected while the page still shows it.
        gcTime: Number.POSITIVE_INFINITY,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })

/**
 * Removes every response about a person, from the page and the device; part of logging out. What is the same for everybody
 * stays: the next page may be requesting it just now.
 */
export function clearPersonalResponses(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => !isPublicKey(queryKey) })
  queryClient.getMutationCache().clear()
  deviceStorage.removeItem(cachedResponsesKey)
}

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

/** What the server put into the document for the browser to start with. */
export function readPageState(): PageState {
  const text = document.getElementById('state')?.textContent
  if (!text) throw new Error('The page came without its state')
  // Not checked: the text was written by the server that sent this script.
  return JSON.parse(text) as PageState
}
