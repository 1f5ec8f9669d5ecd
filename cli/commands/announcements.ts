import type { Client } from '#cli/connection.ts'
import { usageError } from '#cli/exit-codes.ts'
import { findEntry } from '#cli/find-entry.ts'
import { timeLabel } from '#cli/labels.ts'
import type { PageQuery } from '#cli/list.ts'
import { csvOfRecord, sectionsOutput } from '#cli/output.ts'
import { parseArgument, parseMoment, request, requestPage, requireText, withoutUnset } from '#cli/request.ts'
import { type Call, changeRow, listRow, type OptionRow, registersRows } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import {
  AdminAnnouncement,
  AdminAnnouncementList,
  AdminAnnouncementQuery,
  AnnouncementRequest,
} from '#shared/contract/admin-announcement.ts'
import { Done } from '#shared/contract/auth.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { shortReference } from '#shared/rules/id.ts'

const forWhom = ({ tiers }: Pick<AdminAnnouncement, 'tiers'>) => (tiers.length === 0 ? 'everybody' : tiers.join(', '))

const announcementsTable: Table<AdminAnnouncement> = {
  title: 'Announcements',
  empty: 'No announcements yet.',
  columns: [
    { title: 'REFERENCE', text: ({ id }) => shortReference(id), identifies: true },
    { title: 'TITLE', text: ({ title }) => title, minWidth: 12 },
    { title: 'STATE', text: ({ state }) => state },
    { title: 'FOR', text: forWhom, dropOrder: 3 },
    { title: 'FROM', text: ({ startsAt }) => timeLabel(startsAt), dropOrder: 2 },
    { title: 'UNTIL', text: ({ endsAt }) => timeLabel(endsAt), dropOrder: 4 },
    { title: 'DISMISSED', text: ({ dismissed }) => String(dismissed), align: 'right', dropOrder: 1 },
  ],
  csv: [
    ...csvFields(['id', 'title', 'text', 'state', 'startsAt', 'endsAt', 'dismissed', 'version', 'updatedAt']),
    { name: 'tiers', cell: ({ tiers }) => tiers.join(' ') },
  ],
}

const pagesOf = ({ api }: Client, query: PageQuery) =>
  requestPage(AdminAnnouncementList, api.admin.announcements.get({ query }))

const list = listRow({
  usage: 'list',
  description: 'List announcements, past and scheduled too, newest first',
  options: [
    ['--show <state>', 'showing, to-come or over'],
    ['--search <words>', 'only with these words'],
  ],
  examples: ['list --show showing', 'list --csv > announcements.csv'],
  table: announcementsTable,
  pages(call) {
    const given = withoutUnset({ q: call.option('search'), show: call.option('show') })
    const query = parseArgument(AdminAnnouncementQuery, given)
    return (client, page) => pagesOf(client, { ...query, ...page })
  },
})

const timeOptions: readonly OptionRow[] = [
  ['--from <time>', 'when it starts, such as 2026-07-01 or "2026-07-01 09:00", UK time'],
  ['--until <time>', 'when it ends; a day alone is the whole of it'],
  ['--tiers <tiers>', 'for these tiers alone, such as lite,standard; all for everybody'],
]

function parseTiers(given: string | undefined): TierSlug[] | undefined {
  if (given === undefined) return undefined
  return given.trim() === 'all' ? [] : given.split(',').map((tier) => parseArgument(TierSlug, tier.trim(), tier.trim()))
}

const given = (call: Call) =>
  withoutUnset({
    startsAt: parseMoment(call.option('from'), '--from'),
    endsAt: parseMoment(call.option('until'), '--until', 'end'),
    tiers: parseTiers(call.option('tiers')),
  })

function planOf<Facts extends Record<string, unknown>>(facts: Facts, question = '') {
  const flat = Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value ?? '')]))
  const details = Object.entries(flat).map(([label, value]) => ({ label, value }))
  return {
    facts,
    question,
    output: sectionsOutput({ json: facts, csv: () => csvOfRecord(flat) }, [{ title: 'Plan', details }]),
  }
}

