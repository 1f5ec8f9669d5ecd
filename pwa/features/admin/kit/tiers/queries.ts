import { queryOptions } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { AdminTierList } from '#shared/contract/admin-tier.ts'

/** Includes tiers that aren’t on sale. */
export const adminTiersQuery = queryOptions({
  queryKey: [adminKey, 'tiers'],
  queryFn: () => parseResponse(AdminTierList, api.api.admin.tiers.get()),
  staleTime: 0,
  refetchOnReconnect: true,
})
