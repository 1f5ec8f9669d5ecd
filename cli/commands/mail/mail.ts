import type { Client } from '#cli/connection.ts'
import { usageError } from '#cli/exit-codes.ts'
import { emptyLabel, timeLabel, yesNoLabel } from '#cli/labels.ts'
import { csvOfRows, recordOutput, sectionsOutput } from '#cli/output.ts'
import {
  parseArgument,
  parseMoment,
  parseOption,
  request,
  requestPage,
  requireText,
  withoutUnset,
} from '#cli/request.ts'
import { type Call, changeRow, listRow, type Planned, registersRows, showRow } from '#cli/rows.ts'
import { csvFields, type Detail, type Table, type Tone } from '#cli/table.ts'
import { Email } from '#shared/contract/fields.ts'
import { AdminMail, AdminMailList, MailStatus, ResendPlan, TestMailRequest } from '#shared/contract/mail.ts'
import { plural } from '#shared/rules/plural.ts'
import { addressRows } from './addresses.ts'

const statusLabels: Record<MailStatus, { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'muted' },
  sending: { label: 'Sending', tone: 'muted' },
  sent: { label: 'Sent', tone: 'success' },
  refused: { label: 'Refused', tone: 'error' },
  failed: { label: 'Failed', tone: 'error' },
}

const mailTable: Table<AdminMail> = {
  isOfPeople: true,
  title: 'Emails',
  empty: 'No emails.',
  columns: [
    { title: 'ID', text: ({ id }) => id, tone: () => 'muted', dropOrder: 2 },
    {
      title: 'TO',
      text: ({ to }) => to,
      minWidth: 18,
      identifies: true,
      link: ({ memberId }) => memberId && `/admin/members/${memberId}`,
    },
    { title: 'SUBJECT', text: ({ subject }) => subject, minWidth: 16 },
    { title: 'KIND', text: ({ kind }) => kind, dropOrder: 3 },
    {
      title: 'STATUS',
      text: ({ status }) => statusLabels[status].label,
      tone: ({ status }) => statusLabels[status].tone,
    },
    { title: 'ATTEMPTS', text: ({ attempts }) => String(attempts), align: 'right', dropOrder: 5 },
    { title: 'LAST ERROR', text: ({ lastError }) => lastError ?? emptyLabel, minWidth: 12, dropOrder: 4 },
    { title: 'CREATED', text: ({ createdAt }) => timeLabel(createdAt), tone: () => 'muted', dropOrder: 1 },
  ],
  csv: csvFields(
    ['id', 'to', 'subject', 'kind', 'status', 'attempts', 'lastError'],
    ['createdAt', 'nextAttemptAt', 'sentAt', 'canResend'],
  ),
}

const list = listRow({
  usage: 'list',
  description: "List emails with status and the mail server's last error, newest first",
  options: [
    ['-s, --status <status>', 'filter by status: waiting, sending, sent, refused or failed'],
    ['-t, --to <address>', 'filter by recipient'],
  ],
  examples: ['list --status refused', 'list --to sam@example.com'],
  table: mailTable,
  pages({ option }) {
    const [status, to] = [parseOption(MailStatus, option('status')), parseOption(Email, option('to'))]
    const filter = withoutUnset({ status, to })
    return ({ api }, page) => requestPage(AdminMailList, api.admin.mail.get({ query: { ...page, ...filter } }))
  },
})

const mailOutput = (mail: AdminMail) =>
  sectionsOutput({ json: mail, csv: () => csvOfRows(mailTable.csv, [mail]) }, [
    { title: 'Email', details: mailDetails(mail) },
  ])

const mailDetails = (mail: AdminMail): Detail[] => [
  { label: 'To', value: mail.to },
  { label: 'Subject', value: mail.subject },
  { label: 'Kind', value: mail.kind },
  { label: 'Status', value: statusLabels[mail.status].label, tone: statusLabels[mail.status].tone },
  { label: 'Tries', value: String(mail.attempts) },
  { label: 'Last error', value: mail.lastError ?? emptyLabel },
  { label: 'Created', value: timeLabel(mail.createdAt) },
  { label: 'Next attempt', value: timeLabel(mail.nextAttemptAt) },
  { label: 'Sent', value: timeLabel(mail.sentAt) },
  { label: 'Can be resent', value: yesNoLabel(mail.canResend) },
  { label: 'ID', value: mail.id, tone: 'muted' },
]

