import { emptyLabel, nameLabel, timeLabel } from '#cli/labels.ts'
import { requestPage } from '#cli/request.ts'
import { listRow, registersRows } from '#cli/rows.ts'
import { csvFields, type Table, type Tone } from '#cli/table.ts'
import { type AdminQuotientOrder, AdminQuotientOrderList } from '#shared/contract/quotient.ts'
import { shortReference } from '#shared/rules/id.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

const statusLabels: Record<AdminQuotientOrder['status'], { label: string; tone: Tone }> = {
  pending: { label: 'Not paid yet', tone: 'muted' },
  paid: { label: 'Paid', tone: 'success' },
  refunded: { label: 'Refunded', tone: 'error' },
  cancelled: { label: 'Never paid', tone: 'muted' },
}
const packageLabels = { professional: 'Professional', master: 'Master' }

export const ordersTable: Table<AdminQuotientOrder> = {
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

export const quotientRows = [
  listRow({
    usage: 'orders',
    description: 'List orders, newest first; --csv and --json include the whole form',
    examples: ['orders', 'orders --csv > orders.csv'],
    table: ordersTable,
    pages:
      () =>
      ({ api }, query) =>
        requestPage(AdminQuotientOrderList, api.admin['quotient-orders'].get({ query })),
  }),
]

export const registerQuotient = registersRows(quotientRows)
