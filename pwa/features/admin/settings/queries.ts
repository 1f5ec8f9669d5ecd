import { queryOptions } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { OwnersResponse } from '#shared/contract/owners.ts'
import { AdminSessionList } from '#shared/contract/sessions.ts'

/** `terminal` includes API tokens. */
export const ownLoginsQuery = (kind: 'browser' | 'terminal') =>
  queryOptions({
    queryKey: [adminKey, 'own-logins', kind],
    queryFn: () => parseResponse(AdminSessionList, api.api.admin.sessions.get({ query: { own: 'true', kind } })),
    staleTime: 0,
    refetchInterval: 60_000,
    refetchOnReconnect: true,
  })

export const ownersQuery = queryOptions({
  queryKey: [adminKey, 'owners'],
  queryFn: () => parseResponse(OwnersResponse, api.api.admin.owners.get()),
})
