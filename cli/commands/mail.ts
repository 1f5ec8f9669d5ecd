import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { emptyLabel, timeLabel, yesNoLabel } from '#cli/labels.ts'
import { type ListOptions, printList } from '#cli/list.ts'
import { csvSheet, note, print, sectionsOutput } from '#cli/output.ts'
import { parseOption, request, requestPage, requireText } from '#cli/request.ts'
import { csvFields, type Detail, type Table, type Tone } from '#cli/table.ts'
import { Email } from '#shared/contract/fields.ts'
import { AdminMail, AdminMailList, MailStatus } from '#shared/contract/mail.ts'

export function registerMail(mail: Command, io: Io): void {
  mail
    .command('list')
    .description("List mail with its status and the mail server's last error, the newest first")
    .option('-n, --limit <count>', 'maximum number of rows')
    .option('-s, --status <status>', 'filter by status: waiting, sending, sent, refused or failed')
    .option('-t, --to <address>', 'filter by recipient')
    .addHelpText('after', examples('mail list --status refused', 'mail list --to sam@example.com'))
    .action((_own, command: Command) => listMail(io, command.optsWithGlobals()))
  mail
    .command('show <id>')
    .description('Show one mail: recipient, subject, attempts and times, but not its text')
    .addHelpText('after', examples('mail show 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'))
    .action((id: string, _own, command: Command) => showMail(io, command.optsWithGlobals(), id))
  mail
    .command('resend <id>')
    .description('Resend a mail that was refused or that failed')
    .addHelpText('after', examples('mail resend 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'))
    .action((id: string, _own, command: Command) => resendMail(io, command.optsWithGlobals(), id))
}

const statusLabels: Record<MailStatus, { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'muted' },
  sending: { label: 'Sending', tone: 'muted' },
  sent: { label: 'Sent', tone: 'success' },
  refused: { label: 'Refused', tone: 'error' },
  failed: { label: 'Failed', tone: 'error' },
}

const mailTable: Table<AdminMail> = {
  title: 'Mail',
  empty: 'No mail.',
  columns: [
    { title: 'ID', text: ({ id }) => id, tone: () => 'muted', dropOrder: 2 },
    { title: 'TO', text: ({ to }) => to, minWidth: 18 },
    { title: 'SUBJECT', text: ({ subject }) => subject, minWidth: 16 },
    { title: 'KIND', text: ({ kind }) => kind, dropOrder: 3 },
    {
      title: 'STATUS',
      text: ({ status }) => statusLabels[status].label,
      tone: ({ status }) => statusLabels[status].tone,
    },
    { title: 'TRIES', text: ({ attempts }) => String(attempts), align: 'right' },
    { title: 'LAST ERROR', text: ({ lastError }) => lastError ?? emptyLabel, minWidth: 12, dropOrder: 4 },
    { title: 'CREATED', text: ({ createdAt }) => timeLabel(createdAt), tone: () => 'muted', dropOrder: 1 },
  ],
  csv: csvFields(
    ['id', 'to', 'subject', 'kind', 'status', 'attempts', 'lastError'],
    ['createdAt', 'nextAttemptAt', 'sentAt', 'canResend'],
  ),
}

async function listMail(io: Io, options: ListOptions & { status?: string; to?: string }): Promise<void> {
  const status = parseOption(MailStatus, options.status)
  const to = parseOption(Email, options.to)
  const filter = { ...(status === undefined ? {} : { status }), ...(to === undefined ? {} : { to }) }
  await printList(io, options, {
    table: mailTable,
    requestPage: ({ api }, page) => requestPage(AdminMailList, api.admin.mail.get({ query: { ...page, ...filter } })),
  })
}

const mailOutput = (mail: AdminMail) =>
  sectionsOutput({ json: mail, csv: () => csvSheet(mailTable.csv, [mail]) }, [
    { title: 'Mail', details: mailDetails(mail) },
  ])

const mailDetails = (mail: AdminMail): Detail[] => [
  { label: 'To', value: mail.to },
  { label: 'Subject', value: mail.subject },
  { label: 'Kind', value: mail.kind },
  { label: 'Status', value: statusLabels[mail.status].label, tone: statusLabels[mail.status].tone },
  { label: 'Tries', value: String(mail.attempts) },
  { label: 'Last error', value: mail.lastError ?? emptyLabel },
  { label: 'Created', value: timeLabel(mail.createdAt) },
  { label: 'Next try', value: timeLabel(mail.nextAttemptAt) },
  { label: 'Sent', value: timeLabel(mail.sentAt) },
  { label: 'Can be resent', value: yesNoLabel(mail.canResend) },
  { label: 'ID', value: mail.id, tone: 'muted' },
]

async function showMail(io: Io, options: SharedOptions, id: string): Promise<void> {
  const mailId = parseMailId(id)
  const mail = await withClient(io, options, ({ api }) => request(AdminMail, api.admin.mail({ mailId }).get()))
  await print(io, options, mailOutput(mail))
}

async function resendMail(io: Io, options: SharedOptions, id: string): Promise<void> {
  const mailId = parseMailId(id)
  const mail = await withClient(io, options, ({ api }) => request(AdminMail, api.admin.mail({ mailId }).resend.post()))
  await print(io, options, mailOutput(mail))
  await note(io, options, `Queued for ${mail.to} again.`)
}

const parseMailId = (id: string) => encodeURIComponent(requireText(id, 'Enter the ID of a mail.'))
