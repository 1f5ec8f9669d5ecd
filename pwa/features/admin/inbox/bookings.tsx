import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { CallDialog } from '#pwa/features/admin/kit/calendar/call-dialog.tsx'
import { callsQuery, setupQuery } from '#pwa/features/admin/kit/calendar/queries.ts'
import { AgreedPart } from '#pwa/features/admin/kit/inbox/agreed-form.tsx'
import { EntryDialog } from '#pwa/features/admin/kit/inbox/entry-dialog.tsx'
import { EntryList } from '#pwa/features/admin/kit/inbox/entry-list.tsx'
import {
  bookerFacts,
  bookingFacts,
  callOf,
  receivedAt,
  statusLabels,
} from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { bookingList, upcoming } from '#pwa/features/admin/kit/inbox/queries.ts'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { personColumnTexts } from '#pwa/features/admin/kit/members/member-texts.ts'
import { PhoneLink } from '#pwa/features/admin/kit/phone-link.tsx'
import type { AdminBooking } from '#shared/contract/inbox-entries.ts'
import { londonDay } from '#shared/rules/london.ts'
import { bookingStatuses } from '#shared/values/column-values.ts'
import { bulkBookings } from './bulk-inbox.tsx'
import { BookingStatusSelect } from './status.tsx'

const columns: readonly Column<AdminBooking>[] = [
  {
    label: 'Name',
    sort: 'name',
    kind: 'who',
    cell: ({ memberId, name, email, phone }) => (
      <>
        <MemberLink id={memberId}>{name}</MemberLink>
        <small>{email}</small>
        {phone && (
          <small>
            <PhoneLink phone={phone} />
          </small>
        )}
      </>
    ),
    text: personColumnTexts((row) => row),
  },
  { label: 'Trade', cell: ({ trade }) => trade, text: ({ trade }) => trade ?? '' },
  { label: 'Call', sort: 'date', cell: callOf, text: callOf },
  {
    label: 'Time zone',
    cell: ({ timeZone }) => (timeZone === 'Europe/London' ? null : timeZone),
    text: ({ timeZone }) => timeZone,
  },
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
  [upcoming, 'Upcoming'] as const,
  ...bookingStatuses.map((status) => [status, statusLabels[status]] as const),
  ['spam', 'Marked as spam'] as const,
]

type DialogProps = { row: AdminBooking; plain: ReactNode; onClose: () => void }

/** A call in our own calendar opens as it does there. A cancelled one isn’t there any more, and an outside one never was. */
function BookingDialog({ row, plain, onClose }: DialogProps) {
  const day = row.startsAt === null || row.kind === null ? undefined : londonDay(new Date(row.startsAt))
  const setup = useQuery({ ...setupQuery, enabled: day !== undefined })
  const calls = useQuery({ ...callsQuery({ from: day ?? '', to: day ?? '' }), enabled: day !== undefined })
  const found = calls.data?.find(({ id }) => id === row.id)
  // A call that’s just been moved isn’t among those of its old day, and its row may not have been refetched yet.
  const [call, setCall] = useState(found)
  if (found !== undefined && found !== call) setCall(found)
  if (day === undefined || row.status === 'cancelled') return plain
  if (call && setup.data) return <CallDialog call={call} onClose={onClose} setup={setup.data} more={bookerFacts(row)} />
  return setup.isLoading || calls.isLoading ? null : plain
}

export default function BookingsSection() {
  return (
    <EntryList
      title="Bookings"
      list={bookingList}
      columns={columns}
      filters={filters}
      searchLabel="Find a booking"
      defaultSort="-date"
      bulk={bulkBookings}
      empty={{ title: 'No bookings yet', text: 'Anyone who books a free call shows up here.' }}
      kind="coaching-bookings"
      noun="booking"
      nameOf={({ name }) => name}
      factsOf={bookingFacts}
      statusLabel="What was agreed"
      statusOf={({ agreement }) => agreement && <AgreedPart key={agreement.version} agreement={agreement} />}
      dialogOf={(row, props) => (
        <BookingDialog key={row.id} row={row} plain={<EntryDialog {...props} />} onClose={props.onClose} />
      )}
    />
  )
}
