import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { dayLabel, yesNoLabel } from '#cli/labels.ts'
import { recordOutput, tableOutput } from '#cli/output.ts'
import { parseArgument, request, requireText } from '#cli/request.ts'
import { type CommandRow, changeRow, showRow } from '#cli/rows.ts'
import { csvFields, type Detail, type Table } from '#cli/table.ts'
import { Done } from '#shared/contract/auth.ts'
import { ManualCommission, ManualCommissionList, ManualCommissionRequest } from '#shared/contract/commission.ts'
import { londonDay } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

const inPence = (pounds: number) => formatPoundsAndPence(Math.round(pounds * 100))

const salesTable: Table<ManualCommission> = {
  title: 'Up-sells',
  empty: 'No up-sells.',
  columns: [
    { title: 'ID', text: ({ id }) => id, dropOrder: 2, tone: () => 'muted' },
    { title: 'SOLD', text: ({ saleDate }) => dayLabel(saleDate), dropOrder: 1 },
    { title: 'WHAT', text: ({ description }) => description, minWidth: 12 },
    { title: 'TOTAL', text: ({ totalAmount }) => inPence(totalAmount), align: 'right' },
    { title: 'COMMISSION', text: ({ commissionAmount }) => inPence(commissionAmount), align: 'right' },
    { title: 'PAID', text: ({ commissionPaid }) => yesNoLabel(commissionPaid) },
  ],
  csv: csvFields(['id', 'saleDate', 'description', 'totalAmount', 'commissionAmount', 'commissionPaid']),
}

const detailsOf = ({ description, totalAmount, commissionAmount, saleDate }: ManualCommissionRequest): Detail[] => [
  { label: 'What', value: description },
  { label: 'Sold on', value: dayLabel(saleDate) },
  { label: 'Total', value: inPence(totalAmount) },
  { label: 'Commission', value: inPence(commissionAmount) },
]

const saleOutput = (sale: ManualCommissionRequest) => recordOutput('Up-sell', detailsOf(sale), sale)

function parsePounds(text: string, name: string): number {
  if (!/^\d+(\.\d{1,2})?$/.test(text)) throw usageError(`${name} takes pounds, such as 90 or 90.50.`)
  return Number(text)
}

async function findSale({ api }: Client, id: string): Promise<ManualCommission> {
  const sales = await request(ManualCommissionList, api.admin['manual-commissions'].get())
  const sale = sales.find((one) => one.id === id)
  if (sale === undefined)
    throw new CliError(exitCodes.notFound, `There’s no up-sell ${id}. "alliance commission sales" lists them.`)
  return sale
}

export const salesRows: readonly CommandRow[] = [
  showRow({
    usage: 'sales',
    description: 'List manual up-sells',
    examples: ['sales', 'sales --csv > sales.csv'],
    read:
      () =>
      ({ api }) =>
        request(ManualCommissionList, api.admin['manual-commissions'].get()),
    output: (sales) => tableOutput(salesTable, sales),
  }),
  changeRow({
    usage: 'add <what> <total> <commission>',
    description: 'Add a manual up-sell: its total and commission, in pounds',
    options: [['--date <YYYY-MM-DD>', 'day of the sale (default: today)']],
    examples: ['add "Website" 900 90 --dry-run', 'add "Website" 900 90 --date 2026-06-01 --yes'],
    asks: true,
    plan: ({ argument, option, io }) => {
      const sale = parseArgument(ManualCommissionRequest, {
        description: argument(0),
        totalAmount: parsePounds(argument(1), 'The total'),
        commissionAmount: parsePounds(argument(2), 'The commission'),
        saleDate: option('date') ?? londonDay(io.now()),
      })
      const question = `Add ${inPence(sale.commissionAmount)} of commission for ${sale.description}?`
      return async () => ({ facts: sale, output: saleOutput(sale), question })
    },
    apply:
      (_call, sale) =>
      async ({ api }) => {
        // One idempotency key for each call: a retry after a lost response adds nothing.
        const headers = { 'idempotency-key': Bun.randomUUIDv7() }
        return tableOutput(salesTable, [
          await request(ManualCommission, api.admin['manual-commissions'].post(sale, { headers })),
        ])
      },
  }),
  changeRow({
    usage: 'delete <id>',
    description: 'Delete a manual up-sell',
    examples: ['delete 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071 --dry-run'],
    asks: true,
    plan: ({ argument }) => {
      const id = requireText(argument(0), 'Enter the ID of an up-sell. "alliance commission sales" lists them.')
      return async (client) => {
        const sale = await findSale(client, id)
        const after = sale.commissionPaid ? ' It’s been paid, so it’s owed back and comes off the next payment.' : ''
        const question = `Delete ${sale.description} with ${inPence(sale.commissionAmount)} of commission?${after}`
        return { facts: sale, output: saleOutput(sale), question }
      }
    },
    apply:
      (_call, { id, description }) =>
      async ({ api }) => {
        await request(Done, api.admin['manual-commissions']({ id }).delete())
        return { sentence: `${description} is deleted.`, record: { id, deleted: true } }
      },
  }),
]
