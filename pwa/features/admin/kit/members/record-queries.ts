import { queryOptions } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { MemberRecord } from '#shared/contract/member-record.ts'

/** Every link to a member knows at least one of the two. */
export const memberRecordQuery = (idOrEmail: string) =>
  queryOptions({
    queryKey: [adminKey, 'member-record', idOrEmail],
    queryFn: () => parseResponse(MemberRecord, api.api.admin.members({ memberId: idOrEmail }).record.get()),
    staleTime: 0,
    refetchInterval: 5 * 60_000,
    refetchOnReconnect: true,
  })
