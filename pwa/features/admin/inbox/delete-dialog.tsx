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
        This cannot be undone. What {firstName} wrote goes for good, with your notes about it; an account or a
        membership of theirs is not touched.
      </p>
    </ConfirmDialog>
  )
}
