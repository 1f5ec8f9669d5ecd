import { useRef, useState } from 'react'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { RowMenu } from '#pwa/features/admin/kit/list/row-menu.tsx'
import type { ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Done } from '#shared/contract/auth.ts'
import { ManualCommission } from '#shared/contract/commission.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { PaidToggle } from './paid-months.tsx'
import { deletedText, halfMinute, shownPounds, upsellLock } from './payment-texts.ts'
import { emptyUpsell, UpsellForm } from './upsell-form.tsx'

const list: ListDefinition<ManualCommission> = {
  name: 'manual-commissions',
  request: () => requestListPage(ManualCommission, api.api.admin['manual-commissions'].get()),
  idOf: ({ id }) => id,
  refreshMs: halfMinute,
}

const columns: readonly Column<ManualCommission>[] = [
  { label: 'Description', kind: 'who', cell: ({ description }) => description, text: ({ description }) => description },
  { label: 'Sold', kind: 'date', cell: ({ saleDate }) => formatLongDate(saleDate), text: ({ saleDate }) => saleDate },
  {
    label: 'Total',
    kind: 'number',
    cell: ({ totalAmount }) => shownPounds(totalAmount),
    text: ({ totalAmount }) => shownPounds(totalAmount),
  },
  {
    label: 'Commission',
    kind: 'number',
    cell: ({ commissionAmount }) => shownPounds(commissionAmount),
    text: ({ commissionAmount }) => shownPounds(commissionAmount),
  },
]

/** Shown at the row it’s about. */
type Failed = { id: string; sentence: string } | null
type RowProps = { upsell: ManualCommission; failed: Failed; onFailed: (failed: Failed) => void }

const paidColumn = (state: Omit<RowProps, 'upsell'>): Column<ManualCommission> => ({
  label: 'Commission paid',
  cell: (upsell) => <UpsellPaid upsell={upsell} {...state} />,
  text: ({ commissionPaid }) => (commissionPaid ? 'Paid' : 'Unpaid'),
})

export function UpsellsSection() {
  const [isOpen, setOpen] = useState(false)
  // Outlives the dialog, in case it’s closed by mistake.
  const typed = useRef(emptyUpsell())
  const [failed, onFailed] = useState<Failed>(null)
  return (
    <>
      <ListSection
        title="Up-sells"
        list={list}
        columns={[...columns, paidColumn({ failed, onFailed })]}
        fixedAddress={noAddress}
        empty={{ title: 'No up-sells yet', text: 'Add a sale you made outside the site.' }}
        tools={
          <Button look="line" isSmall icon="receipt" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            Add up-sell
          </Button>
        }
        actions={(upsell) => <DeleteUpsell upsell={upsell} onFailed={onFailed} />}
      />
      {isOpen && <UpsellForm typed={typed} onClose={() => setOpen(false)} />}
    </>
  )
}

const noAddress = {}

function UpsellPaid({ upsell, failed, onFailed }: RowProps) {
  const failure = 'Failed to update commission status'
  const toggle = useAdminAction({
    schema: ManualCommission,
    send: (commissionPaid: boolean) => api.api.admin['manual-commissions']({ id: upsell.id }).patch({ commissionPaid }),
    failure,
    done: {
      title: upsell.commissionPaid ? 'Commission marked as unpaid' : 'Commission marked as paid',
      description: upsell.description,
    },
    onFailure: (error) => onFailed({ id: upsell.id, sentence: messageOf(error, failure) }),
  })
  return (
    <div>
      <PaidToggle
        about={upsell.description}
        isPaid={upsell.commissionPaid}
        lockOn={(today) => upsellLock(upsell, today)}
        isBusy={toggle.isPending}
        onChange={(isPaid) => {
          onFailed(null)
          toggle.mutate(isPaid)
        }}
      />
      {failed?.id === upsell.id && <Banner tone="bad" role="alert" title={failed.sentence} />}
    </div>
  )
}

function DeleteUpsell({ upsell, onFailed }: Omit<RowProps, 'failed'>) {
  const { id, description, commissionAmount, commissionPaid } = upsell
  const failure = 'Failed to delete commission'
  const remove = useAdminAction({
    schema: Done,
    send: () => api.api.admin['manual-commissions']({ id }).delete(),
    failure,
    done: { title: 'Commission deleted', description },
    onFailure: (error) => onFailed({ id, sentence: messageOf(error, failure) }),
  })
  const question = `Delete ${shownPounds(commissionAmount)} commission for “${description}”? ${deletedText(commissionPaid)}`
  const askAndRemove = () => {
    if (remove.isPending || !window.confirm(question)) return
    onFailed(null)
    remove.mutate()
  }
  return <RowMenu name={description} items={[{ label: 'Delete commission', onPress: askAndRemove }]} />
}
