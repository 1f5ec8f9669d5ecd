import * as v from 'valibot'
import type { Client } from '#cli/connection.ts'
import { byAddress, findEntry } from '#cli/find-entry.ts'
import { inboxRows } from '#cli/inbox-rows.ts'
import { emptyLabel, timeLabel } from '#cli/labels.ts'
import type { PageQuery } from '#cli/list.ts'
import { countsOutput, csvOfRecord, sectionsOutput } from '#cli/output.ts'
import { parseArgument, request, requestPage, withoutUnset } from '#cli/request.ts'
import { type Call, type CommandRow, changeRow, listRow, registersRows, showRow } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { ApplicationStatus, MembershipApplicationForm } from '#shared/contract/application.ts'
import { Done } from '#shared/contract/auth.ts'
import { CoachingApplicationForm } from '#shared/contract/coaching.ts'
import {
  type AdminApplication,
  AdminApplicationList,
  AdminApplicationQuery,
  type AdminCoachingApplication,
  AdminCoachingApplicationList,
  AdminCoachingApplicationQuery,
} from '#shared/contract/inbox-entries.ts'
import { shortReference } from '#shared/rules/id.ts'
import { applicationStatuses } from '#shared/values/column-values.ts'

type Status = AdminApplication['status']

const nameOf = ({ firstName, lastName }: AdminApplication) => `${firstName} ${lastName}`.trim()
const toneOf = ({ status }: { status: Status }) =>
  status === 'approved' ? ('success' as const) : status === 'rejected' ? ('muted' as const) : undefined

const applicationsTable: Table<AdminApplication> = {
  isOfPeople: true,
  title: 'Applications',
  empty: 'No applications yet.',
  columns: [
    { title: 'REFERENCE', text: ({ id }) => shortReference(id) },
    { title: 'NAME', text: nameOf, minWidth: 10, dropOrder: 1 },
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 16, identifies: true },
    { title: 'STATUS', text: ({ status }) => status, tone: toneOf },
    { title: 'TIER', text: ({ selectedTier }) => selectedTier, dropOrder: 3 },
    { title: 'TRADE', text: ({ trade }) => trade, minWidth: 8, dropOrder: 4 },
    { title: 'PHONE', text: ({ phone }) => phone, dropOrder: 5 },
    { title: 'RECEIVED', text: ({ createdAt }) => timeLabel(createdAt), tone: () => 'muted', dropOrder: 2 },
  ],
  csv: csvFields(['id', 'status', 'selectedTier'], v.keyof(v.omit(MembershipApplicationForm, ['agreeTerms'])).options, [
    'termsVersion',
    'createdAt',
  ]),
}

const coachingTable: Table<AdminCoachingApplication> = {
  isOfPeople: true,
  title: 'Coaching applications',
  empty: 'No applications yet.',
  columns: [
    { title: 'REFERENCE', text: ({ id }) => shortReference(id) },
    { title: 'NAME', text: ({ name }) => name, minWidth: 10, dropOrder: 1 },
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 16, identifies: true },
    { title: 'STATUS', text: ({ status }) => status, tone: toneOf },
    { title: 'TRADE', text: ({ trade }) => trade, minWidth: 8, dropOrder: 3 },
    { title: 'REVENUE', text: ({ currentRevenue }) => currentRevenue ?? emptyLabel, dropOrder: 4 },
    { title: 'RECEIVED', text: ({ createdAt }) => timeLabel(createdAt), tone: () => 'muted', dropOrder: 2 },
  ],
  csv: csvFields(['id', 'status'], v.keyof(CoachingApplicationForm).options, ['createdAt']),
}

const filterOf = (call: Call) => withoutUnset({ q: call.option('search'), show: call.option('show') })
const filterOptions = [
  ['--show <status>', applicationStatuses.join(', ')],
  ['--search <words>', 'only with these words'],
] as const

const list = listRow({
  usage: 'list',
  description: 'List membership applications, newest first',
  options: filterOptions,
  examples: ['list --show pending', 'list --csv > applications.csv'],
  table: applicationsTable,
  pages(call) {
    const query = parseArgument(AdminApplicationQuery, filterOf(call))
    return (client, page) => membershipPages(client, { ...query, ...page })
  },
})

const coaching = listRow({
  usage: 'coaching',
  description: 'List coaching applications, newest first',
  options: filterOptions,
  examples: ['coaching --show pending'],
  table: coachingTable,
  pages(call) {
    const query = parseArgument(AdminCoachingApplicationQuery, filterOf(call))
    return (client, page) => coachingPages(client, { ...query, ...page })
  },
})

