import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { isOffline, RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'

type Props = {
  title: string
  /** `busy` is its text while it’s working. */
  button: string
  busy: string
  keep?: string
  isBad?: boolean
  isDisabled?: boolean
  /** `children` show the problem themselves, with what to do about it. */
  isSettled?: boolean
  /** Body fields that show their own error. They get the focus, and the dialog doesn’t repeat the message. */
  fields?: readonly string[]
  action: { isPending: boolean; error: Error | null; problem: string | null }
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks before changing something for a member. A failure keeps what was typed. */
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
    formRef.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form ref={formRef} className="fields" onSubmit={submit} noValidate>
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
          <KeepButton isBusy={action.isPending} onClick={onClose}>
            {keep}
          </KeepButton>
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

export const fieldProblem = (error: Error | null, field: string): string | undefined =>
  error instanceof RequestError ? error.fields[field] : undefined
