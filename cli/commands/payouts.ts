import { dayLabel, emptyLabel, timeLabel } from '#cli/labels.ts'
import { reportOutput, tableOutput } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
import { registersRows, showRow } from '#cli/rows.ts'
import { csvFields, type Detail, type Table } from '#cli/table.ts'
import { type Payout, PayoutDetail, type PayoutEntry, PayoutList, PayoutParams } from '#shared/contract/payments.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

const statusLabel = ({ status }: Payout) => status.replace('_', ' ').replace(/^./, (letter) => letter.toUpperCase())

const payoutsTable: Table<Payout> = {
  title: 'Payouts',
  empty: 'No payouts yet.',
  columns: [
    { title: 'ID', text: ({ id }) => id, identifies: true },
    { title: 'ARRIVES', text: ({ arrivesOn }) => dayLabel(arrivesOn) },
    {
      title: 'STATUS',
      text: statusLabel,
      tone: ({ failure }) => (failure === null ? undefined : 'error'),
      dropOrder: 1,
    },
    { title: 'AMOUNT', text: ({ amount }) => formatPoundsAndPence(amount), align: 'right' },
    { title: 'FAILURE', text: ({ failure }) => failure ?? emptyLabel, minWidth: 10, dropOrder: 2 },
  ],
  csv: csvFields(['id', 'status', 'amount', 'createdAt', 'arrivesOn', 'isAutomatic', 'failure']),
}

const entriesTable: Table<PayoutEntry> = {
  title: 'What’s in it',
  empty: 'Stripe lists nothing in it.',
  columns: [
    { title: 'WHEN', text: ({ createdAt }) => timeLabel(createdAt), dropOrder: 1 },
    { title: 'WHAT', text: ({ kind }) => kind.replaceAll('_', ' '), dropOrder: 2 },
    { title: 'NAME', text: ({ name }) => name ?? emptyLabel, minWidth: 10, identifies: true },
    { title: 'AMOUNT', text: ({ amount }) => formatPoundsAndPence(amount), align: 'right' },
    { title: 'FEE', text: ({ fee }) => formatPoundsAndPence(fee), align: 'right' },
    { title: 'NET', text: ({ net }) => formatPoundsAndPence(net), align: 'right' },
  ],
  csv: csvFields(['id', 'kind', 'name', 'memberId', 'amount', 'fee', 'net', 'createdAt']),
}

const list = showRow({
  usage: 'list',
  description: 'List Stripe’s last 100 payouts to your bank',
  examples: ['list', 'list --csv > payouts.csv'],
  read:
    () =>
    ({ api }) =>
      request(PayoutList, api.admin.payouts.get()),
  output: (payouts) => tableOutput(payoutsTable, payouts),
})

const sumOf = (entries: readonly PayoutEntry[], part: 'amount' | 'fee' | 'net') =>
  formatPoundsAndPence(entries.reduce((sum, entry) => sum + entry[part], 0))

const show = showRow({
  usage: 'show <id>',
  description: 'Show a payout’s payments, refunds and fees, adding up to what reached your bank',
  examples: ['show po_1Example', 'show po_1Example --csv > payout.csv'],
  read({ argument }) {
    const { id } = parseArgument(PayoutParams, { id: argument(0) })
    return ({ api }) => request(PayoutDetail, api.admin.payouts({ id }).get())
  },
  output(payout) {
    const { entries } = payout
    const details: Detail[] = [
      { label: 'Arrives', value: dayLabel(payout.arrivesOn) },
      { label: 'Status', value: payout.failure ?? statusLabel(payout), ...(payout.failure ? { tone: 'error' } : {}) },
      { label: 'Charges less refunds', value: sumOf(entries, 'amount') },
      { label: 'Fees', value: sumOf(entries, 'fee') },
      { label: 'To the bank', value: formatPoundsAndPence(payout.amount) },
    ]
    return reportOutput({ title: payout.id, details, table: entriesTable, rows: entries, json: payout })
  },
})

export const payoutRows = [list, show]

export const registerPayouts = registersRows(payoutRows)
