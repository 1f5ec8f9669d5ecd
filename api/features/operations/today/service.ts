import type { Context } from '#api/context.ts'
import type { ListPage } from '#api/db/listing.ts'
import { listContacts } from '#api/features/inbox/contact-queries.ts'
import { listApplications, listCoachingApplications, listUpcomingBookings } from '#api/features/inbox/queries.ts'
import { countAtRisk } from '#api/features/members/risk-queries.ts'
import { countStuckMail, listJobProblems } from '#api/features/operations/doctor/mail-and-jobs-rules.ts'
import { listFindings } from '#api/features/operations/doctor/service.ts'
import { jobs } from '#api/features/operations/jobs/list-service.ts'
import { listEmailReports } from '#api/features/profile/email-report-service.ts'
import { listInboxQuestions } from '#api/features/questions/owner-queries.ts'
import { listMail, readMailStop } from '#api/mail/outbox-queries.ts'
import type { Today } from '#shared/contract/today.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'
import { listFailures, listPayments } from './queries.ts'

const limit = 5
const dayMs = 86_400_000

/** The dashboard. Always the same number of statements, however much data there is. */
export async function readToday(ctx: Context): Promise<Today> {
  const pending = { show: 'pending', limit } as const
  const waitsBefore = new Date(ctx.now().getTime() - dayMs).toISOString()
  return {
    asOf: ctx.now().toISOString(),
    applications: withoutCursor(listApplications(ctx, { ...pending, isToDecide: true })),
    coaching: withoutCursor(listCoachingApplications(ctx, pending)),
    contacts: withoutCursor(listContacts(ctx, { show: 'unanswered', limit })),
    questions: withoutCursor(listInboxQuestions(ctx, { filter: 'waiting', limit, waitsBefore })),
    payments: listPayments(ctx, addDays(londonDay(ctx.billingNow()), -1), limit),
    ...listFailures(ctx, limit),
    emailReports: listEmailReports(ctx),
    atRisk: countAtRisk(ctx),
    calls: withoutCursor(listUpcomingBookings(ctx, { limit })),
    mail: readMail(ctx),
    jobs: listJobProblems(ctx.db, jobs, ctx.now()),
    findings: await listFindings(ctx),
  }
}

const withoutCursor = <Row>({ rows, total }: ListPage<Row>) => ({ rows, total: total() })

function readMail(ctx: Context): Today['mail'] {
  const stuck = new Map(countStuckMail(ctx.db, ctx.now()).map(({ status, count }) => [status, count]))
  const stop = readMailStop(ctx)
  const refused = listMail(ctx, { status: 'refused', limit }).rows
  return {
    waiting: listMail(ctx, { status: 'waiting', limit: 1 }).total(),
    late: stop === null ? (stuck.get('waiting') ?? 0) : 0,
    refused: stuck.get('refused') ?? 0,
    failed: stuck.get('failed') ?? 0,
    stopped: stop,
    rows: refused.filter(({ canResend }) => canResend),
  }
}
