import { dehydrate, hydrate, type Query, QueryClient } from '@tanstack/react-query'

/** First parts of the keys of public data, the only answers that outlive the page. */
const keptKeys = new Set<unknown>(['membership-tiers'])

/** The number goes up when the shape of what is kept changes. */
const storageKey = 'alliance-public-1'

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: Number.POSITIVE_INFINITY,
      },
      mutations: { retry: false },
    },
  })

const isKept = ({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>) =>
  state.status === 'success' && keptKeys.has(queryKey[0])

const restore = (queryClient: QueryClient) => {
  try {
    hydrate(queryClient, JSON.parse(window.localStorage.getItem(storageKey) ?? 'null'))
  } catch {
    window.localStorage.removeItem(storageKey)
  }
}

const save = (queryClient: QueryClient) => {
  try {
    window.localStorage.setItem(storageKey, JSON.stringify(dehydrate(queryClient, { shouldDehydrateQuery: isKept })))
  } catch {
    // A full or closed storage costs only the copy for the next time without signal.
  }
}

/** Keeps public data on this device, so that it is there without signal; returns how to stop. */
export const keepPublicData = (queryClient: QueryClient) => {
  restore(queryClient)
  return queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && isKept(query)) save(queryClient)
  })
}

/** Forgets every answer, on the page and on the device; part of logging out. */
export const forgetAnswers = (queryClient: QueryClient) => {
  queryClient.clear()
  window.localStorage.removeItem(storageKey)
}
