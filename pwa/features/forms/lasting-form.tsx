import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef } from 'react'
import type { FormReceipt } from '#pwa/sync/forms/store.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { FieldErrors } from './field-errors.ts'
import { Honeypot } from './honeypot.tsx'
import type { LastingFormKind } from './lasting-form-kind.ts'
import type { Subject } from './subject.ts'
import { type FormSheetOptions, useFormSheet } from './use-form-sheet.ts'
import { useLastingForm } from './use-lasting-form.ts'
import './forms.css'

const KeptPanels = lazy(() => import('./kept-panels.tsx'))

type Fields = (errors: FieldErrors) => ReactNode

type Props = {
  form: LastingFormKind
  label: string
  /** On the button. */
  action: string
  subject?: Subject | undefined
  /** Takes the form's place once it was sent; without it the form is there again, empty. */
  confirmation?: (receipt: FormReceipt) => ReactNode
  /** Stands with the receipt of a form that went out later, above the form. */
  afterwards?: ReactNode
  children: Fields
}

/** A public form that loses nothing: kept as it is typed, queued without signal, sent once, with a receipt. */
export function LastingForm({ form, label, action, subject, confirmation, afterwards, children }: Props) {
  const state = useLastingForm(form.kind)
  const { sheet, own, waiting, refused, sent, receipts } = state
  const hasPanels = waiting.length + refused.length + receipts.length > 0 || sent !== null
  const isReplaced = sent !== null && confirmation !== undefined
  const news = useRef<HTMLDivElement>(null)
  return (
    <div className="lasting">
      <div className="lasting__news" ref={news} tabIndex={-1}>
        {isReplaced && confirmation(sent)}
        {hasPanels && (
          <Suspense>
            <KeptPanels form={form} state={state} />
            <FocusOnNews id={sent?.id ?? waiting.find(({ id }) => id === own.id)?.id} place={news} />
          </Suspense>
        )}
        {sent === null && receipts.length > 0 && afterwards}
      </div>
      {!isReplaced && state.isFormShown && (
        <FormSheet
          key={sheet.round}
          {...{ form, label, action, subject, children }}
          box={state.box}
          refusal={sheet.refusal}
          onBegin={own.begin}
          onEnd={own.end}
        />
      )}
    </div>
  )
}

type SheetProps = FormSheetOptions & { label: string; action: string; children: Fields }

function FormSheet({ label, action, children, ...options }: SheetProps) {
  const { box, errors, problem, isBusy, clearing } = useFormSheet(options)
  return (
    // Until the app listens, and without JavaScript, a press does nothing: `dialog` sends nothing anywhere.
    <form className="sheet sheet--pad lasting__sheet" aria-label={label} method="dialog" {...box}>
      <noscript>
        <Banner title="This form needs JavaScript">
          Please switch it on, or reach us by one of the ways at the foot of the page.
        </Banner>
      </noscript>
      {problem && (
        <Banner tone="bad" title={options.form.problem} role="alert">
          {problem}
        </Banner>
      )}
      <p className="second">Fields marked * are needed.</p>
      {children(errors)}
      <Honeypot />
      <div className="lasting__press">
        <Button type="submit" icon="arrow" isBusy={isBusy} busyLabel="Sending…">
          {action}
        </Button>
        {clearing.isCleared ? (
          <Button look="bare" onClick={clearing.undo} disabled={isBusy}>
            Bring it back
          </Button>
        ) : (
          <Button look="bare" onClick={clearing.clear} disabled={isBusy}>
            Clear this form
          </Button>
        )}
      </div>
      <p className="second" role="status">
        {clearing.isCleared
          ? 'Cleared, on this device too.'
          : 'What you type is kept on this device for 48 hours, until it is sent.'}
      </p>
    </form>
  )
}

type FocusProps = { id: string | undefined; place: RefObject<HTMLDivElement | null> }

/** What has just come of the form is read out, and seen. Beside the panels, which load: an empty place takes no focus. */
function FocusOnNews({ id, place }: FocusProps) {
  useEffect(() => {
    if (id) place.current?.focus()
  }, [id, place])
  return null
}
