import { timeLabel } from '#cli/labels.ts'
import { chartedOutput, csvOfRows, type Output, sectionsOutput, tableWithRows } from '#cli/output.ts'
import { request } from '#cli/request.ts'
import { type CommandRow, registersRows, showRow } from '#cli/rows.ts'
import { type Column, csvFields, type Detail, type Table } from '#cli/table.ts'
import { type Mrr, type RevenueMonth, RevenueMonthList, revenueMovements } from '#shared/contract/revenue.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { churnRows } from './churn.ts'
import { figureRows } from './figures.ts'
import { changeRows, requestMrr, subscriptionsTable } from './rows.ts'

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
  const note =
    'The commission is a forecast for the next month, without months you’ve given free. A yearly price counts as a twelfth. What’s due comes from paid invoices.'
  return sectionsOutput({ json: mrr, csv: () => csvOfRows(subscriptionsTable.csv, subscriptionDetails) }, [
    { title: 'Revenue', details },
    {
      title: 'Commission forecast',
      table: tableWithRows({ columns: tierColumns, empty: 'No tiers.' }, commission.breakdown),
      note,
    },
    { title: subscriptionsTable.title, table: tableWithRows(subscriptionsTable, subscriptionDetails) },
  ])
}

const pounds = (title: string, of: (month: RevenueMonth) => number, dropOrder?: number): Column<RevenueMonth> => ({
  title,
  text: (month) => formatPoundsAndPence(of(month)),
  align: 'right',
  ...(dropOrder === undefined ? {} : { dropOrder }),
})

const monthsTable = (slugs: readonly TierSlug[]): Table<RevenueMonth> => ({
  title: 'Months',
  empty: 'No months yet.',
  columns: [
    {
      title: 'MONTH',
      text: ({ month, isFrozen: isClosed, fromStripe }) =>
        `${month}${isClosed ? '' : ', open'}${fromStripe === undefined ? '' : ', Stripe’s'}`,
    },
    pounds('OPENING', ({ opening }) => opening, 1),
    pounds('NEW', ({ movements }) => movements.new, 2),
    pounds('REACTIVATED', ({ movements }) => movements.reactivation, 5),
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
    ...slugs.flatMap((slug) => [
      { name: `${slug}Customers`, cell: (month: RevenueMonth) => tierOf(month, slug)?.customers ?? null },
      { name: `${slug}Pence`, cell: (month: RevenueMonth) => tierOf(month, slug)?.monthlyRevenue ?? null },
    ]),
    ...(['invoiced', 'credited', 'late'] as const).flatMap((kind) => [
      { name: `${kind}NetPence`, cell: ({ vat }: RevenueMonth) => vat[kind].net },
      { name: `${kind}VatPence`, cell: ({ vat }: RevenueMonth) => vat[kind].vat },
    ]),
  ],
})

/** Each month names the same tiers. */
const slugsOf = (months: readonly RevenueMonth[]) => (months.at(-1)?.tiers ?? []).flatMap(({ tier }) => tier ?? [])

const tierOf = ({ tiers }: RevenueMonth, slug: TierSlug) => tiers.find(({ tier }) => tier === slug)

const revenueRow = showRow({
  usage: '',
  description: 'Show monthly recurring revenue and the commission forecast',
  examples: ['', '--json totalMRR,target', '--json --api https://example.com'],
  read: () => requestMrr,
  output: mrrOutput,
})

const monthsRow = showRow({
  usage: 'months',
  description: 'List months: opening, gains, losses, closing, VAT. Past months are closed',
  examples: ['months', 'months --csv > months.csv'],
  read:
    () =>
    async ({ api }) =>
      request(RevenueMonthList, api.admin['revenue-months'].get({ query: {} })),
  output: (rows) => chartedOutput(monthsTable(slugsOf(rows)), rows, 'Closing', ({ closing }) => closing),
})

export const mrrRows: readonly CommandRow[] = [revenueRow, monthsRow, ...churnRows, ...figureRows, ...changeRows]

export const registerMrr = registersRows(mrrRows)
