import { useState } from 'react'
import { ListSection } from '#pwa/features/admin/list/list-section.tsx'
import type { Column } from '#pwa/features/admin/list/list-table-section.tsx'
import { IconButton } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { bookingStatuses } from '#shared/contract/coaching-booking.ts'
import type { AdminBooking } from '#shared/contract/dashboard.ts'
import { EntryDialog, telOf } from './entry-dialog.tsx'
import { bookingFacts, callOf, receivedAt, statusLabels } from './inbox-texts.ts'
import { bookingList, upcoming } from './queries.ts'
import { BookingStatusSelect } from './status-section.tsx'

const columns: readonly Column<AdminBooking>[] = [
  {
    label: 'Name',
    sort: 'name',
    kind: 'who',
    cell: ({ name, email, phone }) => (
      <>
        {name}
        <small>{email}</small>
        {phone && (
          <small>
            <TextAnchor href={telOf(phone)}>{phone}</TextAnchor>
          </small>
        )}
      </>
    ),
    text: ({ name, email }) => `${name} <${email}>`,
  },
  { label: 'Trade', cell: ({ trade }) => trade, text: ({ trade }) => trade ?? '' },
  { label: 'Call', sort: 'date', cell: callOf, text: callOf },
  { label: 'Time zone', cell: ({ timeZone }) => timeZone, text: ({ timeZone }) => timeZone },
  {
    label: 'Received',
    sort: 'received',
    cell: ({ createdAt }) => receivedAt(createdAt),
    text: ({ createdAt }) => createdAt,
  },
  {
    label: 'Status',
    sort: 'status',
    cell: (row) => <BookingStatusSelect row={row} />,
    text: ({ status }) => statusLabels[status],
  },
]

const filters = [
  ['', 'All'] as const,
  [upcoming, 'Still to be held'] as const,
  ...bookingStatuses.map((status) => [status, statusLabels[status]] as const),
  ['spam', 'Marked as spam'] as const,
]

/** Calls that were booked by the form. */
export default function BookingsSection() {
  const [openId, setOpenId] = useState<string>()
  const close = () => setOpenId(undefined)
  return (
    <ListSection
      title="Bookings"
      list={bookingList}
      {...{ columns, filters }}
      searchLabel="Find a booking"
      defaultSort="-date"
      empty={{ title: 'No bookings yet', text: 'Who books a free call stands here.' }}
      actions={(row) => (
        <IconButton
          icon="eye"
          label={`Open the booking of ${row.name}`}
          aria-haspopup="dialog"
          onClick={() => setOpenId(row.id)}
        />
      )}
      openId={openId}
      dialog={(row) => (
        <EntryDialog
          key={row.id}
          about={{ kind: 'coaching-bookings', id: row.id, email: row.email }}
          sender={row}
          facts={bookingFacts(row)}
          onClose={close}
        />
      )}
    />
  )
}
