import { ConfirmDialog } from '#pwa/features/admin/confirm-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { type AdminMember, AdminMemberDetail, unprovenGuestText } from '#shared/contract/members.ts'
import { isLive } from '#shared/rules/membership.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'

type Member = Pick<AdminMember, 'id' | 'firstName' | 'lastName' | 'email' | 'isMember' | 'isEmailProven' | 'status'>
type Props = { member: Member; onClose: () => void }

/** Asks before access is revoked or restored. The wanted state is sent, so that two owners at once do not turn it back. */
export function AccessDialog({ member, onClose }: Props) {
  const name = nameOrEmail(member)
  const isRevoking = member.isMember
  const action = useAdminAction({
    schema: AdminMemberDetail,
    send: () => api.api.admin.members({ memberId: member.id })['revoke-access'].patch({ isMember: !isRevoking }),
    failure: 'Failed to revoke access',
    done: { title: isRevoking ? 'Access revoked' : 'Access restored', description: name },
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
      {!isRevoking && isDoubtfulGuest(member) && <p>{unprovenGuestText}</p>}
    </ConfirmDialog>
  )
}

/** A first payment that nobody has finished gives no access, so restoring it lets them in free. */
const isPaying = ({ status }: Pick<Member, 'status'>) => isLive(status) && status !== 'incomplete'

/** Let in without paying, at an address that may be somebody else’s; who pays is nobody's guest. */
export const isDoubtfulGuest = (member: Pick<Member, 'status' | 'isEmailProven'>) =>
  !member.isEmailProven && !isPaying(member)

const revokeText = (member: Member) =>
  `The videos and the community close for ${nameOrEmail(member)} at once. ${
    isPaying(member)
      ? 'The membership carries on, and so do its payments. To stop the payments, cancel it as well.'
      : 'No payments are being taken.'
  }`

const restoreText = (member: Member) =>
  isPaying(member)
    ? `${nameOrEmail(member)} can use what the membership gives again. Payments are not changed.`
    : `${nameOrEmail(member)} gets the videos without a membership, and pays nothing for them.`
