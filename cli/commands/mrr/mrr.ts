import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { timeLabel } from '#cli/labels.ts'
import { csvSheet, type Output, print, sectionsOutput, tableOutput, tableWithRows } from '#cli/output.ts'
import { request } from '#cli/request.ts'
import { registerRows } from '#cli/rows.ts'
import { type Column, csvFields, type Detail, type Table } from '#cli/table.ts'
import { type Mrr, type RevenueMonth, RevenueMonthList, revenueMovements } from '#shared/contract/revenue.ts'
import { type TierSlug, tierSlugs } from '#shared/contract/tier.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { mrrRows, requestMrr, subscriptionsTable } from './rows.ts'

export function registerMrr(mrr: Command, io: Io): void {
  mrr
    .addHelpText('after', examples('mrr', 'mrr --json --api https://example.com'))
    .action((_own, command: Command) => showMrr(io, command.optsWithGlobals()))
  mrr
    .command('months')
    .description('List months: opening, gains, losses, closing, VAT. Past months are frozen')
    .addHelpText('after', examples('mrr months', 'mrr months --csv > months.csv'))
    .action((_own, command: Command) => listMonths(io, command.optsWithGlobals()))
  registerRows(mrr, io, mrrRows)
}

async function showMrr(io: Io, options: SharedOptions): Promise<void> {
  await print(io, options, mrrOutput(await withClient(io, options, requestMrr)))
}

const tierColumns: readonly Column<Mrr['commission']['breakdown'][number]>[] = [
  { title: 'TIER', text: ({ name }) => name, minWidth: 12 },
  { title: 'MEMBERS', text: ({ count }) => String(count), align: 'right' },
  { title: 'RATE', text: ({ rate }) => `${rate}%`, align: 'right' },
  { title: 'COMMISSION', text: ({ total }) => formatPoundsAndPence(total), align: 'right' },
]

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
