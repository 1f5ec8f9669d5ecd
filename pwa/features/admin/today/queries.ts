import { queryOptions } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Today } from '#shared/contract/today.ts'

export const todayQuery = queryOptions({
  queryKey: [adminKey, 'today'],
  queryFn: () => parseResponse(Today, api.api.admin.today.get()),
  staleTime: 0,
  refetchInterval: 5 * 60_000,
  refetchOnReconnect: true,
})