function readMail({ argument }: Call) {
  const mailId = encodeURIComponent(requireText(argument(0), 'Enter an email’s ID.'))
  return ({ api }: Client) => request(AdminMail, api.admin.mail({ mailId }).get())
}

const show = showRow({
  usage: 'show <id>',
  description: 'Show an email: recipient, subject, attempts and times, but not its text',
  examples: ['show 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'],
  read: readMail,
  output: mailOutput,
})

type Resent = AdminMail | ResendPlan

const planDetails = ({ since, emails, minutes, blocked, unwanted }: ResendPlan): Detail[] => [
  { label: 'Refused or failed since', value: timeLabel(since) },
  { label: 'To send again', value: plural(emails, 'email') },
  { label: 'Takes', value: plural(minutes, 'minute') },
  { label: 'Left out', value: `${blocked} to blocked addresses, ${unwanted} to people who’ve unsubscribed` },
]

const planOutput = (plan: ResendPlan) => recordOutput('Plan', planDetails(plan), plan)

function planAll({ option, isGiven }: Call) {
  const since = parseMoment(option('since'), '--since')
  if (since === undefined) throw usageError('--all needs --since and a UK time, such as --since "2026-07-01 09:00".')
  if (isGiven(0)) throw usageError('Give an email’s ID, or --all, not both.')
  return async ({ api }: Client): Promise<Planned<Resent>> => {
    const facts = await request(ResendPlan, api.admin['mail-resend'].get({ query: { since } }))
    return { facts, output: planOutput(facts), question: `Send ${plural(facts.emails, 'email')} again?` }
  }
}

const resend = changeRow<Resent>({
  usage: 'resend [id]',
  description: 'Resend a refused or failed email, to the person’s current address',
  options: [
    ['--all', 'every one since --since, once each, at a campaign’s pace'],
    ['--since <time>', 'with --all: a day, or a day and UK time'],
  ],
  examples: [
    'resend 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071 --dry-run',
    'resend 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    'resend --all --since "2026-07-01 09:00" --dry-run',
  ],
  asks: true,
  plan(call) {
    if (call.options.all === true) return planAll(call)
    if (call.option('since') !== undefined) throw usageError('--since goes with --all.')
    const read = readMail(call)
    return async (client) => {
      const facts = await read(client)
      return { facts, output: mailOutput(facts), question: `Send “${facts.subject}” to ${facts.to} again?` }
    }
  },
  apply:
    (_call, facts) =>
    async ({ api }) => {
      if ('emails' in facts) {
        const { since, emails } = facts
        const plan = await request(ResendPlan, api.admin['mail-resend'].post({ since, emails }))
        return { ...planOutput(plan), notes: [`Queued ${plural(plan.emails, 'email')} again.`] }
      }
      const mail = await request(AdminMail, api.admin.mail({ mailId: facts.id }).resend.post())
      return { ...mailOutput(mail), notes: [`Queued for ${mail.to} again.`] }
    },
})

const test = changeRow<TestMailRequest>({
  usage: 'test <email>',
  description: 'Send a test email, and show the mail server’s response',
  examples: ['test you@example.com'],
  asks: true,
  plan({ argument }) {
    const facts = parseArgument(TestMailRequest, { email: argument(0) })
    const output = recordOutput('Plan', [{ label: 'Test email to', value: facts.email }], facts)
    return async () => ({ facts, output, question: `Send a test email to ${facts.email}?` })
  },
  apply:
    (_call, body) =>
    async ({ api }) => {
      const mail = await request(AdminMail, api.admin['mail-test'].post(body))
      return { ...mailOutput(mail), hasFailed: mail.status !== 'sent' }
    },
})

export const mailRows = [list, show, resend, test, ...addressRows]

export const registerMail = registersRows(mailRows)
