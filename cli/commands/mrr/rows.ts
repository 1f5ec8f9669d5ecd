import type { Client } from '#cli/connection.ts'
import { emptyLabel, providerStatusLabel, statusTone, timeLabel } from '#cli/labels.ts'
import { reportOutput, tableOutput } from '#cli/output.ts'
import { parseArgument, request, requestPage } from '#cli/request.ts'
import { type CommandRow, showRow } from '#cli/rows.ts'
import { csvFields, type Detail, type Table } from '#cli/table.ts'
import { Month } from '#shared/contract/fields.ts'
import {
  MrrDiff,
  type MrrDifference,
  RevenueMovementList,
  type RevenueMovementRow,
} from '#shared/contract/provider-comparison.ts'
import { Mrr, RevenueClock, type RevenueMovement } from '#shared/contract/revenue.ts'
import { londonMonth } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { monthlyShares } from '#shared/rules/mrr.ts'
import { plural } from '#shared/rules/plural.ts'
import { closingRows } from './closing-rows.ts'

export async function requestMrr({ api }: Client): Promise<Mrr> {
  const first = await requestPage(Mrr, api.admin.mrr.get({ query: { limit: 1000 } }))
  const subscriptions = [...first.value.subscriptionDetails]
  for (let cursor = first.next; cursor !== null; ) {
    const page = await requestPage(Mrr, api.admin.mrr.get({ query: { limit: 1000, cursor } }))
    subscriptions.push(...page.value.subscriptionDetails)
    cursor = page.next === cursor ? null : page.next
  }
  return { ...first.value, subscriptionDetails: subscriptions }
}

/** The current month on the billing clock, which the sandbox can move. */
export const requestRunningMonth = async ({ api }: Client): Promise<string> =>
  londonMonth(new Date((await request(RevenueClock, api.admin['revenue-months'].clock.get())).now))

export const subscriptionsTable: Table<Mrr['subscriptionDetails'][number]> = {
  title: 'Subscriptions',
  empty: 'No subscriptions yet.',
  columns: [
    { title: 'MEMBER', text: ({ customerName }) => customerName, minWidth: 12 },
    { title: 'STATUS', text: ({ status }) => providerStatusLabel(status), tone: ({ status }) => statusTone(status) },
    { title: 'MONTHLY', text: ({ monthlyAmount }) => formatPoundsAndPence(monthlyAmount), align: 'right' },
    { title: 'RULE', text: ({ rule }) => rule, minWidth: 20, tone: () => 'muted' },
    { title: 'SUBSCRIPTION', text: ({ subscriptionId }) => subscriptionId, dropOrder: 1, tone: () => 'muted' },
  ],
  csv: [
    ...csvFields(['subscriptionId', 'customerName', 'status']),
    { name: 'monthlyAmountPence', cell: ({ monthlyAmount }) => monthlyAmount },
    ...csvFields(['rule']),
    { name: 'yearlyAmountPence', cell: ({ yearlyAmount }) => yearlyAmount },
  ],
}

function explanation(mrr: Mrr) {
  const byRule = [...Map.groupBy(mrr.subscriptionDetails, ({ rule }) => rule)]
  const yearly = byRule.map(([, rows]) => rows.reduce((sum, row) => sum + row.yearlyAmount, 0))
  const amounts = monthlyShares(yearly, mrr.totalMRR)
  const details = byRule.map(([rule, rows], at): Detail => {
    const value = `${plural(rows.length, 'subscription')}, ${formatPoundsAndPence(amounts[at] ?? 0)}`
    return { label: rule, value }
  })
  const total = { label: 'Monthly recurring revenue', value: formatPoundsAndPence(mrr.totalMRR) }
  const rows = mrr.subscriptionDetails
  return reportOutput({
    title: 'How it adds up',
    details: [...details, total],
    table: subscriptionsTable,
    rows,
    json: mrr,
  })
}

