import { useOpenEntry } from '#pwa/features/admin/kit/inbox/entry-list.tsx'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import type { ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { IconButton } from '#pwa/ui/button.tsx'
import { Payout } from '#shared/contract/payments.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { PayoutDialog } from './payout-dialog.tsx'
import { statusOf } from './payout-texts.ts'
import '#pwa/features/admin/money/payments/payments.css'

const list: ListDefinition<Payout> = {
  name: 'payouts',
  request: () => requestListPage(Payout, api.api.admin.payouts.get()),
  idOf: ({ id }) => id,
  refreshMs: 5 * 60_000,
}

const columns: readonly Column<Payout>[] = [
  {
    label: 'In your bank',
    kind: 'who',
    cell: ({ arrivesOn, failure }) => (
      <>
        {formatLongDate(arrivesOn)}
        {failure !== null && <small>{failure}</small>}
      </>
    ),
    text: [
      ['In your bank', ({ arrivesOn }) => arrivesOn],
      ['Payout', ({ id }) => id],
      ['Failure', ({ failure }) => failure ?? ''],
    ],
  },
  {
    label: 'Sent',
    kind: 'date',
    cell: ({ createdAt }) => formatLongDate(createdAt),
    text: ({ createdAt }) => createdAt,
  },
  {
    label: 'Status',
    cell: (payout) => <Badge tone={statusOf(payout).tone}>{statusOf(payout).label}</Badge>,
    text: (payout) => statusOf(payout).label,
  },
  {
    label: 'Amount',
    kind: 'number',
    cell: ({ amount }) => formatPoundsAndPence(amount),
    text: ({ amount }) => formatPoundsAndPence(amount),
  },
]

export default function PayoutsSection() {
  const { openId, open, close } = useOpenEntry()
  return (
    <ListSection
      title="Payouts"
      list={list}
      columns={columns}
      fixedAddress={noAddress}
      before={<p className="panel__note">Stripe’s last 100 payments to your bank, after its fees.</p>}
      empty={{ title: 'No payouts yet', text: 'Stripe pays you a few days after your members pay.' }}
      actions={({ id, arrivesOn }) => (
        <IconButton
          icon="arrow"
          label={`Open the payout of ${formatLongDate(arrivesOn)}`}
          aria-haspopup="dialog"
          onClick={() => open(id)}
        />
      )}
      openId={openId}
      dialog={(payout) => <PayoutDialog key={payout.id} payout={payout} onClose={close} />}
    />
  )
}

const noAddress = {}
