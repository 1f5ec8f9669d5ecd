import { emptyLabel } from '#cli/labels.ts'
import { chartedOutput } from '#cli/output.ts'
import { request } from '#cli/request.ts'
import { type CommandRow, registersRows, showRow } from '#cli/rows.ts'
import type { Table } from '#cli/table.ts'
import { type RevenueMonth, RevenueMonthList } from '#shared/contract/revenue.ts'
import { churnPerCent } from '#shared/rules/churn.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

function churnOf(whole: RevenueMonth) {
  const { month, isFrozen, opening, movements, payingCustomers } = whole
  const { churn_voluntary: left, churn_failed_payment: unpaid, contraction } = movements
  const perCent = churnPerCent(whole)
  return { month, isFrozen, opening, left, unpaid, contraction, lost: left + unpaid, perCent, payingCustomers }
}
type Churn = ReturnType<typeof churnOf>

const churnTable: Table<Churn> = {
  title: 'Churn',
  empty: 'No months yet.',
  columns: [
    { title: 'MONTH', text: ({ month, isFrozen }) => `${month}${isFrozen ? '' : ', open'}` },
    { title: 'OPENING MRR', text: ({ opening }) => formatPoundsAndPence(opening), align: 'right', dropOrder: 3 },
    { title: 'CANCELLED', text: ({ left }) => formatPoundsAndPence(left), align: 'right', dropOrder: 1 },
    { title: 'PAYMENT FAILED', text: ({ unpaid }) => formatPoundsAndPence(unpaid), align: 'right', dropOrder: 2 },
    { title: 'MRR LOST', text: ({ lost }) => formatPoundsAndPence(lost), align: 'right' },
    { title: 'CHURN %', text: ({ perCent }) => (perCent === null ? emptyLabel : `${perCent}%`), align: 'right' },
    { title: 'CUSTOMERS', text: ({ payingCustomers }) => String(payingCustomers), align: 'right', dropOrder: 4 },
  ],
  csv: [
    { name: 'month', cell: ({ month }) => month },
    { name: 'openingPence', cell: ({ opening }) => opening },
    { name: 'leftPence', cell: ({ left }) => left },
    { name: 'paymentFailedPence', cell: ({ unpaid }) => unpaid },
    { name: 'lostPence', cell: ({ lost }) => lost },
    { name: 'lostPerCent', cell: ({ perCent }) => perCent },
    { name: 'payingCustomers', cell: ({ payingCustomers }) => payingCustomers },
  ],
}

const churnRow = showRow({
  usage: '',
  description: 'Show members and revenue lost, month by month',
  examples: ['', '--csv > churn.csv'],
  read:
    () =>
    async ({ api }) => {
      const months = await request(RevenueMonthList, api.admin['revenue-months'].get({ query: {} }))
      return months.map(churnOf)
    },
  output: (rows) => chartedOutput(churnTable, rows, 'Lost', ({ lost }) => -lost),
})

export const churnRows: readonly CommandRow[] = [churnRow]

export const registerChurn = registersRows(churnRows)
