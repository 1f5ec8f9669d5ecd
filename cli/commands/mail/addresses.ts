import { usageError } from '#cli/exit-codes.ts'
import { emptyLabel, timeLabel } from '#cli/labels.ts'
import { recordOutput, reportOutput, tableOutput } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
import { actRow, changeRow, showRow } from '#cli/rows.ts'
import { csvFields, type Detail, type Table, type Tone } from '#cli/table.ts'
import {
  type BouncedAddress,
  BounceReport,
  BounceRequest,
  SuppressedAddress,
  SuppressedAddressList,
  SuppressRequest,
} from '#shared/contract/mail.ts'

const suppressedTable: Table<SuppressedAddress> = {
  title: 'Blocked addresses',
  empty: 'No blocked addresses.',
  columns: [
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 16, identifies: true },
    { title: 'REASON', text: ({ reason }) => reason || emptyLabel, minWidth: 10 },
    { title: 'SINCE', text: ({ since }) => timeLabel(since), tone: () => 'muted', dropOrder: 1 },
  ],
  csv: csvFields(['email', 'reason', 'since']),
}

const suppressed = showRow({
  usage: 'suppressed',
  description: 'List blocked addresses',
  examples: ['suppressed'],
  read:
    () =>
    ({ api }) =>
      request(SuppressedAddressList, api.admin['suppressed-addresses'].get()),
  output: (addresses) => tableOutput(suppressedTable, addresses),
})

type Suppression = SuppressRequest & { lifts: boolean }

const suppress = changeRow<Suppression>({
  usage: 'suppress <email>',
  description: 'Block all email to an address, including about money and logging in, until --lift',
  options: [
    ['--reason <text>', 'why, for owners to see'],
    ['--lift', 'unblock it'],
  ],
  examples: ['suppress sam@example.com --reason "Not their address"', 'suppress sam@example.com --lift'],
  asks: true,
  plan({ argument, option, options }) {
    const body = parseArgument(SuppressRequest, { email: argument(0), reason: option('reason') ?? '' })
    const facts = { ...body, lifts: options.lift === true }
    const then = facts.lifts ? 'it’s unblocked' : 'no email goes there, including about money and logging in'
    const details: Detail[] = [
      { label: 'Address', value: facts.email },
      { label: 'Then', value: then },
    ]
    const output = recordOutput('Plan', details, facts)
    return async () => ({ facts, output, question: `${facts.email}: ${then}?` })
  },
  apply:
    (_call, { email, reason, lifts }) =>
    async ({ api }) => {
      const addresses = api.admin['suppressed-addresses']
      const call = lifts ? addresses({ email: encodeURIComponent(email) }).delete() : addresses.post({ email, reason })
      await request(SuppressedAddress, call)
      const sentence = lifts ? `Email goes to ${email} again.` : `No email goes to ${email} from now on.`
      return { sentence, record: { email, isSuppressed: !lifts } }
    },
})

const outcomes: Record<BouncedAddress['outcome'], { says: string; tone: Tone }> = {
  stopped: { says: 'Blocked: no more email goes there', tone: 'error' },
  known: { says: 'Already blocked', tone: 'muted' },
  'not-ours': { says: 'Not stopped: nothing shows that we wrote there; --trust stops it all the same', tone: 'muted' },
  policy: { says: 'Not blocked: their server refuses us or the text, not the address', tone: 'muted' },
  'given-up': { says: 'Not blocked: we ran out of attempts', tone: 'muted' },
  delayed: { says: 'Not blocked: it’s late, and still being tried', tone: 'muted' },
  delivered: { says: 'It arrived', tone: 'success' },
}

const bouncedTable: Table<BouncedAddress> = {
  title: 'A bounced email',
  empty: 'No address.',
  columns: [
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 16, identifies: true },
    { title: 'STATUS', text: ({ status }) => status || emptyLabel, dropOrder: 2 },
    {
      title: 'OUTCOME',
      text: ({ outcome }) => outcomes[outcome].says,
      tone: ({ outcome }) => outcomes[outcome].tone,
      minWidth: 16,
    },
    { title: 'SERVER SAID', text: ({ diagnostic }) => diagnostic ?? emptyLabel, minWidth: 12, dropOrder: 1 },
  ],
  csv: csvFields(['email', 'status', 'outcome', 'diagnostic']),
}

/** Mail servers run it for each email, so it doesn't ask. `suppress --lift` undoes it. */
const bounce = actRow({
  usage: 'bounce',
  description: 'Read a bounce report from standard input, and block addresses that permanently refuse email',
  options: [
    ['--trust', 'even if the report doesn’t name one of our emails, such as when the mail service changes Message-IDs'],
  ],
  examples: ['bounce < report.eml', 'bounce --trust --json < report.eml'],
  async act({ io, options }) {
    const given = io.isTTY.stdin ? '' : await (await import('#cli/prompt.ts')).readStdin(io)
    if (given.trim() === '') throw usageError('Pipe in a bounce report: alliance mail bounce < report.eml')
    const body = parseArgument(BounceRequest, { report: given, isTrusted: options.trust === true })
    return async ({ api }) => {
      const report = await request(BounceReport, api.admin.bounces.post(body))
      const mail = report.mail === null ? 'none of ours' : `${report.mail.subject} (${report.mail.id})`
      const details: Detail[] = [{ label: 'Email', value: mail }]
      return reportOutput({
        title: bouncedTable.title,
        details,
        table: bouncedTable,
        rows: report.addresses,
        json: report,
      })
    }
  },
})

export const addressRows = [suppressed, suppress, bounce]
