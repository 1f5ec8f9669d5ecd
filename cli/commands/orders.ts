import { emptyLabel, nameLabel, timeLabel } from '#cli/labels.ts'
import { parseArgument, requestPage, withoutUnset } from '#cli/request.ts'
import { listRow, registersRows } from '#cli/rows.ts'
import { csvFields, type Table, type Tone } from '#cli/table.ts'
import { type AdminQuotientOrder, AdminQuotientOrderList, AdminQuotientOrderQuery } from '#shared/contract/quotient.ts'
import { shortReference } from '#shared/rules/id.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { takeInRow } from './take-in.ts'

const statusLabels: Record<AdminQuotientOrder['status'], { label: string; tone: Tone }> = {
  pending: { label: 'Not paid yet', tone: 'muted' },
  paid: { label: 'Paid', tone: 'success' },
  refunded: { label: 'Refunded', tone: 'error' },
  cancelled: { label: 'Never paid', tone: 'muted' },
}
const packageLabels = { professional: 'Professional', master: 'Master' }

const ordersTable: Table<AdminQuotientOrder> = {
  isOfPeople: true,
  title: 'Quotient orders',
  empty: 'No orders yet.',
  columns: [
    { title: 'REFERENCE', text: ({ id }) => shortReference(id) },
    { title: 'NAME', text: nameLabel, minWidth: 12 },
    { title: 'BUSINESS', text: ({ businessName }) => businessName || emptyLabel, minWidth: 10, dropOrder: 3 },
    { title: 'EMAIL', text: ({ email }) => email, identifies: true },
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

const list = listRow({
  usage: 'list',
  description: 'List Quotient orders, newest first; --csv and --json include the whole form',
  options: [
    ['--show <status>', 'pending, paid, refunded or cancelled'],
    ['--search <words>', 'only with these words'],
  ],
  examples: ['list --show paid', 'list --csv > orders.csv'],
  table: ordersTable,
  pages(call) {
    const given = withoutUnset({ q: call.option('search'), show: call.option('show') })
    const query = parseArgument(AdminQuotientOrderQuery, given)
    return ({ api }, page) =>
      requestPage(AdminQuotientOrderList, api.admin['quotient-orders'].get({ query: { ...query, ...page } }))
  },
})

export const orderRows = [list, takeInRow]

export const registerOrders = registersRows(orderRows)
