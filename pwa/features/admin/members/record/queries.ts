import type { ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api } from '#pwa/lib/api.ts'
import { AdminBooking } from '#shared/contract/inbox-entries.ts'
import { AdminMail } from '#shared/contract/mail.ts'
import { MemberActivity } from '#shared/contract/member-record.ts'
import { AdminSession } from '#shared/contract/sessions.ts'

const calls = api.api.admin
const fiveMinutes = 5 * 60_000
const common = { idOf: ({ id }: { id: string }) => id, refreshMs: fiveMinutes }

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
