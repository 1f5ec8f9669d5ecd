import { queryOptions } from '@tanstack/react-query'

/** The membership tiers, fresh for 5 minutes. The API's client and the contract come with the first call. */
export const tiersQuery = queryOptions({
  queryKey: ['membership-tiers'],
  queryFn: async () => (await import('./ask-for-tiers.ts')).askForTiers(),
  staleTime: 5 * 60_000,
})
