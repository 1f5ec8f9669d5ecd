import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import * as v from 'valibot'
import { DeleteDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { useAddressedDialog } from '#pwa/features/admin/kit/forms/use-addressed-dialog.ts'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { RowMenu } from '#pwa/features/admin/kit/list/row-menu.tsx'
import { type TierName, useTierNames } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { api } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Done } from '#shared/contract/auth.ts'
import { Mailing } from '#shared/contract/mailing.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { MailingDialog } from './mailing-form.tsx'
import { MailingScreen } from './mailing-screen.tsx'
import { reportText, segmentText, statusLabels, statusTones } from './mailing-texts.ts'
import { mailingList } from './queries.ts'
import './marketing.css'

const toMailing =
  (mailing: string) =>
  <Search extends object>(list: Search): Search => ({ ...list, mailing })

const columnsOf = (nameOf: TierName): readonly Column<Mailing>[] => [
  {
    label: 'Subject',
    sort: 'subject',
    kind: 'who',
    cell: ({ id, subject, segment }) => (
      <>
        <TextLink to="." search={toMailing(id)}>
          {subject}
        </TextLink>
        <small>{segmentText(segment, nameOf)}</small>
      </>
    ),
    text: ({ subject, segment }) => `${subject} (${segmentText(segment, nameOf)})`,
  },
  {
    label: 'State',
    cell: ({ status, sendAt }) => (
      <span className="badges">
        <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>
        {sendAt && <small>{formatMoment(sendAt)}</small>}
      </span>
    ),
    text: ({ status, sendAt }) => [statusLabels[status], formatMoment(sendAt)].filter(Boolean).join(', '),
  },
  {
    label: 'Results',
    cell: ({ report }) => report && reportText(report),
    text: ({ report }) => (report ? reportText(report) : ''),
  },
  {
    label: 'Changed',
    sort: 'changed',
    kind: 'date',
    cell: ({ updatedAt }) => formatMoment(updatedAt),
    text: ({ updatedAt }) => updatedAt,
  },
]

const TitledMailing = v.pipe(
  Mailing,
  v.transform(({ subject, version }) => ({ title: subject, version })),
)

const filters = [['', 'All'] as const, ...Object.entries(statusLabels)]

export default function MailingsSection() {
  const { mailing }: Record<string, unknown> = useSearch({ strict: false })
  return typeof mailing === 'string' ? <MailingScreen key={mailing} id={mailing} /> : <AllMailings />
}

function AllMailings() {
  const tierName = useTierNames()
  const columns = useMemo(() => columnsOf(tierName), [tierName])
  const navigate = useNavigate()
  const fresh = useAddressedDialog()
  const [removing, setRemoving] = useState<Mailing | null>(null)
  return (
    <>
      <ListSection
        title="All campaigns"
        list={mailingList}
        columns={columns}
        filters={filters}
        searchLabel="Find a campaign"
        defaultSort="-changed"
        empty={{ title: 'No campaigns yet', text: 'Write one, see who gets it, send yourself a test, then send it.' }}
        tools={
          <Button isSmall aria-haspopup="dialog" onClick={fresh.open}>
            New campaign
          </Button>
        }
        actions={(row) =>
          row.status === 'draft' && (
            <RowMenu name={row.subject} items={[{ label: 'Delete', onPress: () => setRemoving(row) }]} />
          )
        }
      />
      {fresh.isOpen && (
        <MailingDialog
          row={null}
          onClose={fresh.close}
          onSaved={({ id }) => navigate({ to: '.', search: toMailing(id) }).catch(reportError)}
        />
      )}
      {removing && (
        <DeleteDialog
          what="campaign"
          row={{ title: removing.subject, version: removing.version }}
          schema={TitledMailing}
          removed={Done}
          send={(version) => api.api.admin.mailings({ id: removing.id }).delete({}, { query: { version } })}
          nowIs={({ title }) => `Its subject is now “${title}”.`}
          onClose={() => setRemoving(null)}
        >
          It hasn’t been sent, and won’t be. This cannot be undone.
        </DeleteDialog>
      )}
    </>
  )
}
