import { type ReactNode, useEffect, useRef } from 'react'
import { ActionDialog } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { undoMs } from '#pwa/features/admin/kit/held-store.ts'
import { useHold } from './use-hold.tsx'

/** Nothing’s sent until the time for Undo is up, so nothing can fail while the dialog’s open. */
const idle = { isPending: false, error: null, problem: null }

type Props = {
  title: string
  button: string
  isDisabled?: boolean
  wanted: Parameters<ReturnType<typeof useHold>>[0]
  onClose: () => void
  children: ReactNode
}

/** Says what will happen. Confirming takes the entry off the list. */
export function HoldDialog({ wanted, children, ...props }: Props) {
  const hold = useHold()
  const note = useRef<HTMLParagraphElement>(null)
  // Not on the cross, where the browser puts the focus: owners get through the list with Enter, Enter.
  useEffect(() => note.current?.closest('form')?.querySelector<HTMLElement>('textarea, [type=submit]')?.focus(), [])
  return (
    <ActionDialog {...props} busy="" action={idle} onSubmit={() => hold(wanted)}>
      {children}
      <p className="second" ref={note}>
        You can undo it for {undoMs / 1000} seconds.
      </p>
    </ActionDialog>
  )
}
