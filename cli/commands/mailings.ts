import type { Client } from '#cli/connection.ts'
import { findEntry } from '#cli/find-entry.ts'
import { emptyLabel, timeLabel } from '#cli/labels.ts'
import type { PageQuery } from '#cli/list.ts'
import { csvOfRows, sectionsOutput } from '#cli/output.ts'
import { parseArgument, parseMoment, parseOption, request, requestPage, withoutUnset } from '#cli/request.ts'
import { type Call, type CommandRow, changeRow, listRow, registersRows, showRow } from '#cli/rows.ts'
import { csvFields, type Detail, type Table } from '#cli/table.ts'
import { Done } from '#shared/contract/auth.ts'
import { Email } from '#shared/contract/fields.ts'
import { AudienceCount, Mailing, MailingList, MailingQuery, type Segment } from '#shared/contract/mailing.ts'
import { shortReference } from '#shared/rules/id.ts'
import { plural } from '#shared/rules/plural.ts'

/** A segment in the page's words: `with-access, standard, xl, not seen for 30 days`. */
const segmentText = ({ tiers, state, progress, notSeenDays, joined }: Segment) =>
  [
    ...[state, ...tiers],
    ...(progress === null ? [] : [progress === 'nothing' ? 'no lesson done' : `${plural(progress, 'lesson')} done`]),
    ...(notSeenDays === null ? [] : [`not seen for ${plural(notSeenDays, 'day')}`]),
    ...(joined === null ? [] : [`joined in ${joined}`]),
  ].join(', ')

const stateText = ({ status, sendAt }: Mailing) => (sendAt === null ? status : `${status} for ${timeLabel(sendAt)}`)

const mailingsTable: Table<Mailing> = {
  title: 'Campaigns',
  empty: 'No campaigns yet.',
  columns: [
    { title: 'REFERENCE', text: ({ id }) => shortReference(id), identifies: true },
    { title: 'SUBJECT', text: ({ subject }) => subject, minWidth: 14 },
    { title: 'STATE', text: stateText },
    { title: 'FOR', text: ({ segment }) => segmentText(segment), minWidth: 12, dropOrder: 3 },
    { title: 'ARRIVED', text: ({ report }) => String(report?.arrived ?? emptyLabel), align: 'right', dropOrder: 1 },
    { title: 'CHANGED', text: ({ updatedAt }) => timeLabel(updatedAt), dropOrder: 2, tone: () => 'muted' },
  ],
  csv: [
    ...csvFields(['id', 'subject', 'purpose', 'status', 'perMinute', 'startedAt', 'finishedAt', 'updatedAt']),
    { name: 'segment', cell: ({ segment }) => segmentText(segment) },
    ...(['waiting', 'arrived', 'refused', 'failed', 'leftOut', 'stopped', 'gone'] as const).map((name) => ({
      name,
      cell: ({ report }: Mailing) => report?.[name] ?? null,
    })),
    ...csvFields(['sendAt']),
  ],
}

const pagesOf = ({ api }: Client, query: PageQuery) => requestPage(MailingList, api.admin.mailings.get({ query }))

const list = listRow({
  usage: 'list',
  description: 'List campaigns, drafts too, last changed first',
  options: [
    ['--show <state>', 'draft, scheduled, sending, paused, stopped or sent'],
    ['--search <words>', 'only with these words'],
  ],
  examples: ['list --show draft', 'list --csv > mailings.csv'],
  table: mailingsTable,
  pages({ option }) {
    const query = parseArgument(MailingQuery, withoutUnset({ q: option('search'), show: option('show') }))
    return (client, page) => pagesOf(client, { ...query, ...page })
  },
})

type Found = { mailing: Mailing; audience: AudienceCount }

/** With the people it would reach now. */
const found =
  (call: Call) =>
  async (client: Client): Promise<Found> => {
    const mailing = await findEntry<Mailing>(client, {
      noun: 'mailings',
      given: call.argument(0),
      pages: pagesOf,
      matches: ({ subject }, wanted) => subject.toLowerCase() === wanted,
    })
    const { tiers, state, progress, notSeenDays, joined } = mailing.segment
    const query = {
      purpose: mailing.purpose,
      state,
      ...(tiers.length === 0 ? {} : { tiers: tiers.join('-') }),
      ...(progress === null ? {} : { progress }),
      ...(notSeenDays === null ? {} : { notSeenDays }),
      ...(joined === null ? {} : { joined }),
    }
    const counted = client.api.admin['mailing-audience'].count.get({ query })
    return { mailing, audience: await request(AudienceCount, counted) }
  }

function mailingOutput({ mailing, audience }: Found, text = true) {
  const { leftOut } = audience
  const details: Detail[] = [
    { label: 'Subject', value: mailing.subject },
    { label: 'State', value: stateText(mailing) },
    { label: 'For', value: segmentText(mailing.segment) },
    { label: 'About', value: mailing.purpose === 'news' ? 'news: who agreed to it' : 'the membership' },
    { label: 'Would get it now', value: `${audience.gets} of ${plural(audience.people, 'person', 'people')}` },
    {
      label: 'Skipped',
      value: `${leftOut['not-agreed']} not agreed, ${leftOut.stopped} stopped, ${leftOut.refused} refused`,
    },
    { label: 'Per minute', value: String(mailing.perMinute) },
    ...Object.entries(mailing.report ?? {}).map(([label, count]) => ({ label, value: String(count) })),
    { label: 'Started', value: timeLabel(mailing.startedAt) },
    { label: 'ID', value: mailing.id, tone: 'muted' },
  ]
  return sectionsOutput({ json: { ...mailing, audience }, csv: () => csvOfRows(mailingsTable.csv, [mailing]) }, [
    { title: 'Mailing', details },
    ...(text ? [{ title: 'Text', note: mailing.text }] : []),
  ])
}

