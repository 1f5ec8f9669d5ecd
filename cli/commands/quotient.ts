import type { Command } from 'commander'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { emptyLabel, fullName, timeLabel } from '#cli/labels.ts'
import { type ListOptions, printList } from '#cli/list.ts'
import { requestPage } from '#cli/request.ts'
import { csvFields, type Table, type Tone } from '#cli/table.ts'
import { type AdminQuotientOrder, AdminQuotientOrderList } from '#shared/contract/quotient.ts'
import { shortReference } from '#shared/rules/id.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

export function registerQuotient(quotient: Command, io: Io): void {
  quotient
    .command('orders')
    .description('List orders, the newest first; --csv and --json include every field of the form')
    .option('-n, --limit <count>', 'maximum number of rows')
    .addHelpText('after', examples('quotient orders', 'quotient orders --csv > orders.csv'))
    .action((_own, command: Command) => listOrders(io, command.optsWithGlobals()))
}

const statusLabels: Record<AdminQuotientOrder['status'], { label: string; tone: Tone }> = {
  pending: { label: 'Not paid yet', tone: 'muted' },
  paid: { label: 'Paid', tone: 'success' },
  refunded: { label: 'Refunded', tone: 'error' },
  cancelled: { label: 'Never paid', tone: 'muted' },
}
const packageLabels = { professional: 'Professional', master: 'Master' }

export const ordersTable: Table<AdminQuotientOrder> = {
  title: 'Quotient orders',
  empty: 'No orders yet.',
  columns: [
    { title: 'REFERENCE', text: ({ id }) => shortReference(id) },
    { title: 'NAME', text: fullName, minWidth: 12 },
    { title: 'BUSINESS', text: ({ businessName }) => businessName || emptyLabel, minWidth: 10, dropOrder: 3 },
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 16 },
    { title: 'PACKAGE', text: ({ packageType }) => packageLabels[packageType], dropOrder: 2 },
    {
      title: 'STATUS',
      text: ({ status }) => statusLabels[status].label,
      tone: ({ status }) => statusLabels[status].tone,
    },
    { title: 'TOTAL', text: ({ total }) => formatPoundsAndPence(total), align: 'right' },
    { title: 'ORDERED', text: ({ createdAt }) => timeLabel(createdAt), tone: () => 'muted', dropOrder: 1 },
    { title: 'PAID', text: ({ paidAt }) => timeLabel(paidAt), tone: () => 'muted', dropOrder: 4 },
  ],
  csv: csvFields(
    ['id', 'status', 'packageType', 'firstName', 'lastName', 'email', 'phone', 'businessName', 'tradeType'],
    ['preferredManufacturer', 'warrantyBoostPrice', 'cheapestCarePlanPrice', 'generalHourlyRate'],
    ['generalInstallRate', 'generalDayRate', 'vatRegistered', 'additionalRequirements'],
    ['net', 'vat', 'total', 'createdAt', 'paidAt'],
  ),
}

const listOrders = (io: Io, options: ListOptions) =>
  printList(io, options, {
    table: ordersTable,
    requestPage: ({ api }, query) => requestPage(AdminQuotientOrderList, api.admin['quotient-orders'].get({ query })),
  })
