import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { emptyLabel, timeLabel } from '#cli/labels.ts'
import { type ListOptions, printList } from '#cli/list.ts'
import { isForScript, note, printRecord } from '#cli/output.ts'
import { confirm } from '#cli/prompt.ts'
import { parseArgument, parseOption, request, requestPage } from '#cli/request.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { Email } from '#shared/contract/fields.ts'
import { type AdminSession, AdminSessionList, RevokeSessionsResponse } from '#shared/contract/sessions.ts'
import { plural } from '#shared/rules/plural.ts'

type FilterOptions = ListOptions & { email?: string }
type RevokeOptions = SharedOptions & { yes?: true }

export function registerSessions(sessions: Command, io: Io): void {
  sessions
    .command('list')
    .description('List the open logins of browsers and terminals, the newest first')
    .option('-e, --email <address>', 'only those of this account')
    .option('-n, --limit <count>', 'maximum number of rows')
    .addHelpText('after', examples('sessions list', 'sessions list --email sam@example.com'))
    .action((_own, command: Command) => listSessions(io, command.optsWithGlobals()))
  sessions
    .command('revoke <id-or-email>')
    .description('End one login, or all logins of an account')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', examples('sessions revoke sam@example.com'))
    .action((given: string, _own, command: Command) => revokeSessions(io, command.optsWithGlobals(), given))
}

const sessionsTable: Table<AdminSession> = {
  title: 'Open logins',
  empty: 'Nobody is logged in.',
  columns: [
    { title: 'ID', text: ({ id }) => id },
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 16 },
    { title: 'KIND', text: ({ kind, isOwner }) => (isOwner ? `${kind}, owner` : kind), dropOrder: 2 },
    { title: 'NAME', text: ({ name }) => name ?? emptyLabel, dropOrder: 1 },
    { title: 'SINCE', text: ({ createdAt }) => timeLabel(createdAt), dropOrder: 3 },
    { title: 'LAST SEEN', text: ({ lastSeenAt }) => timeLabel(lastSeenAt), dropOrder: 4 },
    { title: 'UNTIL', text: ({ expiresAt }) => timeLabel(expiresAt), tone: () => 'muted', dropOrder: 5 },
  ],
  csv: csvFields(['id', 'kind', 'email', 'isOwner', 'name', 'createdAt', 'lastSeenAt', 'expiresAt']),
}

function listSessions(io: Io, options: FilterOptions): Promise<void> {
  const email = options.email === undefined ? {} : { email: parseOption(Email, options.email, '--email') }
  return printList(io, options, {
    table: sessionsTable,
    requestPage: ({ api }, query) =>
      requestPage(AdminSessionList, api.admin.sessions.get({ query: { ...query, ...email } })),
  })
}

async function revokeSessions(io: Io, options: RevokeOptions, given: string): Promise<void> {
  const body = given.includes('@') ? { email: parseArgument(Email, given) } : { id: given }
  const what = 'email' in body ? `Log ${body.email} out everywhere?` : `End the login ${given}?`
  await confirm(io, what, options.yes === true)
  const result = await withClient(io, options, ({ api }) =>
    request(RevokeSessionsResponse, api.admin.sessions.revoke.post(body)),
  )
  if (isForScript(options)) await printRecord(io, options, result)
  else await note(io, options, `${plural(result.revoked, 'login')} ended.`)
}
