import { useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { EntryDialog } from '#pwa/features/admin/kit/inbox/entry-dialog.tsx'
import { useOpenEntry } from '#pwa/features/admin/kit/inbox/entry-list.tsx'
import { applicationFacts, receivedAt, statusLabels } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { applicationList } from '#pwa/features/admin/kit/inbox/queries.ts'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { RowMenu } from '#pwa/features/admin/kit/list/row-menu.tsx'
import { personColumnTexts } from '#pwa/features/admin/kit/members/member-texts.ts'
import { PhoneLink } from '#pwa/features/admin/kit/phone-link.tsx'
import { type TierName, useTierNames } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { IconButton } from '#pwa/ui/button.tsx'
import { Done } from '#shared/contract/auth.ts'
import type { AdminApplication } from '#shared/contract/inbox-entries.ts'
import { applicationStatuses } from '#shared/values/column-values.ts'
import { bulkApplications } from './bulk-inbox.tsx'
import { ApplicationStatusSelect } from './status.tsx'

export const applicationFilters = [
  ['', 'All'] as const,
  ...applicationStatuses.map((status) => [status, statusLabels[status]] as const),
]

const nameOf = ({ firstName, lastName }: AdminApplication) => `${firstName} ${lastName}`

const columnsOf = (tierName: TierName, isSimple: boolean): readonly Column<AdminApplication>[] => [
  {
    label: 'Name',
    sort: 'name',
    kind: 'who',
    cell: (row) => (
      <>
        {nameOf(row)}
        <small>{row.email}</small>
        <small>
          <PhoneLink phone={row.phone} />
        </small>
      </>
    ),
    text: personColumnTexts((row) => ({ ...row, name: nameOf(row) })),
  },
  { label: 'Business', cell: ({ businessName }) => businessName, text: ({ businessName }) => businessName },
  { label: 'Trade', cell: ({ trade }) => trade, text: ({ trade }) => trade },
  { label: 'Tier', cell: (row) => tierName(row.selectedTier), text: (row) => tierName(row.selectedTier) },
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

export default function ApplicationsSection({ isSimple = false }: { isSimple?: boolean }) {
  const entry = useOpenEntry()
  const [deletingId, setDeletingId] = useState<string>()
  const tierName = useTierNames()
  return (
    <ListSection
      title={isSimple ? 'Membership Applications' : 'Applications'}
      list={applicationList}
      columns={columnsOf(tierName, isSimple)}
      filters={applicationFilters}
      searchLabel="Find an application"
      defaultSort="-received"
      bulk={bulkApplications}
      empty={{ title: 'No applications yet', text: 'Anyone who fills in the first step of joining shows up here.' }}
      actions={(row) => (
        <>
          <IconButton
            icon="arrow"
            label={`Open ${nameOf(row)}’s application`}
            aria-haspopup="dialog"
            onClick={() => entry.open(row.id)}
          />
          <RowMenu name={nameOf(row)} items={[{ label: 'Delete application', onPress: () => setDeletingId(row.id) }]} />
        </>
      )}
      openId={deletingId ?? entry.openId}
      dialog={(row) =>
        deletingId === undefined ? (
          <EntryDialog
            key={row.id}
            about={{ kind: 'membership-applications', id: row.id, email: row.email, tierSlug: row.selectedTier }}
            sender={{ ...row, name: nameOf(row) }}
            memberId={row.memberId}
            facts={applicationFacts(row, tierName(row.selectedTier))}
            status={<ApplicationStatusSelect kind="membership-applications" name={nameOf(row)} row={row} />}
            onClose={entry.close}
          />
        ) : (
          <DeleteApplicationDialog key={row.id} application={row} onClose={() => setDeletingId(undefined)} />
        )
      }
    />
  )
}

type Props = { application: AdminApplication; onClose: () => void }

function DeleteApplicationDialog({ application: { id, firstName, lastName }, onClose }: Props) {
  const name = `${firstName} ${lastName}`
  const action = useAdminAction({
    schema: Done,
    send: () => api.api.admin['membership-applications']({ id }).delete(),
    failure: 'Failed to delete application',
    done: { title: 'Application deleted', description: name },
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Delete ${name}’s application?`}
      button="Delete application"
      busy="Deleting…"
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      <p>
        This cannot be undone. You’ll lose what {firstName} wrote and your notes about it. Any account or membership
        they have stays.
      </p>
    </ConfirmDialog>
  )
}
