import { useState } from 'react'
import { ListSection } from '#pwa/features/admin/list/list-section.tsx'
import type { Column } from '#pwa/features/admin/list/list-table-section.tsx'
import type { ListDefinition } from '#pwa/features/admin/list/use-list.ts'
import { requestListPage } from '#pwa/features/admin/queries.ts'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { CommissionRate } from '#shared/contract/commission.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { RateForm } from './rate-form.tsx'

const list: ListDefinition<CommissionRate> = {
  name: 'commission-rates',
  request: () => requestListPage(CommissionRate, api.api.admin['commission-rates'].get()),
  idOf: ({ tierSlug, validFrom }) => `${tierSlug} ${validFrom ?? ''}`,
  refreshMs: 5 * 60_000,
}

const columns: readonly Column<CommissionRate>[] = [
  { label: 'Tier', kind: 'who', cell: ({ tierName }) => tierName, text: ({ tierName }) => tierName },
  { label: 'Rate', kind: 'number', cell: ({ rate }) => `${rate}%`, text: ({ rate }) => `${rate}%` },
  {
    label: 'Holds from',
    cell: ({ validFrom }) => (validFrom === null ? 'The beginning' : formatLongDate(validFrom)),
    text: ({ validFrom }) => validFrom ?? '',
  },
]

/** The commission rate of each tier, and from which day on it holds. */
export default function RatesSection() {
  const [isOpen, setOpen] = useState(false)
  const { tiers } = useTiers()
  return (
    <>
      <ListSection
        title="Commission rates"
        {...{ list, columns }}
        fixedAddress={noAddress}
        before={
          <p className="panel__note">
            Per cent of what a member pays without VAT. A new rate holds for payments from its day on; commission that
            is booked stays as it is.
          </p>
        }
        empty={{ title: 'No rates yet' }}
        tools={
          <Button look="line" isSmall icon="pencil" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            Set a rate
          </Button>
        }
      />
      {isOpen && <RateForm tiers={tiers} onClose={() => setOpen(false)} />}
    </>
  )
}

const noAddress = {}
