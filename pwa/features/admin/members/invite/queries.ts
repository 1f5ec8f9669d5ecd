import { queryOptions } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { MemberInvitationList } from '#shared/contract/member-invitations.ts'

export const invitationsQuery = queryOptions({
  queryKey: [adminKey, 'invitations'],
  queryFn: () => parseResponse(MemberInvitationList, api.api.admin.invitations.get()),
})
