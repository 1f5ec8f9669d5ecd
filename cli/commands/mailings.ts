import type { Client } from '#cli/connection.ts'
import { findEntry } from '#cli/find-entry.ts'
import { emptyLabel, timeLabel } from '#cli/labels.ts'
import type { PageQuery } from '#cli/list.ts'
import { tableOutput } from '#cli/output.ts'
import { parseArgument, request, requestPage, withoutUnset } from '#cli/request.ts'
import { type CommandRow, changeRow, listRow, registersRows } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { Mailing, MailingList, MailingQuery, type Segment } from '#shared/contract/mailing.ts'
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

const steps = {
  pause: { description: 'Pause a campaign that’s being sent', question: 'Pause', said: 'is paused' },
  resume: { description: 'Resume a paused campaign', question: 'Resume', said: 'is being sent again' },
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
    plan: (call) => async (client) => {
      const mailing = await findEntry<Mailing>(client, {
        noun: 'mailings',
        given: call.argument(0),
        pages: pagesOf,
        matches: ({ subject }, wanted) => subject.toLowerCase() === wanted,
      })
      const { id, subject, status } = mailing
      const question = `${steps[step].question} “${subject}”?`
      return { facts: { id, subject, status }, output: tableOutput(mailingsTable, [mailing]), question }
    },
    apply:
      (_call, { id }) =>
      async ({ api }) => {
        const { subject, status } = await request(Mailing, api.admin.mailings({ id })[step].post())
        const record = { id, subject, status }
        return { sentence: `“${subject}” ${steps[step].said}.`, record }
      },
  })

export const mailingRows = [list, statusRow('pause'), statusRow('resume'), statusRow('stop')]

export const registerMailings = registersRows(mailingRows)
