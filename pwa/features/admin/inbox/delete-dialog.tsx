import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
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
    <Dialog
      isOpen
      onClose={onClose}
      title={`Delete the application of ${name}?`}
      footer={
        <>
          <Button look="bad" isBusy={action.isPending} busyLabel="Deleting…" onClick={() => action.mutate()}>
            Delete it
          </Button>
          <Button look="line" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <p>
        This cannot be undone. What {firstName} wrote goes for good, with your notes about it; an account or a
        membership of theirs is not touched.
      </p>
      {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
    </Dialog>
  )
}
