import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { deviceStorage } from './storage.ts'

/** Where public answers outlive the page; the number goes up when the shape of what is kept changes. */
export const keptAnswersKey = 'alliance-public-2'

const publicKeys = new Set<unknown>(['membership-tiers', 'site-content', 'blog'])

/** Whether an answer is the same for everybody: only these outlive the page. */
export const isPublicKey = ([first]: QueryKey) => publicKeys.has(first)

export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: Number.POSITIVE_INFINITY,
        // A page shows what its loader asked for, and nothing else holds on to that.
        gcTime: Number.POSITIVE_INFINITY,
      },
      mutations: { retry: false },
    },
  })

/**
 * Forgets every answer about a person, on the page and on the device; part of logging out. What is the same for everybody
 * stays: the next page may be asking for it just now.
 */
export const forgetAnswers = (queryClient: QueryClient) => {
  queryClient.removeQueries({ predicate: ({ queryKey }) => !isPublicKey(queryKey) })
  queryClient.getMutationCache().clear()
  deviceStorage.removeItem(keptAnswersKey)
}