const outcomeOf = (sentence: string, row: AdminAnnouncement) => ({
  sentence,
  record: { id: row.id, title: row.title, startsAt: row.startsAt, endsAt: row.endsAt, state: row.state },
})

const add = changeRow<AnnouncementRequest>({
  usage: 'add <title> <text>',
  description: 'Put an announcement on the members’ dashboard (text in Markdown)',
  options: timeOptions,
  examples: ['add "Workshop on Friday" "Bring your **last three** quotes." --until 2026-07-03'],
  plan: (call) => {
    const [title, text] = [call.argument(0), call.argument(1)]
    if (call.option('until') === undefined) throw usageError('Give an end: --until 2026-07-01')
    const facts = parseArgument(AnnouncementRequest, { title, text, ...given(call) })
    return async () => planOf(facts)
  },
  apply:
    (_call, facts) =>
    async ({ api }) => {
      const headers = { 'idempotency-key': Bun.randomUUIDv7() }
      const row = await request(AdminAnnouncement, api.admin.announcements.post(facts, { headers }))
      return outcomeOf(`“${row.title}” is up for ${forWhom(row)} until ${timeLabel(row.endsAt)}.`, row)
    },
})

const rowNamed = (call: Call) => (client: Client) =>
  findEntry<AdminAnnouncement>(client, {
    noun: 'announcements',
    given: call.argument(0),
    pages: pagesOf,
    matches: ({ title }, wanted) => title.toLowerCase() === wanted,
  })

const edit = changeRow<{ id: string; version: number; change: Partial<AnnouncementRequest> }>({
  usage: 'edit <reference-or-title>',
  description: 'Edit an announcement, changing only the options you give',
  options: [['--title <title>', 'its title'], ['--text <text>', 'its text, Markdown'], ...timeOptions],
  examples: ['edit "Workshop on Friday" --until 2026-07-04', 'edit 3C4D-5E6F --text "It is full."'],
  plan: (call) => {
    const change = { ...withoutUnset({ title: call.option('title'), text: call.option('text') }), ...given(call) }
    if (Object.keys(change).length === 0)
      throw usageError('Name what to change: --title, --text, --from, --until or --tiers.')
    const read = rowNamed(call)
    return async (client) => {
      const { id, version } = await read(client)
      return { ...planOf(change), facts: { id, version, change } }
    }
  },
  apply:
    (_call, { id, version, change }) =>
    async ({ api }) => {
      const row = await request(AdminAnnouncement, api.admin.announcements({ id }).patch({ ...change, version }))
      return outcomeOf(`“${row.title}” is changed.`, row)
    },
})

type Facts = Pick<AdminAnnouncement, 'id' | 'title' | 'state' | 'version'>

function planOne(call: Call, question: (title: string) => string) {
  requireText(call.argument(0), 'Name one.')
  const read = rowNamed(call)
  return async (client: Client) => {
    const { id, title, state, version } = await read(client)
    return planOf({ id, title, state, version }, question(title))
  }
}

const end = changeRow<Facts>({
  usage: 'end <reference-or-title>',
  description: 'Take an announcement off the dashboard now (it stays in the list)',
  examples: ['end "Workshop on Friday"'],
  asks: true,
  plan: (call) => planOne(call, (title) => `End “${title}” now?`),
  apply:
    (_call, { id, version }) =>
    async ({ api }) => {
      const row = await request(AdminAnnouncement, api.admin.announcements({ id }).end.post({ version }))
      return outcomeOf(`“${row.title}” is over.`, row)
    },
})

const remove = changeRow<Facts>({
  usage: 'remove <reference-or-title>',
  description: 'Delete an announcement permanently',
  examples: ['remove "Workshop on Friday" --dry-run'],
  asks: true,
  plan: (call) => planOne(call, (title) => `Remove “${title}” for good?`),
  apply:
    (_call, { id, title, version }) =>
    async ({ api }) => {
      await request(Done, api.admin.announcements({ id }).delete({}, { query: { version } }))
      return { sentence: `“${title}” is removed.`, record: { id } }
    },
})

export const announcementRows = [list, add, edit, end, remove]

export const registerAnnouncements = registersRows(announcementRows)
