import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { useTierNames } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { MemberInvitation, MemberInvitationList } from '#shared/contract/member-invitations.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { plural } from '#shared/rules/plural.ts'

const invitationsQuery = queryOptions({
  queryKey: [adminKey, 'invitations'],
  queryFn: () => parseResponse(MemberInvitationList, api.api.admin.invitations.get()),
})

const freeText = ({ freeMonths }: MemberInvitation) => (freeMonths === 0 ? '' : String(freeMonths))

/** Below the members, and only while someone is invited and hasn't joined. */
export function OpenInvitations() {
  const query = useQuery(invitationsQuery)
  const nameOfTier = useTierNames()
  const tier = ({ tierSlug, every }: MemberInvitation) =>
    `${nameOfTier(tierSlug)}${every === null ? '' : `, by the ${every}`}`
  const columns: readonly Column<MemberInvitation>[] = [
    {
      label: 'Invited',
      kind: 'who',
      cell: (row) => (
        <>
          {nameOrEmail(row)}
          {nameOrEmail(row) !== row.email && <small>{row.email}</small>}
        </>
      ),
      text: ({ email }) => email,
    },
    { label: 'Tier', cell: tier, text: tier },
    { label: 'Free months', kind: 'number', cell: freeText, text: freeText },
    { label: 'Sent', kind: 'date', cell: ({ sentAt }) => formatLongDate(sentAt), text: ({ sentAt }) => sentAt },
    { label: 'Runs out', kind: 'date', cell: (row) => formatLongDate(row.expiresAt), text: (row) => row.expiresAt },
  ]
  if (!query.data || query.data.length === 0) return null
  return (
    <section id={sectionId}>
      <ShortList
        title="Open invitations"
        isPart
        name="invitations"
        query={query}
        columns={columns}
        idOf={({ id }) => id}
        actions={(invitation) => <InvitationActions invitation={invitation} />}
      />
    </section>
  )
}

const sectionId = 'open-invitations'

/** Above the members, whose list is long. */
export function InvitationsLink() {
  const { data } = useQuery(invitationsQuery)
  if (!data || data.length === 0) return null
  return (
    <p className="panel__note">
      <TextLink to="." search={true} hash={sectionId} activeProps={{ 'aria-current': undefined }}>
        {plural(data.length, 'open invitation')}
      </TextLink>
    </p>
  )
}

function InvitationActions({ invitation }: { invitation: MemberInvitation }) {
  const { id, email } = invitation
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const resend = useAdminAction({
    schema: MemberInvitation,
    send: () => api.api.admin.invitations({ id }).resend.post(),
    failure: 'We couldn’t resend the invitation.',
    done: (sent) => ({ title: 'Invitation sent again', description: `Now until ${formatLongDate(sent.expiresAt)}.` }),
  })
  const end = useAdminAction({
    schema: MemberInvitation,
    send: () => api.api.admin.invitations({ id }).delete(),
    failure: 'We couldn’t cancel the invitation.',
    done: { title: 'Invitation cancelled', description: email },
    onDone: close,
  })
  return (
    <>
      <Button
        look="line"
        isSmall
        isBusy={resend.isPending}
        busyLabel="Sending…"
        aria-label={`Send again: ${email}`}
        onClick={() => resend.mutate()}
      >
        Send again
      </Button>
      <Button look="line" isSmall aria-haspopup="dialog" aria-label={`Cancel: ${email}`} onClick={() => setOpen(true)}>
        Cancel
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={`Cancel the invitation to ${email}?`}
          button="Cancel invitation"
          busy="Cancelling…"
          action={end}
          onConfirm={() => end.mutate()}
          onClose={close}
        >
          <p>The link we emailed will stop working.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
