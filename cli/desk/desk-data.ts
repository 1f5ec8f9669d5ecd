import type { Client } from '#cli/connection.ts'
import { dayLabel, timeLabel } from '#cli/labels.ts'
import { request, requestPage } from '#cli/request.ts'
import { AdminMemberList } from '#shared/contract/members.ts'
import { Mrr, RevenueMonthList } from '#shared/contract/revenue.ts'
import { Today } from '#shared/contract/today.ts'
import { londonDay } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

/** A to-do. `memberId` leads to the member; the command is what you'd type for the rest. */
export type QueueItem = {
  kind: 'payment' | 'call' | 'application' | 'coaching' | 'message' | 'mail' | 'job' | 'check'
  title: string
  detail: string
  memberId: string | null
  command: string | null
  isUrgent: boolean
}

/** What the desk shows: figures in pence excluding VAT, and the queue, most urgent first. */
export type Desk = {
  asOf: string
  members: number | null
  mrr: number
  target: { customers: number; goal: number }
  months: { month: string; closing: number }[]
  queue: QueueItem[]
  /** The total of each; the queue has the first few. */
  totals: { failures: number; applications: number; coaching: number; contacts: number }
}

export async function readDesk({ api }: Client): Promise<Desk> {
  const [today, mrr, months, members] = await Promise.all([
    request(Today, api.admin.today.get()),
    request(Mrr, api.admin.mrr.get({ query: { limit: 1 } })),
    request(RevenueMonthList, api.admin['revenue-months'].get({ query: { limit: 24 } })),
    requestPage(AdminMemberList, api.admin.members.get({ query: { limit: 1, show: 'with-access' } })),
  ])
  return {
    asOf: today.asOf,
    members: members.total,
    mrr: mrr.totalMRR,
    target: mrr.target,
    months: months.map(({ month, closing }) => ({ month, closing })),
    queue: queueOf(today),
    totals: {
      failures: today.failures.total,
      applications: today.applications.total,
      coaching: today.coaching.total,
      contacts: today.contacts.total,
    },
  }
}

const nothing = { memberId: null, command: null, isUrgent: false }

function queueOf(today: Today): QueueItem[] {
  const day = londonDay(new Date(today.asOf))
  const dayOf = ({ startsAt, bookingDate }: Today['calls']['rows'][number]) =>
    startsAt === null ? bookingDate : londonDay(new Date(startsAt))
  return [
    ...today.failures.rows.map(({ name, due, hasAccess, graceEndsOn, memberId }) => ({
      ...nothing,
      kind: 'payment' as const,
      memberId,
      isUrgent: true,
      title: `${name}: ${formatPoundsAndPence(due)} due`,
      detail:
        hasAccess && graceEndsOn !== null
          ? `access until ${dayLabel(graceEndsOn)}`
          : hasAccess
            ? 'with access'
            : 'no access',
    })),
    ...today.calls.rows
      .filter((call) => dayOf(call) === day)
      .map(({ name, phone, startsAt, bookingDate, memberId }) => ({
        ...nothing,
        kind: 'call' as const,
        memberId,
        isUrgent: true,
        title: `${name}${phone === null ? '' : `, ${phone}`}`,
        detail: startsAt === null ? dayLabel(bookingDate) : timeLabel(startsAt),
      })),
    ...today.applications.rows.map(({ firstName, lastName, email, selectedTier }) => ({
      ...nothing,
      kind: 'application' as const,
      command: `applications show ${email}`,
      title: `${firstName} ${lastName}`,
      detail: `${selectedTier}, ${email}`,
    })),
    ...today.coaching.rows.map(({ name, email }) => ({
      ...nothing,
      kind: 'coaching' as const,
      command: `applications show ${email} --coaching`,
      title: name,
      detail: email,
    })),
    ...today.contacts.rows.map(({ name, email, message }) => ({
      ...nothing,
      kind: 'message' as const,
      command: `contacts list --search ${email}`,
      title: `${name}, ${email}`,
      detail: message,
    })),
    ...queueOfSystem(today),
  ]
}

const queueOfSystem = ({ mail, jobs, findings }: Today): QueueItem[] => [
  ...mail.rows.map(({ to, subject, id }) => ({
    ...nothing,
    kind: 'mail' as const,
    command: `mail show ${id}`,
    title: `refused: ${to}`,
    detail: subject,
  })),
  ...jobs.map(({ name, problem }) => ({
    ...nothing,
    kind: 'job' as const,
    command: 'jobs list',
    title: name,
    detail: problem,
  })),
  ...findings.map(({ check, state, message }) => ({
    ...nothing,
    kind: 'check' as const,
    isUrgent: state === 'failed',
    title: check,
    detail: message,
  })),
]

export const figureLines = ({ asOf, members, mrr, target }: Desk) => [
  { label: 'As of', value: timeLabel(asOf) },
  { label: 'Members', value: members === null ? 'not counted' : members.toLocaleString('en-GB') },
  { label: 'MRR', value: `${formatPoundsAndPence(mrr)} excluding VAT` },
  { label: 'Target', value: `${target.customers} of ${target.goal} paying customers` },
]
