import type { ReactNode } from 'react'
import { Button, type ButtonLook } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import type { IconName } from '#pwa/ui/icon-paths.ts'
import { useDesk } from './desk.ts'
import { Refused } from './refused.tsx'

type Props = {
  isOpen: boolean
  onClose: () => void
  title: string
  /** What happens, sentence by sentence. */
  lines: readonly string[]
  children?: ReactNode
  /** Null while there is nothing to confirm yet. */
  confirm: { label: string; busyLabel: string; look?: ButtonLook; icon?: IconName } | null
  keep: string
  refused: string
  call: { isPending: boolean; error: Error | null; reset: () => void }
  onConfirm: () => void
}

/** Asks before something is done to the membership, and says in plain words what it comes to. */
export function ConfirmDialog(props: Props) {
  const { isOpen, onClose, title, lines, children, confirm, keep, refused, call, onConfirm } = props
  const { hasSignal } = useDesk()
  const close = () => {
    call.reset()
    onClose()
  }
  const footer = (
    <>
      {confirm && (
        <Button
          look={confirm.look}
          icon={hasSignal ? confirm.icon : 'nosignal'}
          disabled={!hasSignal}
          isBusy={call.isPending}
          busyLabel={confirm.busyLabel}
          onClick={onConfirm}
        >
          {hasSignal ? confirm.label : 'Needs signal'}
        </Button>
      )}
      <Button look="line" onClick={close}>
        {keep}
      </Button>
    </>
  )
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title} footer={footer}>
      {children}
      <div className="billing__words">
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <Refused title={refused} error={call.error} />
    </Dialog>
  )
}
