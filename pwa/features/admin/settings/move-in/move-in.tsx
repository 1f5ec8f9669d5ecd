import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { useAdminRenewal } from '#pwa/features/admin/kit/use-admin-action.ts'
import { Badge, type BadgeTone } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { Import } from '#shared/contract/imports.ts'
import { importStateLabels, importTitle, madeNoun } from '#shared/rules/imports.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { ExportSection } from './export-section.tsx'
import { FileBox } from './file-box.tsx'
import { ImportPlan } from './import-plan.tsx'
import { importsQuery } from './queries.ts'
import { StripeBox } from './stripe-box.tsx'
import './move-in.css'

const stateOf = ({ state, problem }: Import) =>
  state === 'planned' && problem !== null ? 'Needs you' : importStateLabels[state]

const toneOf = ({ state }: Import): BadgeTone =>
  state === 'applied' ? 'ok' : state === 'cancelled' || state === 'undone' ? 'plain' : 'wait'

const columns: readonly Column<Import>[] = [
  { label: 'File', kind: 'who', cell: importTitle, text: importTitle },
  { label: 'What', cell: madeNoun, text: madeNoun },
  { label: 'State', cell: (row) => <Badge tone={toneOf(row)}>{stateOf(row)}</Badge>, text: stateOf },
  {
    label: 'Begun',
    kind: 'date',
    cell: ({ createdAt }) => formatMoment(createdAt),
    text: ({ createdAt }) => createdAt,
  },
]

/** The open plan is in the address, so that a reload and the other owner see the same. */
export default function MoveInSection() {
  const { import: open }: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const renew = useAdminRenewal()
  const query = useQuery(importsQuery)
  const show = (id: string | undefined) => {
    const search = <Search extends object>(present: Search): Search => ({ ...present, import: id })
    navigate({ to: '.', search, resetScroll: false }).catch(reportError)
  }
  const [old, setOld] = useState<string | null>(null)
  const onPlanned = ({ id, state }: Import) => {
    setOld(state === 'applied' ? id : null)
    show(id)
    renew()
  }
  return (
    <section aria-label="Move in or out">
      <div className="panel__top">
        <h2>Move in or out</h2>
      </div>
      <p className="panel__note">
        Bring your members, posts and videos from another site. You see a plan first. Nothing changes, and no one’s
        emailed, until you say so.
      </p>
      <FileBox look={typeof open === 'string' ? 'line' : 'ink'} onPlanned={onPlanned} />
      <StripeBox onPlanned={onPlanned} />
      {typeof open === 'string' && (
        <ImportPlan key={open} id={open} isOld={open === old} onClose={() => show(undefined)} />
      )}
      <ShortList
        isPart
        title="Imports"
        name="imports"
        query={query}
        columns={columns}
        idOf={({ id }) => id}
        empty={{ title: 'Nothing moved in yet', text: 'Choose a file above to see what would happen.' }}
        actions={(row) => (
          <Button isSmall look="line" aria-label={`Open: ${importTitle(row)}`} onClick={() => show(row.id)}>
            Open
          </Button>
        )}
      />
      <ExportSection />
    </section>
  )
}
