import * as v from 'valibot'
import { emptyLabel, timeLabel } from '#cli/labels.ts'
import { parseArgument, requestPage, withoutUnset } from '#cli/request.ts'
import { type Call, type CommandRow, listRow, registersRows } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { MembershipApplicationForm } from '#shared/contract/application.ts'
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
    return ({ api }, page) =>
      requestPage(AdminApplicationList, api.admin['membership-applications'].get({ query: { ...query, ...page } }))
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
    return ({ api }, page) =>
      requestPage(
        AdminCoachingApplicationList,
        api.admin['coaching-applications'].get({ query: { ...query, ...page } }),
      )
  },
})

export const applicationRows: readonly CommandRow[] = [list, coaching]

export const registerApplications = registersRows(applicationRows)
