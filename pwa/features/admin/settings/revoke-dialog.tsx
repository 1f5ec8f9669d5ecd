import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/confirm-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { RevokeSessionsResponse } from '#shared/contract/sessions.ts'

type Props = {
  id: string
  /** What the button says, here and in the dialog. */
  label: string
  /** What is ended, for who hears the button only. */
  what: string
  title: string
  done: string
  children: ReactNode
}

/** Asks before a login or a token is ended. */
export function RevokeButton({ id, label, what, title, done, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const action = useAdminAction({
    schema: RevokeSessionsResponse,
    send: () => api.api.admin.sessions.revoke.post({ id }),
    failure: 'It could not be ended.',
    done: { title: done, description: what },
    onDone: close,
  })
  return (
    <>
      <Button look="line" isSmall aria-haspopup="dialog" aria-label={`${label}: ${what}`} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <ConfirmDialog
          {...{ title, action }}
          button={label}
          busy="Ending…"
          onConfirm={() => action.mutate()}
          onClose={close}
        >
          <p>{children}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
