import { useState } from 'react'
import { ListSection } from '#pwa/features/admin/list/list-section.tsx'
import type { Column } from '#pwa/features/admin/list/list-table-section.tsx'
import { IconButton } from '#pwa/ui/button.tsx'
import type { ContactRecord } from '#shared/contract/dashboard.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { receivedAt } from './inbox-texts.ts'
import { contactList } from './queries.ts'

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
  ['spam', 'Marked as spam'],
] as const

/** Messages of the contact form. */
export default function ContactsSection() {
  const [openId, setOpenId] = useState<string>()
  const close = () => setOpenId(undefined)
  return (
    <ListSection
      title="Contact Inquiries"
      list={contactList}
      {...{ columns, filters }}
      searchLabel="Find a message"
      defaultSort="-received"
      empty={{ title: 'No messages yet', text: 'Who writes by the contact form stands here.' }}
      actions={(row) => (
        <IconButton
          icon="eye"
          label={`Open the message of ${row.name}`}
          aria-haspopup="dialog"
          onClick={() => setOpenId(row.id)}
        />
      )}
      openId={openId}
      dialog={(row) => (
        <EntryDialog
          key={row.id}
          about={{ kind: 'contacts', id: row.id, email: row.email }}
          sender={row}
          facts={[
            ['Trade', row.trade],
            ['Message', row.message],
            ['Received', receivedAt(row.createdAt)],
          ]}
          onClose={close}
        />
      )}
    />
  )
}
