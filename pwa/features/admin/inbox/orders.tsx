import { EntryList } from '#pwa/features/admin/kit/inbox/entry-list.tsx'
import { orderFacts, receivedAt, setUpText, statusLabels } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { orderList } from '#pwa/features/admin/kit/inbox/queries.ts'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { personColumnTexts } from '#pwa/features/admin/kit/members/member-texts.ts'
import { PhoneLink } from '#pwa/features/admin/kit/phone-link.tsx'
import { Badge, type BadgeTone } from '#pwa/ui/badge.tsx'
import { type AdminQuotientOrder, quotientOrderStatuses, toSetUp } from '#shared/contract/quotient.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { quotientInvoiceLines } from '#shared/rules/quotient-setups.ts'
import { bulkOrders } from './bulk-inbox.tsx'
import { SetUpPart } from './set-up-form.tsx'

const nameOf = ({ firstName, lastName }: AdminQuotientOrder) => `${firstName} ${lastName}`

const tones: Record<AdminQuotientOrder['status'], BadgeTone> = {
  pending: 'open',
  paid: 'ok',
  refunded: 'plain',
  cancelled: 'plain',
}
const labels: Record<AdminQuotientOrder['status'], string> = {
  pending: 'Not paid yet',
  paid: statusLabels.paid,
  refunded: statusLabels.refunded,
  cancelled: 'Never paid',
}

const doneText = (order: AdminQuotientOrder) =>
  order.status === 'paid' || order.setUpOn !== null ? setUpText(order) : ''

const columns: readonly Column<AdminQuotientOrder>[] = [
  {
    label: 'Name',
    sort: 'name',
    kind: 'who',
    cell: (row) => (
      <>
        {nameOf(row)}
        <small>{row.email}</small>
        {row.phone && (
          <small>
            <PhoneLink phone={row.phone} />
          </small>
        )}
      </>
    ),
    text: personColumnTexts((row) => ({ ...row, name: nameOf(row) })),
  },
  { label: 'Business', cell: ({ businessName }) => businessName, text: ({ businessName }) => businessName },
  {
    label: 'Setup',
    cell: ({ packageType }) => quotientInvoiceLines[packageType],
    text: ({ packageType }) => quotientInvoiceLines[packageType],
  },
  {
    label: 'Total',
    kind: 'number',
    cell: ({ total }) => formatPoundsAndPence(total),
    text: ({ total }) => formatPoundsAndPence(total),
  },
  {
    label: 'Ordered',
    sort: 'received',
    cell: ({ createdAt }) => receivedAt(createdAt),
    text: ({ createdAt }) => createdAt,
  },
  {
    label: 'Status',
    sort: 'status',
    cell: ({ status }) => <Badge tone={tones[status]}>{labels[status]}</Badge>,
    text: ({ status }) => labels[status],
  },
  { label: 'Done', cell: doneText, text: doneText },
]

const filters = [
  ['', 'All'] as const,
  [toSetUp, 'To set up'] as const,
  ...quotientOrderStatuses.map((status) => [status, labels[status]] as const),
]

export default function OrdersSection() {
  return (
    <EntryList
      title="Quotient setups"
      list={orderList}
      columns={columns}
      filters={filters}
      searchLabel="Find an order"
      defaultSort="-received"
      bulk={bulkOrders}
      empty={{ title: 'No orders yet', text: 'Anyone who orders a Quotient setup shows up here.' }}
      kind="quotient-orders"
      noun="order"
      nameOf={nameOf}
      factsOf={orderFacts}
      statusLabel="Setup"
      statusOf={(order) => <SetUpPart order={order} />}
    />
  )
}
