import { queryOptions } from '@tanstack/react-query'

/** The membership tiers, fresh for 5 minutes. */
export const tiersQuery = queryOptions({
  queryKey: ['membership-tiers'],
  queryFn: async () => (await import('#pwa/lib/public-requests.ts')).requestTiers(),
  staleTime: 5 * 60_000,
})
