import { useRef, useState } from 'react'
import { ListSection } from '#pwa/features/admin/list/list-section.tsx'
import type { Column } from '#pwa/features/admin/list/list-table-section.tsx'
import type { ListDefinition } from '#pwa/features/admin/list/use-list.ts'
import { requestListPage } from '#pwa/features/admin/queries.ts'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, IconButton } from '#pwa/ui/button.tsx'
import { Done } from '#shared/contract/auth.ts'
import { ManualCommission } from '#shared/contract/commission.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { PaidToggle } from './paid-months-section.tsx'
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
  {
    label: 'Commission paid',
    cell: (upsell) => <UpsellPaid upsell={upsell} />,
    text: ({ commissionPaid }) => (commissionPaid ? 'Paid' : 'Unpaid'),
  },
]

/** Up-sells that were agreed by hand. */
export function UpsellsSection() {
  const [isOpen, setOpen] = useState(false)
  // What was typed is there again when the dialog was closed by mistake.
  const typed = useRef(emptyUpsell())
  return (
    <>
      <ListSection
        title="Up-sells"
        {...{ list, columns }}
        fixedAddress={noAddress}
        empty={{ title: 'No up-sells yet', text: 'Add a sale you made outside the site, and it shows up here.' }}
        tools={
          <Button look="line" isSmall icon="receipt" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            Add up-sell
          </Button>
        }
        actions={(upsell) => <DeleteUpsell upsell={upsell} />}
      />
      {isOpen && <UpsellForm typed={typed} onClose={() => setOpen(false)} />}
    </>
  )
}

const noAddress = {}

function UpsellPaid({ upsell }: { upsell: ManualCommission }) {
  const toggle = useAdminAction({
    schema: ManualCommission,
    send: (commissionPaid: boolean) => api.api.admin['manual-commissions']({ id: upsell.id }).patch({ commissionPaid }),
    failure: 'Failed to update commission status',
    done: {
      title: upsell.commissionPaid ? 'Commission marked as unpaid' : 'Commission marked as paid',
      description: upsell.description,
    },
  })
  return (
    <div>
      <PaidToggle
        about={upsell.description}
        isPaid={upsell.commissionPaid}
        lockOn={(today) => upsellLock(upsell, today)}
        isBusy={toggle.isPending}
        onChange={toggle.mutate}
      />
      {toggle.problem && <Banner tone="bad" role="alert" title={toggle.problem} />}
    </div>
  )
}

function DeleteUpsell({ upsell }: { upsell: ManualCommission }) {
  const { description, commissionAmount, commissionPaid } = upsell
  const remove = useAdminAction({
    schema: Done,
    send: () => api.api.admin['manual-commissions']({ id: upsell.id }).delete(),
    failure: 'Failed to delete commission',
    done: { title: 'Commission deleted', description },
  })
  const question = `Delete the commission of ${shownPounds(commissionAmount)} for “${description}”? ${deletedText(commissionPaid)}`
  return (
    <>
      {remove.problem && <Banner tone="bad" role="alert" title={remove.problem} />}
      <IconButton
        icon="bin"
        className="iconbtn--bad"
        label={`Delete the commission for ${description}`}
        aria-disabled={remove.isPending || undefined}
        onClick={() => !remove.isPending && window.confirm(question) && remove.mutate()}
      />
    </>
  )
}
