import { EntryList } from '#pwa/features/admin/kit/inbox/entry-list.tsx'
import { contactFacts, receivedAt } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { contactList } from '#pwa/features/admin/kit/inbox/queries.ts'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { type ContactRecord, unanswered } from '#shared/contract/inbox-entries.ts'
import { bulkContacts } from './bulk-inbox.tsx'

const columns: readonly Column<ContactRecord>[] = [
  {
    label: 'Name',
    sort: 'name',
    kind: 'who',
    cell: ({ name, email }) => (
      <>
        {name}
        <small>{email}</small>
      </>
    ),
    text: ({ name, email }) => `${name} <${email}>`,
  },
  { label: 'Trade', cell: ({ trade }) => trade, text: ({ trade }) => trade ?? '' },
  {
    label: 'Message',
    cell: ({ message }) => <span className="entry__short">{message}</span>,
    text: ({ message }) => message,
  },
  {
    label: 'Received',
    sort: 'received',
    cell: ({ createdAt }) => receivedAt(createdAt),
    text: ({ createdAt }) => createdAt,
  },
]

const filters = [
  ['', 'All'],
  [unanswered, 'Not answered'],
  ['spam', 'Marked as spam'],
] as const

export default function ContactsSection() {
  return (
    <EntryList
      title="Contact Inquiries"
      list={contactList}
      columns={columns}
      filters={filters}
      searchLabel="Find a message"
      defaultSort="-received"
      bulk={bulkContacts}
      empty={{ title: 'No messages yet', text: 'Messages from the contact form show up here.' }}
      kind="contacts"
      noun="message"
      nameOf={({ name }) => name}
      factsOf={contactFacts}
    />
  )
}
