import { ask, askPage, typed } from '#cli/ask.ts'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { wrongUsage } from '#cli/exit.ts'
import { type Io, say } from '#cli/io.ts'
import { formatOf, isForScript, print } from '#cli/output.ts'
import { countOf, rowsOf } from '#cli/pages.ts'
import { mailReport, mailsReport } from '#cli/reports/mail.ts'
import { Email } from '#shared/contract/fields.ts'
import { AdminMail, AdminMailList, MailStatus } from '#shared/contract/mail.ts'

export type MailListOptions = SharedOptions & { limit?: string; status?: string; to?: string }

/** As many as a terminal shows without being asked for more. */
const screenful = 50

export async function listMail(io: Io, options: MailListOptions): Promise<void> {
  const isOnScreen = formatOf(io, options) === 'view'
  const wanted = options.limit === undefined ? (isOnScreen ? screenful : Infinity) : countOf(options.limit)
  const filter = {
    ...(options.status === undefined ? {} : { status: typed(MailStatus, options.status) }),
    ...(options.to === undefined ? {} : { to: typed(Email, options.to) }),
  }
  const { rows, hasMore } = await withClient(io, options, (client) =>
    rowsOf(wanted, (page) => askPage(AdminMailList, client.api.admin.mail.get({ query: { ...page, ...filter } }))),
  )
  await print(io, options, mailsReport(rows))
  if (hasMore && options.limit === undefined) {
    await say(io, `These are the newest ${rows.length}. For more give --limit, for all --csv or --json.`)
  }
}

export async function showMail(io: Io, options: SharedOptions, id: string): Promise<void> {
  const mailId = named(id)
  const mail = await withClient(io, options, (client) => ask(AdminMail, client.api.admin.mail({ mailId }).get()))
  await print(io, options, mailReport(mail))
}

export async function resendMail(io: Io, options: SharedOptions, id: string): Promise<void> {
  const mailId = named(id)
  const mail = await withClient(io, options, (client) =>
    ask(AdminMail, client.api.admin.mail({ mailId }).resend.post()),
  )
  await print(io, options, mailReport(mail))
  if (!isForScript(options)) await say(io, `On its way to ${mail.to} again.`)
}

function named(id: string): string {
  if (id === '') throw wrongUsage('Please name a mail by its id.')
  return encodeURIComponent(id)
}
