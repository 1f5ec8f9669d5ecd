import { queryOptions } from '@tanstack/react-query'
import type { ListDefinition } from '#pwa/features/admin/list/use-list.ts'
import { adminKey, requestListPage } from '#pwa/features/admin/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { AdminBooking } from '#shared/contract/inbox-entries.ts'
import { AdminMail } from '#shared/contract/mail.ts'
import { MemberActivity, MemberRecord } from '#shared/contract/member-record.ts'
import { AdminSession } from '#shared/contract/sessions.ts'

const calls = api.api.admin
const fiveMinutes = 5 * 60_000
const common = { idOf: ({ id }: { id: string }) => id, refreshMs: fiveMinutes }

/** Every link to a member knows at least one of the two. */
export const memberRecordQuery = (idOrEmail: string) =>
  queryOptions({
    queryKey: [adminKey, 'member-record', idOrEmail],
    queryFn: () => parseResponse(MemberRecord, calls.members({ memberId: idOrEmail }).record.get()),
    staleTime: 0,
    refetchInterval: fiveMinutes,
    refetchOnReconnect: true,
  })

export const callsOf = ({ email }: { email: string }): ListDefinition<AdminBooking> => ({
  ...common,
  name: `calls of ${email}`,
  request: (_address, page) =>
    requestListPage(AdminBooking, calls['coaching-bookings'].get({ query: { email, ...page } })),
})

export const mailsOf = ({ id }: { id: string }): ListDefinition<AdminMail> => ({
  ...common,
  name: `mails of ${id}`,
  refreshMs: 30_000,
  request: (_address, page) => requestListPage(AdminMail, calls.mail.get({ query: { member: id, ...page } })),
})

export const sessionsOf = ({ email }: { email: string }): ListDefinition<AdminSession> => ({
  ...common,
  name: `logins of ${email}`,
  request: (_address, page) => requestListPage(AdminSession, calls.sessions.get({ query: { email, ...page } })),
})

export const activityOf = ({ id }: { id: string }): ListDefinition<MemberActivity> => ({
  ...common,
  name: `activity of ${id}`,
  request: (_address, page) =>
    requestListPage(MemberActivity, calls.members({ memberId: id }).activity.get({ query: page })),
})
