import { type ReactNode, useState } from 'react'
import type * as v from 'valibot'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { type ActionCall, useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { Button } from '#pwa/ui/button.tsx'

type EndProps = {
  label: string
  what: string
  title: string
  schema: v.GenericSchema
  send: () => ActionCall
  done: string
  children: ReactNode
}

/** Asks first, then ends one thing that someone has: a login, a token, an invitation. */
export function EndButton({ label, what, title, schema, send, done, children }: EndProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const action = useAdminAction({
    schema,
    send,
    failure: 'That didn’t work. Try again in a minute.',
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
          title={title}
          action={action}
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
