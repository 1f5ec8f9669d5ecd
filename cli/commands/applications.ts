import * as v from 'valibot'
import type { Client } from '#cli/connection.ts'
import { findEntry } from '#cli/find-entry.ts'
import { emptyLabel, timeLabel } from '#cli/labels.ts'
import type { PageQuery } from '#cli/list.ts'
import { countsOutput } from '#cli/output.ts'
import { parseArgument, requestPage, withoutUnset } from '#cli/request.ts'
import { type Call, type CommandRow, listRow, registersRows, showRow } from '#cli/rows.ts'
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

const membershipPages = ({ api }: Client, query: PageQuery) =>
  requestPage(AdminApplicationList, api.admin['membership-applications'].get({ query }))
const coachingPages = ({ api }: Client, query: PageQuery) =>
  requestPage(AdminCoachingApplicationList, api.admin['coaching-applications'].get({ query }))

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

/** The desk opens it. */
const show = showRow({
  usage: 'show <reference-or-email>',
  description: 'Show an application in full',
  options: [['--coaching', 'a coaching application']],
  examples: ['show 3C4D-5E6F', 'show sam@example.com --coaching'],
  read({ argument, options }) {
    const wanted = {
      noun: 'applications',
      given: argument(0),
      matches: ({ email }: { email: string }, given: string) => email.toLowerCase() === given,
    }
    return async (client) =>
      options.coaching === true
        ? findEntry<AdminCoachingApplication>(client, { ...wanted, pages: coachingPages })
        : findEntry<AdminApplication>(client, { ...wanted, pages: membershipPages })
  },
  output: (application) => countsOutput(application, 'Application', application),
})

export const applicationRows: readonly CommandRow[] = [list, coaching, show]

export const registerApplications = registersRows(applicationRows)
