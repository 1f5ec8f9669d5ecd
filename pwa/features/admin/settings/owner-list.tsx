import { useQuery } from '@tanstack/react-query'
import { useAddressedDialog } from '#pwa/features/admin/kit/forms/use-addressed-dialog.ts'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { api } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { OwnerInvitation, SiteOwner } from '#shared/contract/owners.ts'
import { formatLongDate, formatMoment } from '#shared/rules/london.ts'
import { EndButton } from './end-button.tsx'
import { InviteOwnerDialog } from './owner-form.tsx'
import { ownersQuery } from './queries.ts'

const seen = ({ lastSeenAt }: SiteOwner) => (lastSeenAt === null ? 'Never' : formatMoment(lastSeenAt))
const twoStep = ({ hasSecondFactor }: SiteOwner) => (hasSecondFactor ? 'On' : 'Off')

const ownerColumns: readonly Column<SiteOwner>[] = [
  {
    label: 'Owner',
    kind: 'who',
    cell: ({ name, email }) => (name ? [name, <small key="email">{email}</small>] : email),
    text: ({ email }) => email,
  },
  { label: 'Since', kind: 'date', cell: ({ since }) => formatLongDate(since), text: ({ since }) => since },
  { label: 'Last seen', kind: 'date', cell: seen, text: ({ lastSeenAt }) => lastSeenAt ?? '' },
  { label: 'Two-step login', cell: twoStep, text: twoStep },
]

const invitationColumns: readonly Column<OwnerInvitation>[] = [
  { label: 'Invited', kind: 'who', cell: ({ email }) => email, text: ({ email }) => email },
  { label: 'By', cell: ({ invitedBy }) => invitedBy, text: ({ invitedBy }) => invitedBy },
  { label: 'Runs out', kind: 'date', cell: ({ expiresAt }) => formatMoment(expiresAt), text: (row) => row.expiresAt },
]

export function OwnerList() {
  const { data, ...query } = useQuery(ownersQuery)
  const invite = useAddressedDialog()
  const mayChange = data?.mayChange === true
  return (
    <>
      <ShortList
        title="Owners"
        name="owners"
        query={{ ...query, data: data?.owners }}
        columns={ownerColumns}
        idOf={({ id }) => id}
        tools={
          mayChange && (
            <Button isSmall icon="mail" aria-haspopup="dialog" onClick={invite.open}>
              Invite an owner
            </Button>
          )
        }
        actions={(owner) => <OwnerActions owner={owner} mayChange={mayChange} />}
      />
      {data && data.invitations.length > 0 && (
        <ShortList
          title="Open invitations"
          isPart
          name="owner-invitations"
          query={{ ...query, data: data.invitations }}
          columns={invitationColumns}
          idOf={({ id }) => id}
          actions={(invitation) => mayChange && <CancelInvitation {...invitation} />}
        />
      )}
      {invite.isOpen && mayChange && <InviteOwnerDialog onClose={invite.close} />}
    </>
  )
}

function OwnerActions({ owner, mayChange }: { owner: SiteOwner; mayChange: boolean }) {
  const { id, email, isYou, isConfigured } = owner
  const label = owner.name ?? email
  return (
    <>
      {isYou && <Badge tone="ok">You</Badge>}
      {mayChange && isConfigured && !isYou && <small>Set on the server, so you can’t remove them here</small>}
      {mayChange && !isConfigured && (
        <EndButton
          label="Remove"
          what={label}
          title={isYou ? 'Stop being an owner?' : `Remove ${label} as an owner?`}
          schema={SiteOwner}
          send={() => api.api.admin.owners({ id }).delete()}
          done="Owner removed"
        >
          {isYou ? 'You’re' : 'They’re'} logged out straight away. {isYou ? 'Your' : 'Their'} API tokens and calendar
          links stop working. Every owner gets an email.
        </EndButton>
      )}
    </>
  )
}

const CancelInvitation = ({ id, email }: OwnerInvitation) => (
  <EndButton
    label="Cancel invitation"
    what={email}
    title={`Cancel the invitation to ${email}?`}
    schema={OwnerInvitation}
    send={() => api.api.admin.owners.invitations({ id }).delete()}
    done="Invitation cancelled"
  >
    The link we emailed will stop working.
  </EndButton>
)
