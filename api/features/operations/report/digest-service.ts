import type { Context } from '#api/context.ts'
import { revenueMonths } from '#api/features/earnings/revenue/month-service.ts'
import { monthlyRevenue } from '#api/features/earnings/revenue/mrr-service.ts'
import { commissionUntil } from '#api/features/earnings/revenue/queries.ts'
import { readToday } from '#api/features/operations/today/service.ts'
import type { Report, ReportKind } from '#shared/contract/report.ts'
import type { Today } from '#shared/contract/today.ts'
import { addDays, formatLongDate, londonInstant } from '#shared/rules/london.ts'
import { monthlyOf } from '#shared/rules/mrr.ts'
import { movementsWithin, paymentsWithin, refundsWithin } from './queries.ts'

type Days = { from: string; to: string }

/** What happened on these days, and what owners have to do now. The caller sets `hasNews`. */
export async function buildReport(ctx: Context, kind: ReportKind, days: Days): Promise<Report> {
  const nothing = { count: 0, gross: 0 }
  const { mrr } = monthlyRevenue(ctx, { limit: 1, cursor: undefined })
  const month = kind === 'monthly' ? days.from.slice(0, 7) : null
  return {
    kind,
    ...days,
    hasNews: false,
    mrr: { total: mrr.totalMRR, subscriptions: mrr.activeSubscriptions },
    movements: movementsOf(ctx, days),
    payments: paymentsWithin.get(ctx, days) ?? nothing,
    refunds: refundsWithin.get(ctx, days) ?? nothing,
    ...waitingFor(await readToday(ctx)),
    month: month === null ? null : (revenueMonths(ctx, 2).find((one) => one.month === month) ?? null),
    commissionOwed: month === null ? null : (commissionUntil.get(ctx, { month })?.amount ?? 0),
  }
}

function movementsOf(ctx: Context, { from, to }: Days): Report['movements'] {
  const [start, end] = [londonInstant(from, '00:00'), londonInstant(addDays(to, 1), '00:00')]
  return movementsWithin
    .all(ctx, {
      from: start.toISOString(),
      to: end.toISOString(),
      month: from.slice(0, 7),
      lastMonth: to.slice(0, 7),
    })
    .map(({ kind, name, beforeYearly, afterYearly }) => ({
      kind,
      name,
      change: monthlyOf(afterYearly) - monthlyOf(beforeYearly),
    }))
}

function waitingFor({ failures, applications, contacts, calls, mail, jobs, findings }: Today) {
  return {
    failures: { total: failures.total, rows: failures.rows },
    applications: {
      total: applications.total,
      rows: applications.rows.map(({ id, firstName, lastName }) => ({ id, text: `${firstName} ${lastName}`.trim() })),
    },
    contacts: { total: contacts.total, rows: contacts.rows.map(({ id, name }) => ({ id, text: name })) },
    calls: {
      total: calls.total,
      rows: calls.rows.map(({ id, name, bookingDate }) => ({ id, text: `${name}, ${formatLongDate(bookingDate)}` })),
    },
    mail: { late: mail.late, refused: mail.refused, failed: mail.failed },
    jobs,
    findings,
  }
}

/** Empty if nothing needs doing. Leaves out times and counts that change on their own, so that the same list twice isn't news. */
export function fingerprintOf(report: Report): string {
  const ids = ({ total, rows }: { total: number; rows: readonly { id: string }[] }) => [
    total,
    ...rows.map(({ id }) => id),
  ]
  const { failures, applications, contacts, calls, mail, jobs, findings } = report
  const stuck = mail.late + mail.refused + mail.failed
  const waiting = failures.total + applications.total + contacts.total + calls.total
  if (waiting + stuck + jobs.length + findings.length === 0) return ''
  const facts = [
    failures.rows.map(({ memberId, due, hasAccess }) => [memberId, due, hasAccess]),
    ...[ids(applications), ids(contacts), ids(calls)],
    ...[mail, jobs.map(({ name, problem }) => [name, problem]), findings.map(({ check, state }) => [check, state])],
  ]
  return new Bun.CryptoHasher('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32)
}
