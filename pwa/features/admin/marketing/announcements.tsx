import { useMemo, useState } from 'react'
import { ConfirmDialog, DeleteDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { useAddressedDialog } from '#pwa/features/admin/kit/forms/use-addressed-dialog.ts'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { RowMenu, RowTitle } from '#pwa/features/admin/kit/list/row-menu.tsx'
import { type TierName, useTierNames } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { AdminAnnouncement } from '#shared/contract/admin-announcement.ts'
import { Done } from '#shared/contract/auth.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { AnnouncementDialog } from './announcement-form.tsx'
import { announcementLabels, tiersText } from './announcement-texts.ts'
import { announcementList } from './queries.ts'
import './marketing.css'

const columnsOf = (
  nameOf: TierName,
  onEdit: (row: AdminAnnouncement) => void,
): readonly Column<AdminAnnouncement>[] => [
  {
    label: 'Title',
    sort: 'title',
    kind: 'who',
    cell: (row) => <RowTitle onOpen={() => onEdit(row)}>{row.title}</RowTitle>,
    text: ({ title }) => title,
  },
  { label: 'For', cell: ({ tiers }) => tiersText(tiers, nameOf), text: ({ tiers }) => tiersText(tiers, nameOf) },
  {
    label: 'State',
    cell: ({ state }) => <Badge tone={state === 'showing' ? 'ok' : 'open'}>{announcementLabels[state]}</Badge>,
    text: ({ state }) => announcementLabels[state],
  },
  {
    label: 'From',
    sort: 'starts',
    kind: 'date',
    cell: ({ startsAt }) => formatMoment(startsAt),
    text: ({ startsAt }) => startsAt,
  },
  { label: 'Until', kind: 'date', cell: ({ endsAt }) => formatMoment(endsAt), text: ({ endsAt }) => endsAt },
  {
    label: 'Dismissed',
    kind: 'number',
    cell: ({ dismissed }) => dismissed,
    text: ({ dismissed }) => String(dismissed),
  },
]

const filters = [['', 'All'] as const, ...Object.entries(announcementLabels)]

type Open = { dialog: 'edit' | 'end' | 'remove'; row: AdminAnnouncement } | null

export default function AnnouncementsSection() {
  const tierName = useTierNames()
  const [open, setOpen] = useState<Open>(null)
  const columns = useMemo(() => columnsOf(tierName, (row) => setOpen({ dialog: 'edit', row })), [tierName])
  const fresh = useAddressedDialog()
  const close = () => setOpen(null)
  return (
    <>
      <ListSection
        title="All announcements"
        list={announcementList}
        columns={columns}
        filters={filters}
        searchLabel="Find an announcement"
        defaultSort="-starts"
        empty={{ title: 'No announcements yet', text: 'Announcements show on the members’ dashboard.' }}
        tools={
          <Button isSmall aria-haspopup="dialog" onClick={fresh.open}>
            New announcement
          </Button>
        }
        actions={(row) => <RowActions row={row} onOpen={(dialog) => setOpen({ dialog, row })} />}
      />
      {fresh.isOpen && <AnnouncementDialog row={null} onClose={fresh.close} />}
      {open?.dialog === 'edit' && <AnnouncementDialog row={open.row} onClose={close} />}
      {open?.dialog === 'end' && <EndDialog row={open.row} onClose={close} />}
      {open?.dialog === 'remove' && (
        <DeleteDialog
          what="announcement"
          row={open.row}
          schema={AdminAnnouncement}
          removed={Done}
          send={(version) => api.api.admin.announcements({ id: open.row.id }).delete({}, { query: { version } })}
          nowIs={({ title }) => `It’s now called “${title}”.`}
          onClose={close}
        >
          Members stop seeing it, and it goes from this list. To keep it here, end it instead.
        </DeleteDialog>
      )}
    </>
  )
}

type ActionsProps = { row: AdminAnnouncement; onOpen: (dialog: 'edit' | 'end' | 'remove') => void }

const RowActions = ({ row: { title, state }, onOpen }: ActionsProps) => (
  <RowMenu
    name={title}
    items={[
      { label: 'Edit', onPress: () => onOpen('edit') },
      ...(state === 'over' ? [] : [{ label: 'End', onPress: () => onOpen('end') }]),
      { label: 'Delete', onPress: () => onOpen('remove') },
    ]}
  />
)

function EndDialog({ row, onClose }: { row: AdminAnnouncement; onClose: () => void }) {
  const action = useAdminAction({
    schema: AdminAnnouncement,
    send: () => api.api.admin.announcements({ id: row.id }).end.post({ version: row.version }),
    failure: 'We couldn’t end the announcement.',
    done: ({ title }) => ({ title: 'Announcement ended', description: title }),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`End “${row.title}” now?`}
      button="End it"
      busy="Ending…"
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      <p>Members stop seeing it. A phone with no signal shows it until it’s back online or the end date passes.</p>
    </ConfirmDialog>
  )
}