const membershipPages = ({ api }: Client, query: PageQuery) =>
  requestPage(AdminApplicationList, api.admin['membership-applications'].get({ query }))
const coachingPages = ({ api }: Client, query: PageQuery) =>
  requestPage(AdminCoachingApplicationList, api.admin['coaching-applications'].get({ query }))

const membershipNamed = (call: Call) => (client: Client) =>
  findEntry<AdminApplication>(client, {
    noun: 'applications',
    given: call.argument(0),
    matches: byAddress,
    pages: membershipPages,
  })
const coachingNamed = (call: Call) => (client: Client) =>
  findEntry<AdminCoachingApplication>(client, {
    noun: 'applications',
    given: call.argument(0),
    matches: byAddress,
    pages: coachingPages,
  })

const isCoaching = (call: Call) => call.options.coaching === true
const coachingOption = ['--coaching', 'a coaching application'] as const

const show = showRow({
  usage: 'show <reference-or-email>',
  description: 'Show an application in full',
  options: [coachingOption],
  examples: ['show 3C4D-5E6F', 'show sam@example.com --coaching'],
  read: (call) => async (client) => (isCoaching(call) ? coachingNamed(call)(client) : membershipNamed(call)(client)),
  output: (application) => countsOutput(application, 'Application', application),
})

type StatusFacts = {
  id: string
  name: string
  email: string
  coaching: boolean
  before: Status
  status: Status
}

const set = changeRow<StatusFacts>({
  usage: 'set <reference-or-email> <status>',
  description: `Set an application’s status: ${applicationStatuses.join(', ')}`,
  options: [coachingOption],
  examples: ['set 3C4D-5E6F contacted', 'set sam@example.com approved'],
  plan(call) {
    const status = parseArgument(ApplicationStatus, call.argument(1).toLowerCase(), 'status')
    return async (client) => {
      const one = isCoaching(call) ? await coachingNamed(call)(client) : await membershipNamed(call)(client)
      const name = 'name' in one ? one.name : nameOf(one)
      const facts = { id: one.id, name, email: one.email, coaching: isCoaching(call), before: one.status, status }
      const output = sectionsOutput({ json: facts, csv: () => csvOfRecord(facts) }, [])
      return { facts, output, question: `Set ${name} to ${status}?` }
    }
  },
  apply:
    (_call, { id, name, coaching, before, status }) =>
    async ({ api }) => {
      const entry = coaching ? api.admin['coaching-applications']({ id }) : api.admin['membership-applications']({ id })
      await request(Done, entry.status.patch({ status, before }))
      return { sentence: `${name}: ${before} → ${status}.`, record: { id, status } }
    },
})

const remove = changeRow<{ id: string; name: string; email: string }>({
  usage: 'delete <reference-or-email>',
  description: 'Delete a membership application',
  examples: ['delete 3C4D-5E6F --dry-run', 'delete 3C4D-5E6F'],
  asks: true,
  plan: (call) => async (client) => {
    const one = await membershipNamed(call)(client)
    const facts = { id: one.id, name: nameOf(one), email: one.email }
    const details = [{ label: 'Deleted', value: `the application of ${facts.name} (${facts.email})` }]
    const output = sectionsOutput({ json: facts, csv: () => csvOfRecord(facts) }, [{ title: 'Plan', details }])
    return { facts, output, question: `Delete the application of ${facts.name} (${facts.email}) for good?` }
  },
  apply:
    (_call, { id, name }) =>
    async ({ api }) => {
      await request(Done, api.admin['membership-applications']({ id }).delete())
      return { sentence: `The application of ${name} is deleted.`, record: { id } }
    },
})

const notes = inboxRows({
  kind: (call) => (isCoaching(call) ? 'coaching-applications' : 'membership-applications'),
  options: [coachingOption],
  argument: 'reference-or-email',
  example: '3C4D-5E6F',
  find: (call) => async (client) => {
    const one = isCoaching(call) ? await coachingNamed(call)(client) : await membershipNamed(call)(client)
    return { id: one.id, name: 'name' in one ? one.name : nameOf(one), email: one.email }
  },
})

export const applicationRows: readonly CommandRow[] = [list, coaching, show, set, remove, ...notes]

export const registerApplications = registersRows(applicationRows)
