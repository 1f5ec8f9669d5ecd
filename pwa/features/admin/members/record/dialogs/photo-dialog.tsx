import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import type { AdminMemberDetail } from '#shared/contract/members.ts'
import { OwnPhoto, photoIdOf } from '#shared/contract/photo.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'

type Props = { member: AdminMemberDetail; photo: string; onClose: () => void }

/** Names the photo it shows, so a newer one the member uploads in between isn’t deleted. */
export function PhotoDialog({ member, photo, onClose }: Props) {
  const name = nameOrEmail(member)
  const action = useAdminAction({
    schema: OwnPhoto,
    send: () =>
      api.api.admin
        .members({ memberId: member.id })
        .photos({ id: photoIdOf(photo) })
        .delete(),
    failure: 'Failed to remove the photo',
    done: ({ profileImageUrl }) => ({
      title: 'Photo removed',
      description: profileImageUrl === null ? name : `${name} has added another one since. Take a look.`,
    }),
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Remove ${name}’s photo?`}
      button="Remove photo"
      busy="Removing…"
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      <div className="ask__photo">
        <img className="face" src={photo} width={72} height={72} alt={`${name}, as the coaches see them`} />
        <p>
          We’ll delete it for good, from their phone too. They’ll see in their activity that you did it, but they won’t
          get an email. They can add another.
        </p>
      </div>
    </ConfirmDialog>
  )
}
