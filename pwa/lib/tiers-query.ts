import { queryOptions } from '@tanstack/react-query'

export const tiersQuery = queryOptions({
  queryKey: ['membership-tiers'],
  queryFn: async () => (await import('./public-requests.ts')).requestTiers(),
  staleTime: 5 * 60_000,
})