const movementLabels: Record<RevenueMovement, string> = {
  new: 'Joined',
  reactivation: 'Reactivated',
  expansion: 'Upgraded',
  contraction: 'Downgraded',
  churn_voluntary: 'Left',
  churn_failed_payment: 'Payment failed',
}

const signed = (pence: number) => `${pence > 0 ? '+' : ''}${formatPoundsAndPence(pence)}`

const movementsTable: Table<RevenueMovementRow> = {
  title: 'Movements',
  empty: 'No changes this month.',
  columns: [
    { title: 'WHEN', text: ({ at }) => timeLabel(at), dropOrder: 1 },
    { title: 'MEMBER', text: ({ name }) => name, minWidth: 12 },
    { title: 'WHAT', text: ({ kind }) => movementLabels[kind] },
    { title: 'CHANGE', text: ({ before, after }) => signed(after - before), align: 'right' },
    { title: 'NOW', text: ({ after }) => formatPoundsAndPence(after), align: 'right', dropOrder: 2 },
  ],
  csv: csvFields(['at', 'kind', 'name', 'before', 'after']),
}

const sideText = (side: MrrDifference['ours']) =>
  side === null ? emptyLabel : `${providerStatusLabel(side.status)}, ${formatPoundsAndPence(side.monthlyAmount)}`

const diffTable: Table<MrrDifference> = {
  title: 'Differences',
  empty: 'Every subscription matches Stripe.',
  columns: [
    { title: 'SUBSCRIPTION', text: ({ subscriptionId }) => subscriptionId, identifies: true },
    { title: 'HERE', text: ({ ours }) => sideText(ours) },
    { title: 'STRIPE', text: ({ provider }) => sideText(provider) },
    { title: 'CUSTOMER', text: ({ customer }) => customer, dropOrder: 1, minWidth: 10 },
  ],
  csv: [
    ...csvFields(['subscriptionId', 'customer', 'memberId']),
    { name: 'status', cell: ({ ours }) => ours?.status ?? null },
    { name: 'monthlyPence', cell: ({ ours }) => ours?.monthlyAmount ?? null },
    { name: 'providerStatus', cell: ({ provider }) => provider?.status ?? null },
    { name: 'providerMonthlyPence', cell: ({ provider }) => provider?.monthlyAmount ?? null },
  ],
}

const explainRow = showRow({
  usage: 'explain',
  description: 'Show each subscription, the rule that counts it or leaves it out, and how the total adds up',
  examples: ['explain', 'explain --csv'],
  read: () => requestMrr,
  output: explanation,
})

const movementsRow = showRow({
  usage: 'movements [month]',
  description: 'List MRR movements in a month (default: this one)',
  examples: ['movements 2026-06'],
  read({ argument }) {
    const given = argument(0) === '' ? undefined : parseArgument(Month, argument(0), 'month')
    return async (client) => {
      const month = given ?? (await requestRunningMonth(client))
      return request(RevenueMovementList, client.api.admin['revenue-movements']({ month }).get())
    }
  },
  output: (rows) => tableOutput(movementsTable, rows),
})

const diffRow = showRow({
  usage: 'diff',
  description: 'Compare every live subscription with Stripe, line by line (changes nothing)',
  examples: ['diff', 'diff --csv'],
  read:
    () =>
    async ({ api }) =>
      request(MrrDiff, api.admin['mrr-diff'].get()),
  output(diff) {
    const { compared, differences } = diff
    const details: Detail[] = [
      { label: 'Compared', value: plural(compared, 'subscription') },
      { label: 'Different', value: String(differences.length) },
    ]
    const note = differences.length === 0 ? undefined : 'To fix them: alliance subscriptions reconcile --all'
    const report = { title: 'Revenue', details, table: diffTable, rows: differences, json: diff, note }
    return reportOutput(report)
  },
})

export const changeRows: readonly CommandRow[] = [explainRow, movementsRow, diffRow, ...closingRows]
