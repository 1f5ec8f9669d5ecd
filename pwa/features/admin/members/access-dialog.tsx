import { useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/confirm-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { CheckField } from '#pwa/ui/field.tsx'
import { type AdminMember, AdminMemberDetail, unprovenGuestText } from '#shared/contract/members.ts'
import { isLive } from '#shared/rules/membership.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'

type Name = 'firstName' | 'lastName' | 'email'
type Access = 'isMember' | 'isEmailProven' | 'status' | 'subscriptionGivesAccess'
type Member = Pick<AdminMember, 'id' | Name | Access>
type Props = { member: Member; onClose: () => void }

/** Asks before access is revoked or restored. The wanted state is sent, so that two owners at once do not turn it back. */
export function AccessDialog({ member, onClose }: Props) {
  const name = nameOrEmail(member)
  const isRevoking = member.isMember
  const [cancels, setCancels] = useState(false)
  const action = useAdminAction({
    schema: AdminMemberDetail,
    send: () =>
      api.api.admin.members({ memberId: member.id })['revoke-access'].patch({
        ...{ isMember: !isRevoking },
        ...(cancels ? { cancels } : {}),
      }),
    failure: 'Failed to revoke access',
    done: {
      title: isRevoking ? `Access revoked${cancels ? ', membership cancelled' : ''}` : 'Access restored',
      description: name,
    },
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={isRevoking ? `Revoke access of ${name}?` : `Restore access of ${name}?`}
      button={isRevoking ? 'Revoke access' : 'Restore access'}
      busy={isRevoking ? 'Revoking…' : 'Restoring…'}
      keep={isRevoking ? 'Keep it' : 'Leave it as it is'}
      look={isRevoking ? 'bad' : 'ink'}
      {...{ action, onClose }}
      onConfirm={() => action.mutate()}
    >
      <p>{isRevoking ? revokeText(member) : restoreText(member)}</p>
      {isRevoking && hasMembership(member) && (
        <CheckField
          label="Cancel the membership too"
          hint="We take no more payments. It ends with the time that’s paid for."
          checked={cancels}
          onChange={({ target }) => setCancels(target.checked)}
        />
      )}
      {!isRevoking && isDoubtfulGuest(member) && <p>{unprovenGuestText}</p>}
    </ConfirmDialog>
  )
}

/** It may take payments, now or later; a first one that nobody has finished has begun nothing. */
const hasMembership = ({ status }: Member) => isLive(status) && status !== 'incomplete'

/**
 * Let in without paying, at an address that may be somebody else’s: also beside a membership that is paused, or unpaid for
 * too long. Whose membership gives the access is nobody's guest.
 */
export const isDoubtfulGuest = (member: Pick<Member, 'subscriptionGivesAccess' | 'isEmailProven'>) =>
  !member.isEmailProven && !member.subscriptionGivesAccess

const revokeText = (member: Member) =>
  `The videos and the community close for ${nameOrEmail(member)} at once. ${
    hasMembership(member)
      ? 'The membership carries on, and so do its payments, unless you cancel it too.'
      : 'No payments are being taken.'
  }`

function restoreText(member: Member): string {
  const name = nameOrEmail(member)
  if (member.subscriptionGivesAccess)
    return `${name} can use what the membership gives again. Payments are not changed.`
  return hasMembership(member)
    ? `${name} gets the videos free until you end that: the membership gives no access now. Its payments are not changed.`
    : `${name} gets the videos without a membership, and pays nothing for them.`
}
