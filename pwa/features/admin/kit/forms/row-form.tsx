import { type FormEvent, type ReactNode, type RefObject, useLayoutEffect, useState } from 'react'
import type * as v from 'valibot'
import { ConflictSection, type Difference } from '#pwa/features/forms/conflict.tsx'
import { readFormValues } from '#pwa/features/forms/form-draft-store.ts'
import type { FieldErrors } from '#pwa/features/forms/use-field-errors.ts'
import type { parseResponse } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'
import { formatClock } from '#shared/rules/london.ts'
import type { FormValues } from './draft-storage.ts'
import { removeOwnerDraft } from './draft-storage.ts'
import { type AdminFormOptions, useAdminForm, useFormFill, useSavedRow, versionField } from './use-admin-form.ts'

type Versioned = v.GenericSchema<unknown, { version: number }>

export type RowFormParts = { values: FormValues; errors: FieldErrors; formRef: RefObject<HTMLFormElement | null> }

type Props<Schema extends v.GenericSchema, Row extends Versioned> = Pick<
  AdminFormOptions<Schema, Row>,
  'draft' | 'schema' | 'read' | 'row' | 'failure' | 'done'
> & {
  label: string
  className: string
  /** The values without a draft. For a new row, `key` is the idempotency key. */
  begin: () => FormValues
  valuesOf: (row: v.InferOutput<Row>) => FormValues
  send: (request: v.InferOutput<Schema>, of: { version: number; key: string }) => Parameters<typeof parseResponse>[1]
  /** What's compared with another owner's version. Of `picture`s the text is the address. */
  compared: readonly (readonly [
    label: string,
    text: (request: v.InferOutput<Schema> | v.InferOutput<Row>) => string,
    kind?: Difference['kind'],
  ])[]
  /** Of what's typed so far, if that decides what it does. */
  submit: string | ((typed: FormValues) => string)
  /** What saving will do, as typed so far. It's said above the buttons. */
  says?: (typed: FormValues) => string
  cancel: string
  /** One of several on its page. Until something is typed there's nothing to cancel, and its button is none to press next. */
  isInPage?: boolean
  /** After saving, with the row, or after discarding. */
  onClose: (saved?: v.InferOutput<Row>) => void
  onStartAgain?: () => void
  /** Why it can't be saved yet. */
  waitsFor?: string | undefined
  tools?: (formRef: RowFormParts['formRef']) => ReactNode
  children: (parts: RowFormParts) => ReactNode
}

/**
 * Stores a draft on this device with every keystroke. If another owner has changed the row in between, it shows both versions
 * and the owner picks one.
 */
export function RowForm<Schema extends v.GenericSchema, Row extends Versioned>(props: Props<Schema, Row>) {
  const { draft, valuesOf, onStartAgain } = props
  const { attempt, typed, isRestored, fillWith } = useFormFill(draft)
  const startAgain = () => {
    fillWith(null)
    onStartAgain?.()
  }
  return (
    <>
      {isRestored && (
        <Banner
          role="status"
          title="We’ve kept what you typed"
          action={
            <Button isSmall look="line" onClick={startAgain}>
              Start again
            </Button>
          }
        >
          It isn’t saved yet.
        </Banner>
      )}
      <FilledForm key={attempt} {...props} typed={typed} onTheirs={(theirs) => fillWith(valuesOf(theirs))} />
    </>
  )
}

function beginWith<Schema extends v.GenericSchema, Row extends Versioned>(
  { begin, valuesOf }: Props<Schema, Row>,
  findSaved: (version: string | undefined) => v.InferOutput<Row> | null,
): FormValues {
  const values = begin()
  const saved = findSaved(values.version)
  return saved ? valuesOf(saved) : values
}

type FilledProps<Schema extends v.GenericSchema, Row extends Versioned> = Props<Schema, Row> & {
  typed: FormValues | null
  onTheirs: (row: v.InferOutput<Row>) => void
}

function FilledForm<Schema extends v.GenericSchema, Row extends Versioned>(props: FilledProps<Schema, Row>) {
  const { draft, schema, read, row, failure, done, send, compared, onClose } = props
  const findSaved = useSavedRow<v.InferOutput<Row>>(draft)
  const [values] = useState(() => props.typed ?? beginWith(props, findSaved))
  const [storedAt, setStoredAt] = useState<Date | null>(null)
  const { form, errors, isBusy, problem, conflict, saveMine } = useAdminForm({
    draft,
    schema,
    read,
    row,
    failure,
    done,
    send: (request, version) => send(request, { version, key: values.key ?? '' }),
    onDone: onClose,
  })
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    form.onInput(event)
    setStoredAt(new Date())
  }
  const discard = () => {
    removeOwnerDraft(draft)
    onClose()
  }
  const isAtRest = props.isInPage && props.typed === null && storedAt === null
  return (
    <form {...form} onInput={onInput} className={props.className} aria-label={props.label}>
      <input type="hidden" name={versionField} defaultValue={values.version} />
      {values.key && <input type="hidden" name="key" defaultValue={values.key} />}
      {props.children({ values, errors, formRef: form.ref })}
      {problem && <Banner tone="bad" role="alert" title={problem} />}
      {conflict && (
        <ConflictSection
          title="Someone else changed this while you had it open"
          differences={compared.map(([label, text, kind]) => ({
            label,
            kind,
            mine: text(conflict.mine),
            theirs: text(conflict.theirs),
          }))}
          isBusy={isBusy}
          onMine={() => saveMine(conflict.theirs.version)}
          onTheirs={() => props.onTheirs(conflict.theirs)}
        />
      )}
      <div className="acts">
        {props.says && (
          <p className="outcome" role="status">
            <Said formRef={form.ref} says={props.says} />
          </p>
        )}
        <SaveButton
          isAtRest={isAtRest}
          isBusy={isBusy}
          submit={props.submit}
          waitsFor={props.waitsFor}
          formRef={form.ref}
        />
        {props.tools?.(form.ref)}
        {!isAtRest && (
          <KeepButton isBusy={isBusy} onClick={discard}>
            {props.cancel}
          </KeepButton>
        )}
        <span className="second" role="status">
          {props.waitsFor ?? (storedAt && `Not saved yet. Kept on this device at ${formatClock(storedAt)}.`)}
        </span>
      </div>
    </form>
  )
}

type SaveProps = Pick<Props<v.GenericSchema, Versioned>, 'submit' | 'waitsFor'> &
  Pick<RowFormParts, 'formRef'> & { isAtRest: boolean | undefined; isBusy: boolean }

const SaveButton = ({ submit, waitsFor, formRef, isAtRest, isBusy }: SaveProps) => (
  <Button
    type="submit"
    look={isAtRest ? 'line' : 'ink'}
    disabled={waitsFor !== undefined}
    isBusy={isBusy}
    busyLabel="Saving…"
  >
    {typeof submit === 'string' ? submit : <Said formRef={formRef} says={submit} />}
  </Button>
)

type SaidProps = { formRef: RowFormParts['formRef']; says: (typed: FormValues) => string }

/** Reads the form again each time it's drawn: a field may have gone, which fires no event. */
function Said({ formRef, says }: SaidProps) {
  const [said, setSaid] = useState('')
  // Before it's painted, so that a button is never empty.
  useLayoutEffect(() => setSaid(says(valuesIn(formRef))))
  return said
}

export const valuesIn = (formRef: RowFormParts['formRef']): FormValues =>
  formRef.current ? readFormValues(formRef.current) : {}
