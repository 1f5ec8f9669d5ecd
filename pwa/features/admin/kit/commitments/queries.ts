import { queryOptions } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { MemberCommitments } from '#shared/contract/commitments.ts'

export const commitmentsQuery = (memberId: string) =>
  queryOptions({
    queryKey: [adminKey, 'commitments', memberId],
    queryFn: () => parseResponse(MemberCommitments, api.api.admin.members({ memberId }).commitments.get()),
    staleTime: 0,
    refetchOnReconnect: true,
  })
