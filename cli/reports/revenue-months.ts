import type { Report } from '#cli/output.ts'
import type { Column } from '#cli/table.ts'
import { type RevenueMonth, revenueMovements } from '#shared/contract/revenue.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { figuresReport } from './figures.ts'

const pounds = (title: string, of: (month: RevenueMonth) => number, givesWay?: number): Column<RevenueMonth> => ({
  title,
  text: (month) => formatPoundsAndPence(of(month)),
  align: 'right',
  ...(givesWay === undefined ? {} : { givesWay }),
})

const columns: readonly Column<RevenueMonth>[] = [
  { title: 'MONTH', text: ({ month, isFrozen }) => `${month}${isFrozen ? '' : ', open'}` },
  pounds('OPENING', ({ opening }) => opening, 1),
  pounds('NEW', ({ movements }) => movements.new, 2),
  pounds('BACK', ({ movements }) => movements.reactivation, 5),
  pounds('UP', ({ movements }) => movements.expansion, 6),
  pounds('DOWN', ({ movements }) => movements.contraction, 6),
  pounds('LEFT', ({ movements }) => movements.churn_voluntary, 3),
  pounds('UNPAID', ({ movements }) => movements.churn_failed_payment, 3),
  pounds('CLOSING', ({ closing }) => closing),
  { title: 'CUSTOMERS', text: ({ payingCustomers }) => String(payingCustomers), align: 'right', givesWay: 4 },
  pounds('VAT', ({ vat }) => vat.total.vat, 7),
]

const head = [
  ...['month', 'isFrozen', 'openingPence', ...revenueMovements.map((kind) => `${kind}Pence`), 'closingPence'],
  ...['payingCustomers', 'liteCustomers', 'litePence', 'standardCustomers', 'standardPence', 'xlCustomers', 'xlPence'],
  ...['invoicedNetPence', 'invoicedVatPence', 'creditedNetPence', 'creditedVatPence', 'lateNetPence', 'lateVatPence'],
]

const rowOf = ({ month, isFrozen, opening, movements, closing, payingCustomers, tiers, vat }: RevenueMonth) => [
  ...[month, isFrozen, opening, ...revenueMovements.map((kind) => movements[kind]), closing, payingCustomers],
  ...tiers.flatMap(({ tier, customers, monthlyRevenue }) => (tier === null ? [] : [customers, monthlyRevenue])),
  ...[vat.invoiced.net, vat.invoiced.vat, vat.credited.net, vat.credited.vat, vat.late.net, vat.late.vat],
]

export const revenueMonthsReport = (months: RevenueMonth[]): Report =>
  figuresReport(months, { title: 'Months', facts: [], columns, rows: months, empty: 'No months yet.' }, () => ({
    head,
    rows: months.map(rowOf),
  }))
