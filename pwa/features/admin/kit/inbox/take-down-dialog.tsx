import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Done } from '#shared/contract/auth.ts'

type Props = { publishedId: string; onDone: () => void; onClose: () => void }

/** Takes a question down that’s published below a video. `onDone`: before it closes. */
export function TakeDownDialog({ publishedId, onDone, onClose }: Props) {
  const action = useAdminAction({
    schema: Done,
    send: () => api.api.admin['published-questions']({ id: publishedId }).delete(),
    failure: 'We couldn’t take it down.',
    done: { title: 'Taken down', description: 'Members can’t see it any more.' },
    onDone: () => {
      onDone()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Take it down?"
      button="Take it down"
      busy="Taking it down…"
      action={action}
      onConfirm={() => action.mutate()}
      onClose={onClose}
    >
      <p>Members won’t see it any more. Its “Useful” count goes too.</p>
    </ConfirmDialog>
  )
}
