import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { isOffline, RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'

type Props = {
  title: string
  /** What the button does, in a word or two, and what it says meanwhile. */
  button: string
  busy: string
  keep?: string
  isBad?: boolean
  isDisabled?: boolean
  /** What was refused is shown among `children`, with what can be done about it. */
  isSettled?: boolean
  /** Fields of the body whose sentence stands at their field: it gets the focus, and nothing is said twice. */
  fields?: readonly string[]
  action: { isPending: boolean; error: Error | null; problem: string | null }
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks before something is done for a member. After a failure what was typed stays, with the reason. */
export function ActionDialog(props: Props) {
  const {
    title,
    button,
    busy,
    keep = 'Not now',
    isBad,
    isDisabled,
    isSettled,
    fields = [],
    action,
    onSubmit,
    onClose,
    children,
  } = props
  const formRef = useRef<HTMLFormElement>(null)
  const isAtField = fields.some((field) => fieldProblem(action.error, field) === action.problem)
  useEffect(() => {
    if (action.error) formRef.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [action.error])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!action.isPending && !isDisabled) onSubmit()
  }
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form ref={formRef} className="ask" onSubmit={submit} noValidate>
        {children}
        {action.error && action.problem && !isSettled && !isAtField && (
          <Problem error={action.error} problem={action.problem} />
        )}
        <div className="acts">
          <Button
            type="submit"
            look={isBad ? 'bad' : 'ink'}
            isBusy={action.isPending}
            busyLabel={busy}
            disabled={isDisabled}
          >
            {button}
          </Button>
          <Button look="line" onClick={onClose}>
            {keep}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Problem({ error, problem }: { error: Error; problem: string }) {
  const hasNoSignal = isOffline(error)
  return (
    <Banner tone="bad" role="alert" title={hasNoSignal ? 'No signal' : problem}>
      {hasNoSignal && 'We’re not sure it went through. Check before you try again: what you typed is still here.'}
    </Banner>
  )
}

/** What the server says about one field. */
export const fieldProblem = (error: Error | null, field: string): string | undefined =>
  error instanceof RequestError ? error.fields[field] : undefined
