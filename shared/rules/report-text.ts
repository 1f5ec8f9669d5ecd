import type { Report } from '#shared/contract/report.ts'
import type { RevenueMovement } from '#shared/contract/revenue.ts'
import { formatLongDate, formatMonthAndYear } from './london.ts'
import { formatPoundsAndPence } from './money.ts'

/** `Report of 11 June 2026`, `Report of the week to 7 June 2026`, `Report of June 2026`. */
export function reportTitle({ kind, from, to }: Pick<Report, 'kind' | 'from' | 'to'>): string {
  if (kind === 'daily') return `Report of ${formatLongDate(from)}`
  if (kind === 'monthly') return `Report of ${formatMonthAndYear(from)}`
  return `Report of the week to ${formatLongDate(to)}`
}

const movementTexts: Record<RevenueMovement, string> = {
  new: 'Joined',
  reactivation: 'Reactivations',
  expansion: 'Upgrades',
  contraction: 'Downgrades',
  churn_voluntary: 'Churn: cancelled',
  churn_failed_payment: 'Churn: failed payment',
}

type Line = readonly [label: string, value: string]

const periods = { daily: 'that day', weekly: 'that week', monthly: 'that month' }

/**
 * What a report has to say, as labels and values; empty ones are left out. Each line says whether it's about those days or about
 * now. The terminal and the email show the same lines.
 */
export function reportLines(report: Report): Line[] {
  const { kind, mrr, payments, refunds } = report
  return [
    ['MRR now', `${formatPoundsAndPence(mrr.total)} from ${mrr.subscriptions}`],
    ...sumLine(`Payments ${periods[kind]}`, payments),
    ...sumLine(`Refunds ${periods[kind]}`, refunds),
    ...movementLines(report),
    ...monthLines(report),
    ...waitingLines(report),
    ...troubleLines(report),
  ]
}

const sumLine = (label: string, { count, gross }: Report['payments']): Line[] =>
  count === 0 ? [] : [[label, `${count}, ${formatPoundsAndPence(gross)} including VAT`]]

const movementLines = ({ kind: report, movements }: Report): Line[] =>
  movements.map(({ kind, name, change }) => [
    `${movementTexts[kind]} ${periods[report]}`,
    `${name}, ${change > 0 ? '+' : ''}${formatPoundsAndPence(change)} a month`,
  ])

function monthLines({ month, commissionOwed }: Report): Line[] {
  if (month === null) return []
  const { invoiced, total } = month.vat
  return [
    ['MRR at the start', formatPoundsAndPence(month.opening)],
    ['MRR at the end', formatPoundsAndPence(month.closing)],
    ['Invoiced that month', `${formatPoundsAndPence(invoiced.net)} and ${formatPoundsAndPence(invoiced.vat)} VAT`],
    ['VAT of that month', formatPoundsAndPence(total.vat)],
    ...(commissionOwed === null
      ? []
      : ([['Owed to the sales partner at the end', formatPoundsAndPence(commissionOwed)]] as const)),
  ]
}

type Rows = { total: number; rows: readonly { text: string }[] }

const listLine = (label: string, { total, rows }: Rows): Line[] =>
  total === 0 ? [] : [[label, `${total}: ${rows.map(({ text }) => text).join('; ')}${total > rows.length ? ' …' : ''}`]]

function waitingLines({ failures, applications, contacts, calls }: Report): Line[] {
  const unpaid = failures.rows.map(({ name, email, due, hasAccess, graceEndsOn }) => ({
    text: `${name} (${email}) ${formatPoundsAndPence(due)}${accessText(hasAccess, graceEndsOn)}`,
  }))
  return [
    ...listLine('Payment due now', { total: failures.total, rows: unpaid }),
    ...listLine('Applications to look at now', applications),
    ...listLine('Messages to answer now', contacts),
    ...listLine('Calls to come', calls),
  ]
}

function accessText(hasAccess: boolean, graceEndsOn: string | null): string {
  if (!hasAccess) return ', no access'
  return graceEndsOn === null ? '' : `, access until ${formatLongDate(graceEndsOn)}`
}

function troubleLines({ mail, jobs, findings }: Report): Line[] {
  const stuck = [
    ...(mail.refused > 0 ? [`${mail.refused} refused`] : []),
    ...(mail.failed > 0 ? [`${mail.failed} given up`] : []),
    ...(mail.late > 0 ? [`${mail.late} not sent for more than an hour`] : []),
  ]
  return [
    ...(stuck.length === 0 ? [] : ([['Email now', stuck.join(', ')]] as const)),
    ...(jobs.length === 0
      ? []
      : ([['Jobs', jobs.map(({ name, problem }) => `${name} ${problem}`).join(', ')]] as const)),
    ...findings.map(({ check, message }): Line => [`Doctor, ${check}`, message]),
  ]
}
