import { useState } from 'react'
import { useIsLeftForm } from '#pwa/lib/left-forms.ts'
import type { FormEntry, FormReceipt, StoredForm } from '#pwa/sync/forms/store.ts'
import { waitLeftMs } from '#pwa/sync/scheduler.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { shortReference } from '#shared/rules/id.ts'
import { formatClock, formatLongDate } from '#shared/rules/london.ts'
import { formPages } from './form-texts.ts'
import { useOpenFormQueue } from './use-form-queue.ts'
import type { QueuedFormState } from './use-queued-form.ts'
import '#pwa/ui/styles/slip.css'

type Props = {
  /** The title over a form that was refused. */
  problem: string
  state: QueuedFormState
}

/** A form's submissions on this device: waiting, refused, sent. */
const QueuedFormsSection = ({ problem, state }: Props) => (
  <>
    {state.waiting.map((form) => (
      <WaitingForm key={form.id} form={form} state={state} />
    ))}
    {state.refused.map((form) => (
      <RefusedForm key={form.id} form={form} problem={problem} onPutBack={state.moveToDraft} />
    ))}
    {state.sent && <FormReceiptSection receipt={state.sent} onDismiss={state.own.forget} />}
    {state.receipts.map((receipt) => (
      <FormReceiptSection key={receipt.id} receipt={receipt} />
    ))}
  </>
)

export default QueuedFormsSection

type WaitingProps = { form: StoredForm; state: Pick<QueuedFormState, 'own' | 'moveToDraftIfFree'> }

/** A form that is sent automatically once it can be. */
function WaitingForm({ form, state: { own, moveToDraftIfFree } }: WaitingProps) {
  const { id, kind, madeAt, isServerBusy } = form
  const openQueue = useOpenFormQueue()
  const isLeft = useIsLeftForm(id)
  const toast = useToast()
  const [isTrying, setTrying] = useState(false)
  const [isBlocked, setBlocked] = useState(false)
  const sendNow = async () => {
    setTrying(true)
    const queue = await openQueue()
    await queue.flush().catch(reportError)
    setTrying(false)
    const until = requestedWaitOf(await queue.read(id).catch(() => null))
    if (until) toast({ title: 'We’re busy right now', description: `We’ll try again at ${formatClock(until)}.` })
  }
  const change = async () => {
    if (await moveToDraftIfFree(id)) return
    setBlocked(true)
    own.writeMore()
  }
  const writeMore = () => {
    setBlocked(false)
    own.writeMore()
  }
  const isSending = form.state === 'sending' || isTrying
  return (
    <Banner
      role="status"
      icon={isServerBusy ? 'sync' : 'nosignal'}
      title={`Saved on this phone. ${isServerBusy ? 'We’re busy right now.' : 'We’ll send it when you have signal.'}`}
      action={
        <>
          <Button look="line" isSmall isBusy={isSending} busyLabel="Sending…" onClick={sendNow}>
            Send now
          </Button>
          {!isSending && <ChangeOrDelete id={id} onChange={change} />}
          <Button look="bare" isSmall onClick={writeMore}>
            Write another
          </Button>
        </>
      }
    >
      <p>
        {formPages[kind].name}, written at <span className="num">{formatClock(new Date(madeAt))}</span>. You can close
        this page.
        {isServerBusy && ' We’ll send it automatically.'}
      </p>
      {isBlocked && own.isWritingMore && !isLeft && (
        <p>You’ve started another. Send or clear that one, then edit this.</p>
      )}
    </Banner>
  )
}

/** Until when the server asked us not to retry; null if a press may send now. */
function requestedWaitOf(entry: FormEntry | null): Date | null {
  const left = entry?.isWaitAsked ? waitLeftMs(entry.retryAt, Date.now()) : 0
  return left > 0 ? new Date(Date.now() + left) : null
}

type RefusedProps = { form: StoredForm; problem: string; onPutBack: (id: string) => Promise<void> }

/** A form that was refused after the person had left it, next to another one they're writing. */
const RefusedForm = ({ form: { id, kind, madeAt }, problem, onPutBack }: RefusedProps) => (
  <Banner
    tone="bad"
    title={problem}
    action={<ChangeOrDelete id={id} onChange={() => onPutBack(id)} changeLabel="Edit" />}
  >
    <p>
      {formPages[kind].name}, written at <span className="num">{formatClock(new Date(madeAt))}</span>, couldn’t be sent.
      If you edit it, it replaces what’s in the form now.
    </p>
  </Banner>
)

type ChangeProps = { id: string; onChange: () => Promise<void>; changeLabel?: string }

/**
 * Deleting takes a second press, because the text is nowhere else. We don't show forms an ended login has left here, so they can't
 * be changed.
 */
function ChangeOrDelete({ id, onChange, changeLabel = 'Edit' }: ChangeProps) {
  const openQueue = useOpenFormQueue()
  const isLeft = useIsLeftForm(id)
  const [isSure, setSure] = useState(false)
  const remove = async () => {
    if (!isSure) return setSure(true)
    await (await openQueue()).remove(id)
  }
  return (
    <>
      {!isLeft && (
        <Button look="bare" isSmall onClick={() => onChange().catch(reportError)}>
          {changeLabel}
        </Button>
      )}
      <Button look="bare" isSmall onClick={() => remove().catch(reportError)}>
        {isSure ? 'Delete for good' : 'Delete'}
      </Button>
    </>
  )
}

type ReceiptProps = { receipt: FormReceipt; onDismiss?: () => void }

/** What was sent and when, with a reference to quote. We don't store the text itself. */
function FormReceiptSection({ receipt: { id, kind, sentAt, reference }, onDismiss }: ReceiptProps) {
  const openQueue = useOpenFormQueue()
  const dismiss = async () => {
    onDismiss?.()
    await (await openQueue()).dismiss(id)
  }
  return (
    <section className="slip queued-form__receipt" aria-label="Receipt">
      <h2 className="slip__title">
        Receipt <Stamp>Sent</Stamp>
      </h2>
      <dl className="slip__rows">
        <div>
          <dt>What</dt>
          <dd>{formPages[kind].name}</dd>
        </div>
        <div>
          <dt>Sent</dt>
          <dd>
            {formatLongDate(sentAt)}, {formatClock(sentAt)}
          </dd>
        </div>
        <div>
          <dt>Reference</dt>
          <dd className="num">{shortReference(reference)}</dd>
        </div>
      </dl>
      <Button look="bare" isSmall onClick={() => dismiss().catch(reportError)}>
        Close receipt
      </Button>
    </section>
  )
}
