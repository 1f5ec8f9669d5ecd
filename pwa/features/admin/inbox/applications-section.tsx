import { useState } from 'react'
import { ListSection } from '#pwa/features/admin/list/list-section.tsx'
import type { Column } from '#pwa/features/admin/list/list-table-section.tsx'
import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { IconButton } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { applicationStatuses } from '#shared/contract/application.ts'
import type { AdminApplication } from '#shared/contract/dashboard.ts'
import type { MembershipTier } from '#shared/contract/tier.ts'
import { DeleteApplicationDialog } from './delete-dialog.tsx'
import { EntryDialog, telOf } from './entry-dialog.tsx'
import { applicationFacts, receivedAt, statusLabels, tierNameOf } from './inbox-texts.ts'
import { applicationList } from './queries.ts'
import { ApplicationStatusSelect } from './status-section.tsx'

export const applicationFilters = [
  ['', 'All'] as const,
  ...applicationStatuses.map((status) => [status, statusLabels[status]] as const),
]

const nameOf = ({ firstName, lastName }: AdminApplication) => `${firstName} ${lastName}`

const columnsOf = (tiers: readonly MembershipTier[], isSimple: boolean): readonly Column<AdminApplication>[] => [
  {
    label: 'Name',
    sort: 'name',
    kind: 'who',
    cell: (row) => (
      <>
        {nameOf(row)}
        <small>{row.email}</small>
        <small>
          <TextAnchor href={telOf(row.phone)}>{row.phone}</TextAnchor>
        </small>
      </>
    ),
    text: (row) => `${nameOf(row)} <${row.email}>`,
  },
  { label: 'Business', cell: ({ businessName }) => businessName, text: ({ businessName }) => businessName },
  { label: 'Trade', cell: ({ trade }) => trade, text: ({ trade }) => trade },
  { label: 'Tier', cell: (row) => tierNameOf(tiers, row), text: (row) => tierNameOf(tiers, row) },
  {
    label: 'Received',
    sort: 'received',
    cell: ({ createdAt }) => receivedAt(createdAt),
    text: ({ createdAt }) => createdAt,
  },
  {
    label: 'Status',
    sort: 'status',
    cell: (row) =>
      isSimple ? (
        <ApplicationStatusSelect kind="membership-applications" name={nameOf(row)} row={row} />
      ) : (
        <Badge tone={row.status === 'pending' ? 'open' : 'ok'}>{statusLabels[row.status]}</Badge>
      ),
    text: ({ status }) => statusLabels[status],
  },
]

type Open = { id: string; dialog: 'entry' | 'delete' } | null

/** Applications for membership. `isSimple`: the status is set in the row, as the simple dashboard wants it. */
export default function ApplicationsSection({ isSimple = false }: { isSimple?: boolean }) {
  const [open, setOpen] = useState<Open>(null)
  const { tiers } = useTiers()
  const close = () => setOpen(null)
  return (
    <ListSection
      title={isSimple ? 'Membership Applications' : 'Applications'}
      list={applicationList}
      columns={columnsOf(tiers, isSimple)}
      filters={applicationFilters}
      searchLabel="Find an application"
      defaultSort="-received"
      empty={{ title: 'No applications yet', text: 'Whoever fills in the first step of joining shows up here.' }}
      actions={(row) => (
        <>
          <IconButton
            icon="eye"
            label={`Open the application of ${nameOf(row)}`}
            aria-haspopup="dialog"
            onClick={() => setOpen({ id: row.id, dialog: 'entry' })}
          />
          <IconButton
            icon="bin"
            className="iconbtn--bad"
            label={`Delete the application of ${nameOf(row)}`}
            aria-haspopup="dialog"
            onClick={() => setOpen({ id: row.id, dialog: 'delete' })}
          />
        </>
      )}
      openId={open?.id}
      dialog={(row) =>
        open?.dialog === 'entry' ? (
          <EntryDialog
            key={row.id}
            about={{ kind: 'membership-applications', id: row.id, email: row.email, tierSlug: row.selectedTier }}
            sender={{ ...row, name: nameOf(row) }}
            facts={applicationFacts(row, tierNameOf(tiers, row))}
            status={<ApplicationStatusSelect kind="membership-applications" name={nameOf(row)} row={row} />}
            onClose={close}
          />
        ) : (
          <DeleteApplicationDialog key={row.id} application={row} onClose={close} />
        )
      }
    />
  )
}
