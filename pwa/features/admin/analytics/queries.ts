import { queryOptions } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { EventCountList } from '#shared/contract/admin-analytics.ts'

export const eventCountsQuery = queryOptions({
  queryKey: [adminKey, 'event-counts'],
  queryFn: () => parseResponse(EventCountList, api.api.admin.analytics.counts.get()),
  staleTime: 0,
  refetchOnReconnect: true,
})
