import { emptyLabel, timeLabel } from '#cli/labels.ts'
import { recordOutput } from '#cli/output.ts'
import { parseArgument, parseOption, request, requestPage, withoutUnset } from '#cli/request.ts'
import { changeRow, listRow, registersRows } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { Email } from '#shared/contract/fields.ts'
import { type AdminSession, AdminSessionList, RevokeSessionsResponse } from '#shared/contract/sessions.ts'
import { plural } from '#shared/rules/plural.ts'

const sessionsTable: Table<AdminSession> = {
  title: 'Open logins',
  empty: 'No one’s logged in.',
  columns: [
    { title: 'ID', text: ({ id }) => id },
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 16 },
    { title: 'KIND', text: ({ kind, isOwner }) => (isOwner ? `${kind}, owner` : kind), dropOrder: 2 },
    { title: 'NAME', text: ({ name }) => name ?? emptyLabel, dropOrder: 1 },
    { title: 'SINCE', text: ({ createdAt }) => timeLabel(createdAt), dropOrder: 3 },
    { title: 'LAST SEEN', text: ({ lastSeenAt }) => timeLabel(lastSeenAt), dropOrder: 4 },
    { title: 'EXPIRES', text: ({ expiresAt }) => timeLabel(expiresAt), tone: () => 'muted', dropOrder: 5 },
  ],
  csv: csvFields(['id', 'kind', 'email', 'isOwner', 'name', 'createdAt', 'lastSeenAt', 'expiresAt']),
}

const list = listRow({
  usage: 'list',
  description: 'List browser and terminal logins, newest first',
  options: [['-e, --email <address>', 'only this account’s']],
  examples: ['list', 'list --email sam@example.com'],
  table: sessionsTable,
  pages({ option }) {
    const email = withoutUnset({ email: parseOption(Email, option('email'), '--email') })
    return ({ api }, query) => requestPage(AdminSessionList, api.admin.sessions.get({ query: { ...query, ...email } }))
  },
})

type Ended = { email: string } | { id: string }

const revoke = changeRow<Ended>({
  usage: 'revoke <id-or-email>',
  description: 'End one login, or all of an account’s logins',
  examples: ['revoke sam@example.com --dry-run', 'revoke sam@example.com'],
  asks: true,
  plan({ argument }) {
    const given = argument(0)
    const facts: Ended = given.includes('@') ? { email: parseArgument(Email, given) } : { id: given }
    const question = 'email' in facts ? `Log ${facts.email} out everywhere?` : `End login ${given}?`
    const details = [{ label: 'Ends', value: 'email' in facts ? `every login of ${facts.email}` : given }]
    const output = recordOutput('Plan', details, { ...facts })
    return async () => ({ facts, output, question })
  },
  apply:
    (_call, body) =>
    async ({ api }) => {
      const record = await request(RevokeSessionsResponse, api.admin.sessions.revoke.post(body))
      return { sentence: `${plural(record.revoked, 'login')} ended.`, record }
    },
})

export const sessionRows = [list, revoke]

export const registerSessions = registersRows(sessionRows)
