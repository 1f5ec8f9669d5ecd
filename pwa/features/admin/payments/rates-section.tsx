import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListSection } from '#pwa/features/admin/list/list-section.tsx'
import type { Column } from '#pwa/features/admin/list/list-table-section.tsx'
import type { ListDefinition } from '#pwa/features/admin/list/use-list.ts'
import { requestListPage } from '#pwa/features/admin/queries.ts'
import { adminTiersQuery } from '#pwa/features/admin/tiers/queries.ts'
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
    label: 'From',
    kind: 'date',
    cell: ({ validFrom }) => (validFrom === null ? 'The beginning' : formatLongDate(validFrom)),
    text: ({ validFrom }) => validFrom ?? '',
  },
]

/** The commission rate of each tier, and from which day on it holds. */
export default function RatesSection() {
  const [isOpen, setOpen] = useState(false)
  const { data: tiers } = useQuery(adminTiersQuery)
  return (
    <>
      <ListSection
        title="Commission rates"
        {...{ list, columns }}
        fixedAddress={noAddress}
        before={
          <p className="panel__note">
            A percentage of what a member pays, without VAT. A new rate counts for payments from its first day on.
            Commission on earlier payments stays as it is.
          </p>
        }
        empty={{ title: 'No rates yet' }}
        tools={
          <Button look="line" isSmall icon="pencil" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            Set a rate
          </Button>
        }
      />
      {isOpen && <RateForm tiers={tiers ?? []} onClose={() => setOpen(false)} />}
    </>
  )
}

const noAddress = {}
