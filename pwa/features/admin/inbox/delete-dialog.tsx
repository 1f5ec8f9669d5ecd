import { ConfirmDialog } from '#pwa/features/admin/confirm-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Done } from '#shared/contract/auth.ts'
import type { AdminApplication } from '#shared/contract/dashboard.ts'

type Props = { application: AdminApplication; onClose: () => void }

/** Asks before an application is deleted for ever. */
export function DeleteApplicationDialog({ application: { id, firstName, lastName }, onClose }: Props) {
  const name = `${firstName} ${lastName}`
  const action = useAdminAction({
    schema: Done,
    send: () => api.api.admin['membership-applications']({ id }).delete(),
    failure: 'Failed to delete application',
    done: { title: 'Application deleted', description: name },
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Delete the application of ${name}?`}
      button="Delete it"
      busy="Deleting…"
      {...{ action, onClose }}
      onConfirm={() => action.mutate()}
    >
      <p>
        This cannot be undone. What {firstName} wrote is gone for good, and so are your notes about it. Their account
        and membership, if they have one, stay as they are.
      </p>
    </ConfirmDialog>
  )
}