const show = showRow({
  usage: 'show <reference-or-subject>',
  description: 'Show a campaign: its text, audience and how many it’s reached',
  examples: ['show "Workshop on Friday"', 'show 3C4D-5E6F --json subject,report'],
  read: found,
  output: (value) => mailingOutput(value),
})

const test = changeRow<{ id: string; subject: string; to: string | null }>({
  usage: 'test <reference-or-subject>',
  description: 'Email a test to an owner',
  options: [['--to <email>', 'to this owner (default: you)']],
  examples: ['test "Workshop on Friday" --to you@example.com'],
  asks: true,
  plan(call) {
    const [read, to] = [found(call), parseOption(Email, call.option('to'), '--to') ?? null]
    return async (client) => {
      const { mailing, audience } = await read(client)
      const { id, subject } = mailing
      const question = `Email “${subject}” to ${to ?? 'you'} as a test?`
      return { facts: { id, subject, to }, output: mailingOutput({ mailing, audience }), question }
    }
  },
  apply:
    (_call, { id, subject, to }) =>
    async ({ api }) => {
      const body = { wish: Bun.randomUUIDv7(), ...(to === null ? {} : { to }) }
      await request(Done, api.admin.mailings({ id }).test.post(body))
      return { sentence: `“${subject}” is on its way to ${to ?? 'you'}.`, record: { id, to } }
    },
})

type SendFacts = { id: string; subject: string; status: string; version: number; gets: number; sendAt: string | null }

const send = changeRow<SendFacts>({
  usage: 'send <reference-or-subject>',
  description: 'Send a campaign to its audience, now or at a time',
  options: [['--at <time>', 'send at this UK time, such as "2026-12-01 08:00"; use it again to move it']],
  examples: [
    'send "Workshop on Friday" --dry-run',
    'send 3C4D-5E6F --yes',
    'send "Workshop on Friday" --at "2026-12-01 08:00"',
  ],
  asks: true,
  plan(call) {
    const [read, sendAt] = [found(call), parseMoment(call.option('at'), '--at') ?? null]
    return async (client) => {
      const { mailing, audience } = await read(client)
      const { id, subject, status, version } = mailing
      const { gets } = audience
      const question =
        sendAt === null
          ? `Send “${subject}” to ${plural(gets, 'person', 'people')}?`
          : `Send “${subject}” on ${timeLabel(sendAt)}, to whoever’s in its audience by then?`
      const facts = { id, subject, status, version, gets, sendAt }
      return { facts, output: mailingOutput({ mailing, audience }), question }
    }
  },
  apply:
    (_call, { id, version, gets, sendAt }) =>
    async ({ api }) => {
      const calls = api.admin.mailings({ id })
      const mailing = await request(
        Mailing,
        sendAt === null ? calls.send.post({ version, gets }) : calls.schedule.post({ version, sendAt }),
      )
      const goes = sendAt === null ? `out, ${mailing.perMinute} a minute` : `out on ${timeLabel(sendAt)}`
      return {
        sentence: `“${mailing.subject}” goes ${goes}.`,
        record: { id, status: mailing.status, gets, ...(sendAt === null ? {} : { sendAt }) },
      }
    },
})

const steps = {
  pause: { description: 'Pause a campaign that’s being sent', question: 'Pause', said: 'is paused' },
  resume: { description: 'Resume a paused campaign', question: 'Resume', said: 'is being sent again' },
  unschedule: {
    description: 'Cancel a scheduled campaign: it’s a draft again',
    question: 'Cancel sending',
    said: 'is a draft again',
  },
  stop: {
    description: 'Stop a campaign for good: anyone who hasn’t got it won’t',
    question: 'Stop',
    said: 'has been stopped',
  },
} as const

const statusRow = (step: keyof typeof steps): CommandRow =>
  changeRow<{ id: string; subject: string; status: string }>({
    usage: `${step} <reference-or-subject>`,
    description: steps[step].description,
    examples: [`${step} "Workshop on Friday"`],
    asks: true,
    plan(call) {
      const read = found(call)
      return async (client) => {
        const { mailing, audience } = await read(client)
        const { id, subject, status } = mailing
        const question = `${steps[step].question} “${subject}”?`
        return { facts: { id, subject, status }, output: mailingOutput({ mailing, audience }, false), question }
      }
    },
    apply:
      (_call, { id }) =>
      async ({ api }) => {
        const { subject, status } = await request(Mailing, api.admin.mailings({ id })[step].post())
        const record = { id, subject, status }
        return { sentence: `“${subject}” ${steps[step].said}.`, record }
      },
  })

export const mailingRows: readonly CommandRow[] = [
  list,
  show,
  test,
  send,
  statusRow('unschedule'),
  statusRow('pause'),
  statusRow('resume'),
  statusRow('stop'),
]

export const registerMailings = registersRows(mailingRows)
