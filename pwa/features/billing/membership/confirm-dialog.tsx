import type { ReactNode } from 'react'
import { ErrorBanner } from '#pwa/features/billing/billing-section.tsx'
import { useBillingContext } from '#pwa/features/billing/use-billing-context.tsx'
import { Button, type ButtonProps } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'

type Props = {
  isOpen: boolean
  onClose: () => void
  title: string
  /** What happens, sentence by sentence. */
  texts: readonly string[]
  children?: ReactNode
  /** Null while there is nothing to confirm yet. */
  confirm: (Pick<ButtonProps, 'look' | 'icon' | 'busyLabel'> & { label: string }) | null
  cancelLabel: string
  errorTitle: string
  action: { isPending: boolean; error: Error | null; reset: () => void }
  onConfirm: () => void
}

/** Asks before the membership is changed, and says in plain words what the change costs. */
export function ConfirmDialog(props: Props) {
  const { isOpen, onClose, title, texts, children, confirm, cancelLabel, errorTitle, action, onConfirm } = props
  const { hasSignal } = useBillingContext()
  const close = () => {
    action.reset()
    onClose()
  }
  const footer = (
    <>
      {confirm && (
        <Button
          look={confirm.look}
          icon={hasSignal ? confirm.icon : 'nosignal'}
          disabled={!hasSignal}
          isBusy={action.isPending}
          busyLabel={confirm.busyLabel}
          onClick={onConfirm}
        >
          {hasSignal ? confirm.label : 'Needs signal'}
        </Button>
      )}
      <Button look="line" onClick={close}>
        {cancelLabel}
      </Button>
    </>
  )
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title} footer={footer}>
      {children}
      <div className="billing__texts">
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <ErrorBanner title={errorTitle} error={action.error} />
    </Dialog>
  )
}
