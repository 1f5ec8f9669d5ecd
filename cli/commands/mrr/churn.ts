import { emptyLabel } from '#cli/labels.ts'
import { chartedOutput } from '#cli/output.ts'
import { request } from '#cli/request.ts'
import { type CommandRow, showRow } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { type RevenueMonth, RevenueMonthList } from '#shared/contract/revenue.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { churnOf, mrrFigures } from '#shared/rules/month-figures.ts'

const perCent = (share: number | null) => (share === null ? null : Math.round(share * 1000) / 10)

function churnOfMonth(month: RevenueMonth) {
  const { churn_voluntary: left, churn_failed_payment: unpaid, contraction } = month.movements
  const { memberChurn, revenueChurn } = mrrFigures(month)
  return {
    month: month.month,
    isFrozen: month.isFrozen,
    opening: month.opening,
    left,
    unpaid,
    contraction,
    lost: churnOf(month),
    perCent: perCent(revenueChurn),
    payingCustomers: month.payingCustomers,
    lostCustomers: month.lostCustomers,
    customersPerCent: perCent(memberChurn),
  }
}
type Churn = ReturnType<typeof churnOfMonth>

const churnTable: Table<Churn> = {
  title: 'Churn',
  empty: 'No months yet.',
  columns: [
    { title: 'MONTH', text: ({ month, isFrozen: isClosed }) => `${month}${isClosed ? '' : ', open'}` },
    { title: 'OPENING MRR', text: ({ opening }) => formatPoundsAndPence(opening), align: 'right', dropOrder: 3 },
    { title: 'CANCELLED', text: ({ left }) => formatPoundsAndPence(left), align: 'right', dropOrder: 1 },
    { title: 'PAYMENT FAILED', text: ({ unpaid }) => formatPoundsAndPence(unpaid), align: 'right', dropOrder: 2 },
    { title: 'MRR LOST', text: ({ lost }) => formatPoundsAndPence(lost), align: 'right' },
    { title: 'CHURN %', text: ({ perCent }) => (perCent === null ? emptyLabel : `${perCent}%`), align: 'right' },
    { title: 'MEMBERS LOST', text: ({ lostCustomers }) => String(lostCustomers), align: 'right', dropOrder: 5 },
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
    ...csvFields(['lostCustomers', 'customersPerCent']),
  ],
}

const churnRow = showRow({
  usage: 'churn',
  description: 'Show members and revenue lost, month by month',
  examples: ['churn', 'churn --csv > churn.csv'],
  read:
    () =>
    async ({ api }) => {
      const months = await request(RevenueMonthList, api.admin['revenue-months'].get({ query: {} }))
      return months.map(churnOfMonth)
    },
  output: (rows) => chartedOutput(churnTable, rows, 'Lost', ({ lost }) => -lost),
})

export const churnRows: readonly CommandRow[] = [churnRow]
