import { useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { CheckField } from '#pwa/ui/field.tsx'
import { type AdminMember, AdminMemberDetail, unprovenGuestText } from '#shared/contract/members.ts'
import { isLive } from '#shared/rules/membership.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'

type Name = 'firstName' | 'lastName' | 'email'
type Access = 'isMember' | 'isEmailProven' | 'status' | 'subscriptionGivesAccess'
type Member = Pick<AdminMember, 'id' | Name | Access>
type Props = { member: Member; onClose: () => void }

/** Sends the wanted state, not a toggle, so two owners pressing together don’t undo each other. */
export function AccessDialog({ member, onClose }: Props) {
  const name = nameOrEmail(member)
  const isRevoking = member.isMember
  const [cancels, setCancels] = useState(false)
  const action = useAdminAction({
    schema: AdminMemberDetail,
    send: () =>
      api.api.admin.members({ memberId: member.id })['revoke-access'].patch({
        isMember: !isRevoking,
        ...(cancels ? { cancels } : {}),
      }),
    failure: isRevoking ? 'Failed to revoke access' : 'We couldn’t restore access',
    done: {
      title: isRevoking ? `Access revoked${cancels ? ', membership cancelled' : ''}` : 'Access restored',
      description: name,
    },
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={isRevoking ? `Revoke ${name}’s access?` : `Restore ${name}’s access?`}
      button={isRevoking ? 'Revoke access' : 'Restore access'}
      busy={isRevoking ? 'Revoking…' : 'Restoring…'}
      keep={isRevoking ? 'Keep access' : 'Not now'}
      look={isRevoking ? 'bad' : 'ink'}
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      <p>{isRevoking ? revokeText(member) : restoreText(member)}</p>
      {isRevoking && hasMembership(member) && (
        <CheckField
          label="Cancel the membership too"
          hint="We won’t charge them again. It ends when the time they’ve paid for runs out."
          checked={cancels}
          onChange={({ target }) => setCancels(target.checked)}
        />
      )}
      {!isRevoking && isDoubtfulGuest(member) && <p>{unprovenGuestText}</p>}
    </ConfirmDialog>
  )
}

/** Could take payments, now or later. `incomplete` means the first payment never went through. */
const hasMembership = ({ status }: Member) => isLive(status) && status !== 'incomplete'

/**
 * Someone with free access whose email address might not be theirs. A paused or long-unpaid membership doesn’t vouch for them;
 * one that gives access does.
 */
export const isDoubtfulGuest = (member: Pick<Member, 'subscriptionGivesAccess' | 'isEmailProven'>) =>
  !member.isEmailProven && !member.subscriptionGivesAccess

const revokeText = (member: Member) =>
  `${nameOrEmail(member)} loses the videos and the community straight away. ${
    hasMembership(member)
      ? 'We’ll keep charging for the membership unless you cancel it too.'
      : 'They aren’t being charged.'
  }`

function restoreText(member: Member): string {
  const name = nameOrEmail(member)
  if (member.subscriptionGivesAccess) return `${name} gets their membership’s access back. Payments don’t change.`
  return hasMembership(member)
    ? `${name} gets the videos free until you end it, because their membership doesn’t give access right now. Payments don’t change.`
    : `${name} gets the videos free, without a membership.`
}
