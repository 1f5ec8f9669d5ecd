import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import type { FormReceipt } from '#pwa/sync/forms/store.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { ClearLink } from './clear-link.tsx'
import { Honeypot } from './form-fields.tsx'
import type { QueuedFormDefinition } from './form-texts.ts'

import { type DraftFormOptions, type Subject, useDraftForm } from './use-draft-form.ts'
import type { FieldErrors } from './use-field-errors.ts'
import { useQueuedForm } from './use-queued-form.ts'
import './forms.css'

const QueuedFormsSection = lazy(() => loadFile(() => import('./queued-forms.tsx')))

type Fields = (errors: FieldErrors) => ReactNode

type Props = {
  form: QueuedFormDefinition
  label: string
  action: string
  subject?: Subject | undefined
  /** Replaces the form once it's sent; without it there's an empty form again. */
  confirmation?: (receipt: FormReceipt) => ReactNode
  /** Shown above the form with the receipt of one that was sent later. */
  afterwards?: ReactNode
  children: Fields
}

/** A public form that loses nothing: saved as it's typed, queued without signal, sent once, with a receipt. */
export function QueuedForm({ form, label, action, subject, confirmation, afterwards, children }: Props) {
  const state = useQueuedForm(form.kind)
  const { round, own, waiting, refused, sent, receipts } = state
  const hasQueued = waiting.length + refused.length + receipts.length > 0 || sent !== null
  const isReplaced = sent !== null && confirmation !== undefined
  const status = useRef<HTMLDivElement>(null)
  return (
    <div className="queued-form">
      <div className="queued-form__status" ref={status} tabIndex={-1}>
        {isReplaced && confirmation(sent)}
        {hasQueued && (
          <Suspense>
            <QueuedFormsSection problem={form.problem} state={state} />
            <FocusOnStatus id={sent?.id ?? waiting.find(({ id }) => id === own.id)?.id} target={status} />
          </Suspense>
        )}
        {sent === null && receipts.length > 0 && afterwards}
      </div>
      {!isReplaced && state.isFormShown && (
        <DraftForm
          key={round.number}
          form={form}
          label={label}
          action={action}
          subject={subject}
          formRef={state.formRef}
          refusal={round.refusal}
          onBegin={own.begin}
          onEnd={own.end}
        >
          {children}
        </DraftForm>
      )}
    </div>
  )
}

type DraftFormProps = DraftFormOptions & { label: string; action: string; children: Fields }

function DraftForm({ label, action, children, ...options }: DraftFormProps) {
  const { props, errors, problem, isBusy, clearing } = useDraftForm(options)
  return (
    // Without JavaScript it goes to the page's own address, which answers with a page.
    <form className="sheet sheet--pad queued-form__sheet" aria-label={label} method="post" {...props}>
      {problem && (
        <Banner tone="bad" title={options.form.problem} role="alert">
          {problem}
        </Banner>
      )}
      <p className="second">Fill in everything marked&nbsp;*.</p>
      {children(errors)}
      <Honeypot />
      <Button type="submit" icon="arrow" isBusy={isBusy} busyLabel="Sending…">
        {action}
      </Button>
      <p className="second" role="status">
        <span>
          {clearing.isCleared ? 'Cleared from this device.' : 'Saved on this device as you type, for up to 48 hours.'}
        </span>{' '}
        <a className="link" href="/privacy" target="_blank" rel="noreferrer">
          Privacy
        </a>
      </p>
      <ClearLink isCleared={clearing.isCleared} isBusy={isBusy} onClear={clearing.clear} onUndo={clearing.undo} />
    </form>
  )
}

type FocusProps = { id: string | undefined; target: RefObject<HTMLDivElement | null> }

/**
 * Moves the focus to the form's new status, so that it's read out and seen. Rendered next to the lazily loaded section, because an
 * empty element can't take the focus.
 */
function FocusOnStatus({ id, target }: FocusProps) {
  useEffect(() => {
    if (id) target.current?.focus()
  }, [id, target])
  return null
}
