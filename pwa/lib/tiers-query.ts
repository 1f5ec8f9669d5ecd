import { queryOptions } from '@tanstack/react-query'
import { loadFile } from './load-file.ts'

export const tiersQuery = queryOptions({
  queryKey: ['membership-tiers'],
  queryFn: async () => (await loadFile(() => import('./public-requests.ts'))).requestTiers(),
  staleTime: 5 * 60_000,
})
