import { EntryList } from '#pwa/features/admin/kit/inbox/entry-list.tsx'
import { coachingFacts, receivedAt, statusLabels } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { coachingList } from '#pwa/features/admin/kit/inbox/queries.ts'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { personColumnTexts } from '#pwa/features/admin/kit/members/member-texts.ts'
import { PhoneLink } from '#pwa/features/admin/kit/phone-link.tsx'
import { coachingChoices } from '#shared/contract/form-labels.ts'
import type { AdminCoachingApplication } from '#shared/contract/inbox-entries.ts'
import { applicationFilters } from './applications.tsx'
import { bulkCoaching } from './bulk-inbox.tsx'
import { ApplicationStatusSelect } from './status.tsx'

const revenueOf = ({ currentRevenue }: AdminCoachingApplication) =>
  currentRevenue === null ? '' : coachingChoices.currentRevenue[currentRevenue]
const yearsOf = ({ yearsInBusiness }: AdminCoachingApplication) => yearsInBusiness?.toString() ?? ''

const columns: readonly Column<AdminCoachingApplication>[] = [
  {
    label: 'Name',
    sort: 'name',
    kind: 'who',
    cell: ({ name, email, phone }) => (
      <>
        {name}
        <small>{email}</small>
        <small>
          <PhoneLink phone={phone} />
        </small>
      </>
    ),
    text: personColumnTexts((row) => row),
  },
  {
    label: 'Trade',
    cell: ({ tradeName }) => tradeName,
    text: ({ tradeName }) => tradeName,
  },
  { label: 'Business', cell: ({ businessName }) => businessName, text: ({ businessName }) => businessName ?? '' },
  { label: 'Years', kind: 'number', cell: yearsOf, text: yearsOf },
  { label: 'Revenue', cell: revenueOf, text: revenueOf },
  {
    label: 'Received',
    sort: 'received',
    cell: ({ createdAt }) => receivedAt(createdAt),
    text: ({ createdAt }) => createdAt,
  },
  {
    label: 'Status',
    sort: 'status',
    cell: (row) => <ApplicationStatusSelect kind="coaching-applications" name={row.name} row={row} />,
    text: ({ status }) => statusLabels[status],
  },
]

const filters = [...applicationFilters, ['spam', 'Marked as spam']] as const

export default function CoachingSection() {
  return (
    <EntryList
      title="Coaching Applications"
      list={coachingList}
      columns={columns}
      filters={filters}
      searchLabel="Find an application"
      defaultSort="-received"
      bulk={bulkCoaching}
      empty={{ title: 'No coaching applications yet', text: 'Anyone who applies for coaching shows up here.' }}
      kind="coaching-applications"
      noun="application"
      nameOf={({ name }) => name}
      factsOf={coachingFacts}
    />
  )
}
