import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as v from 'valibot'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { useAdminRenewal } from '#pwa/features/admin/kit/use-admin-action.ts'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { readFormValues } from '#pwa/features/forms/form-draft-store.ts'
import { isControl } from '#pwa/features/forms/use-field-errors.ts'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import type { ToastMessage } from '#pwa/ui/toast-region.tsx'
import { type FormValues, readOwnerDraft, removeOwnerDraft, saveOwnerDraft } from './draft-storage.ts'

export type AdminFormOptions<Schema extends v.GenericSchema, Row extends v.GenericSchema> = {
  /** The draft’s name on this device. */
  draft: string
  schema: Schema
  /** Form strings → what the schema expects. */
  read: (typed: FormValues) => unknown
  row: Row
  /** `version`: the row’s, when the form was filled. */
  send: (accepted: v.InferOutput<Schema>, version: number) => Parameters<typeof parseResponse>[1]
  /** Shown if the server sent no message. */
  failure: string
  done: (row: v.InferOutput<Row>) => Pick<ToastMessage, 'description' | 'action'> & { title: string; tone?: 'plain' }
  onDone: (row: v.InferOutput<Row>) => void
}

/** The field with the row’s version. It’s stored with the draft, so an old draft can’t overwrite a newer row. */
export const versionField = 'version'

/**
 * Optimistic locking and a stored draft for one row’s form. `conflict` holds the changed row and the owner’s version of it: call
 * `saveMine`, or fill the form from the other owner’s.
 */
export function useAdminForm<Schema extends v.GenericSchema, Row extends v.GenericSchema>(
  options: AdminFormOptions<Schema, Row>,
) {
  const formRef = useRef<HTMLFormElement>(null)
  /** The other owner’s version, once this owner has chosen to overwrite it. */
  const overwritten = useRef<number>(undefined)
  const prove = useProof()
  const { problem, conflict, showFailure, clear } = useFailure(options)
  const finish = useFinish(options)
  const { form, errors, isBusy } = useValidatedForm({
    schema: schemaOf(options),
    send: (accepted) => {
      clear()
      const version = overwritten.current ?? versionIn(formRef.current)
      return prove(() => parseResponse(options.row, options.send(accepted, version)))
    },
    onDone: finish,
    onFail: (error) => showFailure(error, formRef.current),
  })
  const saveMine = (current: number) => {
    overwritten.current = current
    formRef.current?.requestSubmit()
  }
  const onInput: typeof form.onInput = (event) => {
    saveOwnerDraft(options.draft, readFormValues(event.currentTarget))
    form.onInput(event)
  }
  return { form: { ...form, onInput, ref: formRef }, errors, isBusy, problem, conflict, saveMine }
}

function versionIn(form: HTMLFormElement | null): number {
  const field = form?.elements.namedItem(versionField)
  return field instanceof HTMLInputElement ? Number(field.value) : 0
}

function useFinish<Schema extends v.GenericSchema, Row extends v.GenericSchema>(
  options: AdminFormOptions<Schema, Row>,
) {
  const toast = useToast()
  const renew = useAdminRenewal()
  const queryClient = useQueryClient()
  return (row: v.InferOutput<Row>) => {
    removeOwnerDraft(options.draft)
    queryClient.setQueryData(savedKey(options.draft), row)
    renew(row)
    toast({ tone: 'ok', ...options.done(row) })
    options.onDone(row)
  }
}

const savedKey = (draft: string) => [adminKey, 'saved', draft]

/**
 * The row as this owner last saved it, if newer than `version`. A form reopened before the refetch would otherwise take the
 * owner’s own change for a conflict.
 */
export function useSavedRow<Row extends { version: number }>(
  draft: string,
): (version: string | undefined) => Row | null {
  const queryClient = useQueryClient()
  return (version) => {
    const saved = queryClient.getQueryData<Row>(savedKey(draft))
    return version !== undefined && saved && saved.version > Number(version) ? saved : null
  }
}

type Conflict<Schema extends v.GenericSchema, Row extends v.GenericSchema> = {
  mine: v.InferOutput<Schema>
  theirs: v.InferOutput<Row>
}

function useFailure<Schema extends v.GenericSchema, Row extends v.GenericSchema>(
  options: AdminFormOptions<Schema, Row>,
) {
  const [problem, setProblem] = useState<string | null>(null)
  const [conflict, setConflict] = useState<Conflict<Schema, Row> | null>(null)
  const showFailure = (error: Error, form: HTMLFormElement | null) => {
    const theirs = v.safeParse(options.row, error instanceof RequestError ? error.versions?.current : undefined)
    const mine = form && v.safeParse(schemaOf(options), Object.fromEntries(new FormData(form)))
    const isConflict = theirs.success && mine?.success
    setConflict(isConflict ? { mine: mine.output, theirs: theirs.output } : null)
    setProblem(isConflict || isAtField(error, form) ? null : messageOf(error, options.failure))
  }
  const clear = () => {
    setProblem(null)
    setConflict(null)
  }
  return { problem, conflict, showFailure, clear }
}

/** The message is already at its field, which has the focus. */
const isAtField = (error: Error, form: HTMLFormElement | null): boolean =>
  error instanceof RequestError &&
  Object.entries(error.fields).some(
    ([name, sentence]) =>
      sentence === error.text &&
      [...(form?.elements ?? [])].some((field) => isControl(field) && field.name === name && field.type !== 'hidden'),
  )

const schemaOf = <Schema extends v.GenericSchema>({
  schema,
  read,
}: {
  schema: Schema
  read: (typed: FormValues) => unknown
}) =>
  v.pipe(
    v.record(v.string(), v.string()),
    v.rawTransform<FormValues, v.InferOutput<Schema>>(({ dataset, addIssue, NEVER }) => {
      const parsed = v.safeParse(schema, read(dataset.value))
      if (parsed.success) return parsed.output
      for (const { message, path } of parsed.issues) {
        const [first, ...rest] = path ?? []
        addIssue(first ? { message, path: [first, ...rest] } : { message })
      }
      return NEVER
    }),
  )

/** Fills a form from its draft, or from `fillWith`, which drops the draft. `attempt` is the form’s key. */
export function useFormFill(draft: string) {
  const [filled, setFilled] = useState(() => {
    const typed = readOwnerDraft(draft)
    return { attempt: 0, typed, isRestored: typed !== null }
  })
  const fillWith = (typed: FormValues | null) => {
    removeOwnerDraft(draft)
    setFilled({ attempt: filled.attempt + 1, typed, isRestored: false })
  }
  return { ...filled, fillWith }
}
