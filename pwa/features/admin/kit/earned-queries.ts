import { queryOptions } from '@tanstack/react-query'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Earned, type EarnedSpan } from '#shared/contract/earned.ts'
import { adminKey } from './queries.ts'

export const earnedQuery = (by: EarnedSpan) =>
  queryOptions({
    queryKey: [adminKey, 'earned', by],
    queryFn: () => parseResponse(Earned, api.api.admin.earned.get({ query: { by } })),
    staleTime: 0,
    refetchInterval: 5 * 60_000,
    refetchOnReconnect: true,
  })
