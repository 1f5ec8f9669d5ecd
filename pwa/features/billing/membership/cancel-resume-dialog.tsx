import { type ReactNode, useState } from 'react'
import { ErrorBanner } from '#pwa/features/billing/billing.tsx'
import { useBillingAction, useNextPayment, useNextPaymentPreview } from '#pwa/features/billing/queries.ts'
import { useBillingContext } from '#pwa/features/billing/use-billing-context.tsx'
import { useReportDone } from '#pwa/features/billing/use-section-focus.ts'
import { Button, type ButtonProps } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'
import { cancelledText, cancelTexts, endTexts, resumedTexts, resumeTexts, type Said } from './dialog-texts.ts'

export function CancelDialog() {
  const { billing } = useBillingContext()
  const [isOpen, setOpen] = useState(false)
  const reportDone = useReportDone()
  const known = useNextPaymentPreview(isOpen ? { change: 'cancel' } : null)
  const cancel = useBillingAction(
    (api) => api.cancel.post(),
    (cancelled) => {
      setOpen(false)
      reportDone('Membership cancelled', cancelledText(cancelled))
    },
  )
  return (
    <>
      <Button look="bare" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Cancel membership
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Cancel your membership?"
        texts={cancelTexts(billing, known)}
        confirm={{ label: 'Cancel membership', busyLabel: 'Cancelling…', look: 'bad' }}
        cancelLabel="Keep membership"
        errorTitle="We couldn’t cancel it"
        action={cancel}
        onConfirm={() => cancel.mutate()}
      />
    </>
  )
}

/** Ends a membership whose payments have stopped straight away, so that a new one can be started. */
export function EndDialog() {
  const [isOpen, setOpen] = useState(false)
  const reportDone = useReportDone()
  const end = useBillingAction(
    (api) => api.end.post(),
    () => {
      setOpen(false)
      reportDone('Membership ended', 'Choose a tier to start a new one.')
    },
  )
  return (
    <>
      <Button look="line" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        End it and start again
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="End it and start again?"
        texts={endTexts}
        confirm={{ label: 'End this membership', busyLabel: 'Ending…', look: 'bad' }}
        cancelLabel="Keep membership"
        errorTitle="We couldn’t end it"
        action={end}
        onConfirm={() => end.mutate()}
      />
    </>
  )
}

export function ResumeDialog({ look }: { look?: 'line' }) {
  const { billing } = useBillingContext()
  const [isOpen, setOpen] = useState(false)
  const reportDone = useReportDone()
  const next = useNextPayment(isOpen ? { change: 'resume' } : null)
  const resume = useBillingAction(
    (api) => api.resume.post(),
    (resumed) => {
      setOpen(false)
      reportDone(...resumedTexts(resumed))
    },
  )
  return (
    <>
      <Button look={look} icon="undo" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Resume membership
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Resume your membership?"
        texts={resumeTexts(billing, next)}
        confirm={{ label: 'Resume membership', busyLabel: 'Resuming…', icon: 'tick' }}
        cancelLabel={billing.status === 'paused' ? 'Leave it paused' : 'Let it end'}
        errorTitle="We couldn’t resume it"
        action={resume}
        onConfirm={() => resume.mutate()}
      />
    </>
  )
}

type Props = {
  isOpen: boolean
  onClose: () => void
  title: string
  texts: readonly Said[]
  children?: ReactNode
  confirm: (Pick<ButtonProps, 'look' | 'icon' | 'busyLabel'> & { label: string }) | null
  cancelLabel: string
  errorTitle: string
  action: { isPending: boolean; error: Error | null; reset: () => void }
  onConfirm: () => void
}

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
      <KeepButton isBusy={action.isPending} onClick={close}>
        {cancelLabel}
      </KeepButton>
    </>
  )
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title} footer={footer}>
      {children}
      <Texts texts={texts} />
      <ErrorBanner title={errorTitle} error={action.error} />
    </Dialog>
  )
}

/** Sentences, and between them, as a list, what happens when. */
function Texts({ texts }: { texts: readonly Said[] }) {
  const facts = texts.filter((said) => typeof said !== 'string')
  const firstFact = texts.findIndex((said) => typeof said !== 'string')
  const sentences = (from: number, to?: number) =>
    texts.slice(from, to).map((said) => typeof said === 'string' && <p key={said}>{said}</p>)
  if (firstFact < 0) return <div className="billing__texts">{sentences(0)}</div>
  return (
    <div className="billing__texts">
      {sentences(0, firstFact)}
      <dl className="billing__facts">
        {facts.map(({ when, what }) => (
          <div key={when}>
            <dt>{when}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      {sentences(firstFact)}
    </div>
  )
}
