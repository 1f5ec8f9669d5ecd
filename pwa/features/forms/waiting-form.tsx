import { useState } from 'react'
import { waitLeft } from '#pwa/sync/back-off.ts'
import type { FormEntry, KeptForm } from '#pwa/sync/forms/store.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { formatClock } from '#shared/rules/london.ts'
import type { LastingFormKind } from './lasting-form-kind.ts'
import { useOpenQueue } from './use-kept-forms.ts'

type Props = { form: LastingFormKind; kept: KeptForm }
type WaitingProps = Props & {
  /** False where another text stands in the form, which would be lost. */
  onChange: (id: string) => Promise<boolean>
  onMore: () => void
  /** The form stands below. */
  isWritingMore: boolean
}

/** A form that goes by itself once it can. */
export function WaitingForm({ form, kept, onChange, onMore, isWritingMore }: WaitingProps) {
  const { id, madeAt, state, isServerBusy } = kept
  const openQueue = useOpenQueue()
  const toast = useToast()
  const [isTrying, setTrying] = useState(false)
  const [isHeld, setHeld] = useState(false)
  const sendNow = async () => {
    setTrying(true)
    const queue = await openQueue()
    await queue.flush().catch(reportError)
    setTrying(false)
    const until = askedWaitOf(await queue.read(id).catch(() => null))
    if (until) toast({ title: 'The site asked for a wait', description: `It is tried again at ${formatClock(until)}.` })
  }
  const change = async () => {
    if (await onChange(id)) return
    setHeld(true)
    onMore()
  }
  const writeMore = () => {
    setHeld(false)
    onMore()
  }
  const isOut = state === 'sending' || isTrying
  return (
    <Banner
      role="status"
      icon={isServerBusy ? 'sync' : 'nosignal'}
      title={`Saved on this phone. ${isServerBusy ? 'The site could not take it just now.' : 'It goes as soon as you have signal.'}`}
      action={
        <>
          <Button look="line" isSmall isBusy={isOut} busyLabel="Sending…" onClick={sendNow}>
            Send now
          </Button>
          {!isOut && <ChangeOrDelete id={id} onChange={change} />}
          <Button look="bare" isSmall onClick={writeMore}>
            Write another
          </Button>
        </>
      }
    >
      <p>
        {form.name}, written at <span className="num">{formatClock(new Date(madeAt))}</span>. You can close this page.
        {isServerBusy && ' It is tried again by itself.'}
      </p>
      {isHeld && isWritingMore && (
        <p>Another one is being written in the form. Send or clear that first, then this one can be changed.</p>
      )}
    </Banner>
  )
}

/** Until when the server asked to be left alone; null where a press sends it. */
function askedWaitOf(entry: FormEntry | null): Date | null {
  const left = entry?.isWaitAsked ? waitLeft(entry.retryAt, Date.now()) : 0
  return left > 0 ? new Date(Date.now() + left) : null
}

/** A form that was refused while nobody was looking, beside another that is being written. */
export const RefusedForm = ({ form, kept, onPutBack }: Props & { onPutBack: (id: string) => Promise<void> }) => (
  <Banner
    tone="bad"
    title={form.problem}
    action={<ChangeOrDelete id={kept.id} onChange={() => onPutBack(kept.id)} changeLabel="Put it back in the form" />}
  >
    <p>
      {form.name}, written at <span className="num">{formatClock(new Date(kept.madeAt))}</span>, was not accepted. Put
      back, it takes the place of what is typed now.
    </p>
  </Banner>
)

type ChangeProps = { id: string; onChange: () => Promise<void>; changeLabel?: string }

/** Deleting asks once more: the text is nowhere else. */
function ChangeOrDelete({ id, onChange, changeLabel = 'Change it' }: ChangeProps) {
  const openQueue = useOpenQueue()
  const [isSure, setSure] = useState(false)
  const remove = async () => {
    if (!isSure) return setSure(true)
    await (await openQueue()).remove(id)
  }
  return (
    <>
      <Button look="bare" isSmall onClick={() => onChange().catch(reportError)}>
        {changeLabel}
      </Button>
      <Button look="bare" isSmall onClick={() => remove().catch(reportError)}>
        {isSure ? 'Delete it for good' : 'Delete it'}
      </Button>
    </>
  )
}
