import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import type { Client } from '#cli/connection.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { providerStatusLabel, statusTone, timeLabel } from '#cli/labels.ts'
import { csvSheet, type Output, print, sectionsOutput, tableOutput, tableWithRows } from '#cli/output.ts'
import { request, requestPage } from '#cli/request.ts'
import { type Column, csvFields, type Detail, type Table } from '#cli/table.ts'
import { Mrr, type RevenueMonth, RevenueMonthList, revenueMovements } from '#shared/contract/revenue.ts'
import { type TierSlug, tierSlugs } from '#shared/contract/tier.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

export function registerMrr(mrr: Command, io: Io): void {
  mrr
    .addHelpText('after', examples('mrr', 'mrr --json --api https://example.com'))
    .action((_own, command: Command) => showMrr(io, command.optsWithGlobals()))
  mrr
    .command('months')
    .description('List months: opening, gains, losses, closing, VAT. Past months are frozen')
    .addHelpText('after', examples('mrr months', 'mrr months --csv > months.csv'))
    .action((_own, command: Command) => listMonths(io, command.optsWithGlobals()))
}

async function showMrr(io: Io, options: SharedOptions): Promise<void> {
  await print(io, options, mrrOutput(await withClient(io, options, requestMrr)))
}

/** The totals of the first page with the subscriptions of all pages. */
async function requestMrr({ api }: Client): Promise<Mrr> {
  const first = await requestPage(Mrr, api.admin.mrr.get({ query: { limit: 1000 } }))
  const subscriptions = [...first.value.subscriptionDetails]
  for (let cursor = first.next; cursor !== null; ) {
    const page = await requestPage(Mrr, api.admin.mrr.get({ query: { limit: 1000, cursor } }))
    subscriptions.push(...page.value.subscriptionDetails)
    cursor = page.next === cursor ? null : page.next
  }
  return { ...first.value, subscriptionDetails: subscriptions }
}

const tierColumns: readonly Column<Mrr['commission']['breakdown'][number]>[] = [
  { title: 'TIER', text: ({ name }) => name, minWidth: 12 },
  { title: 'MEMBERS', text: ({ count }) => String(count), align: 'right' },
  { title: 'RATE', text: ({ rate }) => `${rate}%`, align: 'right' },
  { title: 'COMMISSION', text: ({ total }) => formatPoundsAndPence(total), align: 'right' },
]

const subscriptionsTable: Table<Mrr['subscriptionDetails'][number]> = {
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
  ],
}

export function mrrOutput(mrr: Mrr): Output {
  const { subscriptionDetails, commission, target } = mrr
  const details: Detail[] = [
    { label: 'Monthly recurring revenue', value: `${formatPoundsAndPence(mrr.totalMRR)} excluding VAT` },
    { label: 'Active subscriptions', value: String(mrr.activeSubscriptions) },
    { label: 'Target', value: `${target.customers} of ${target.goal} paying customers, excluding owners` },
    { label: 'As of', value: timeLabel(mrr.lastUpdated) },
    { label: `Commission forecast, ${commission.partner}`, value: formatPoundsAndPence(commission.total) },
  ]
  const note = 'The commission is a forecast for a month at this revenue. The amount due comes from paid invoices.'
  return sectionsOutput({ json: mrr, csv: () => csvSheet(subscriptionsTable.csv, subscriptionDetails) }, [
    { title: 'Revenue', details },
    {
      title: 'Commission forecast',
      table: tableWithRows({ columns: tierColumns, empty: 'No tiers.' }, commission.breakdown),
      note,
    },
    { title: subscriptionsTable.title, table: tableWithRows(subscriptionsTable, subscriptionDetails) },
  ])
}

async function listMonths(io: Io, options: SharedOptions): Promise<void> {
  const months = await withClient(io, options, ({ api }) =>
    request(RevenueMonthList, api.admin['revenue-months'].get({ query: {} })),
  )
  await print(io, options, tableOutput(monthsTable, months))
}

const pounds = (title: string, of: (month: RevenueMonth) => number, dropOrder?: number): Column<RevenueMonth> => ({
  title,
  text: (month) => formatPoundsAndPence(of(month)),
  align: 'right',
  ...(dropOrder === undefined ? {} : { dropOrder }),
})

const monthsTable: Table<RevenueMonth> = {
  title: 'Months',
  empty: 'No months yet.',
  columns: [
    { title: 'MONTH', text: ({ month, isFrozen }) => `${month}${isFrozen ? '' : ', open'}` },
    pounds('OPENING', ({ opening }) => opening, 1),
    pounds('NEW', ({ movements }) => movements.new, 2),
    pounds('RETURNED', ({ movements }) => movements.reactivation, 5),
    pounds('UPGRADED', ({ movements }) => movements.expansion, 6),
    pounds('DOWNGRADED', ({ movements }) => movements.contraction, 6),
    pounds('CANCELLED', ({ movements }) => movements.churn_voluntary, 3),
    pounds('UNPAID', ({ movements }) => movements.churn_failed_payment, 3),
    pounds('CLOSING', ({ closing }) => closing),
    { title: 'CUSTOMERS', text: ({ payingCustomers }) => String(payingCustomers), align: 'right', dropOrder: 4 },
    pounds('VAT', ({ vat }) => vat.total.vat, 7),
  ],
  csv: [
    ...csvFields(['month', 'isFrozen']),
    { name: 'openingPence', cell: ({ opening }) => opening },
    ...revenueMovements.map((kind) => ({
      name: `${kind}Pence`,
      cell: ({ movements }: RevenueMonth) => movements[kind],
    })),
    { name: 'closingPence', cell: ({ closing }) => closing },
    ...csvFields(['payingCustomers']),
    ...tierSlugs.flatMap((slug) => [
      { name: `${slug}Customers`, cell: (month: RevenueMonth) => tierOf(month, slug)?.customers ?? null },
      { name: `${slug}Pence`, cell: (month: RevenueMonth) => tierOf(month, slug)?.monthlyRevenue ?? null },
    ]),
    ...(['invoiced', 'credited', 'late'] as const).flatMap((kind) => [
      { name: `${kind}NetPence`, cell: ({ vat }: RevenueMonth) => vat[kind].net },
      { name: `${kind}VatPence`, cell: ({ vat }: RevenueMonth) => vat[kind].vat },
    ]),
  ],
}

const tierOf = ({ tiers }: RevenueMonth, slug: TierSlug) => tiers.find(({ tier }) => tier === slug)
