import type { ReactNode } from 'react'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'

type Props = {
  title: string
  /** What the button does, and what it says meanwhile; without one there is nothing to do. */
  button: string | null
  busy: string
  /** What the other button says. */
  keep?: string
  look?: 'bad' | 'ink'
  isDisabled?: boolean
  action: { isPending: boolean; problem: string | null }
  /** Beside the problem. */
  more?: ReactNode
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks before something is done, and says why where it fails. */
export function ConfirmDialog(props: Props) {
  const { title, button, busy, keep = 'Keep it', look = 'bad', isDisabled, action, onConfirm, onClose } = props
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      footer={
        <>
          {button !== null && (
            <Button look={look} isBusy={action.isPending} busyLabel={busy} disabled={isDisabled} onClick={onConfirm}>
              {button}
            </Button>
          )}
          <Button look="line" onClick={onClose}>
            {keep}
          </Button>
        </>
      }
    >
      {props.children}
      {action.problem && (
        <Banner tone="bad" role="alert" title={action.problem}>
          {props.more}
        </Banner>
      )}
    </Dialog>
  )
}
