import { type FormEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { removeDraft } from '#pwa/lib/draft.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import type { FormKind, FormRefusal } from '#pwa/sync/forms/store.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { honeypotName } from '#shared/contract/form-labels.ts'
import {
  areBlankValues,
  areSameValues,
  type FormValues,
  fillEmptyFields,
  readFormDraft,
  readFormValues,
  saveFormDraft,
} from './form-draft-store.ts'
import type { SubmitOutcome } from './form-queue-store.ts'
import type { QueuedFormDefinition } from './form-texts.ts'
import { focusFirstError, isControl, useFieldErrors } from './use-field-errors.ts'
import { useOpenFormQueue } from './use-form-queue.ts'
import type { FormRef } from './use-queued-form.ts'

/** What the page that led here is about; it goes in front of what's written in this field. */
export type Subject = { field: string; text: string }

export type DraftFormOptions = {
  form: QueuedFormDefinition
  formRef: FormRef
  /** Set if the form was refused after the person had left it: its text is back in the draft. */
  refusal: FormRefusal | undefined
  subject: Subject | undefined
  onBegin: (id: string) => void
  /** The form was handed over or refused; null if neither was possible. */
  onEnd: (outcome: SubmitOutcome | null) => void
}

export function useDraftForm(options: DraftFormOptions) {
  const { form, formRef } = options
  const { kind } = form
  const { errors, problem, clearError, clearOutcome, showOutcome } = useOutcome(options)
  useRestoredDraft(options)
  useSubject(formRef, options.subject)
  const clearing = useClearing(formRef, kind, clearOutcome)
  const { send, preload, isBusy } = useSending(options, showOutcome)
  useReadOnly(formRef, isBusy)
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    clearOutcome()
    send(event.currentTarget)
  }
  const onInput = ({ currentTarget, target }: FormEvent<HTMLFormElement>) => {
    saveFormDraft(kind, { typed: readFormValues(currentTarget), sending: null })
    clearing.end()
    if (isControl(target)) clearError(target.name)
  }
  const props = { ref: formRef, onSubmit, onInput, onFocus: preload }
  return { props, errors, problem, isBusy, clearing }
}

const keptHere = 'We’ve kept what you typed.'

/** Shows the result of handing the form over; null if we could neither queue nor send it. */
function useOutcome({ form, formRef, refusal }: DraftFormOptions) {
  const toast = useToast()
  const { errors, showErrors, clearError, clearErrors } = useFieldErrors(refusal?.fields)
  const [problem, setProblem] = useState(refusal?.message)
  const clearOutcome = () => {
    clearErrors()
    setProblem(undefined)
  }
  const fail = (sentence: string | undefined) => {
    setProblem(sentence ?? keptHere)
    toast({ ...form.failed(sentence), tone: 'bad' })
  }
  const showOutcome = (outcome: SubmitOutcome | null, typed: FormValues) => {
    if (outcome === null) return fail(undefined)
    if (outcome.kind === 'invalid') return showErrors(formRef.current, outcome.errors)
    if (outcome.kind === 'refused') {
      fail(outcome.refusal.message)
      return showErrors(formRef.current, outcome.refusal.fields)
    }
    // Anything typed while we waited for the response hasn't been sent.
    if (formRef.current && areSameValues(readFormValues(formRef.current), typed)) emptyForm(formRef.current)
    if (outcome.kind === 'sent') toast({ ...form.sent, tone: 'ok' })
  }
  return { errors, problem, clearError, clearOutcome, showOutcome }
}

function emptyForm(form: HTMLFormElement) {
  form.reset()
  form.removeAttribute('data-touched')
}

/** During the request the fields are read-only; the focused one keeps the focus. */
const useReadOnly = (formRef: FormRef, isBusy: boolean) =>
  useLayoutEffect(() => {
    for (const field of formRef.current?.elements ?? []) {
      if (!isControl(field)) continue
      if (field instanceof HTMLSelectElement) field.inert = isBusy
      else field.readOnly = isBusy
    }
  }, [formRef, isBusy])

function useRestoredDraft({ form, formRef, refusal }: DraftFormOptions) {
  const restore = useEffectEvent(() => {
    if (!formRef.current) return
    const draft = readFormDraft(form.kind)?.typed ?? {}
    fillEmptyFields(formRef.current, draft)
    const typed = readFormValues(formRef.current)
    // If they differ, the text was typed before the app started, so it isn't what we were sending.
    if (!areSameValues(typed, draft)) saveFormDraft(form.kind, { typed, sending: null })
    if (refusal) focusFirstError(formRef.current, refusal.fields)
  })
  // Without our scripts, the browser checks it. A press kept since before they came is made again as soon as the form is there.
  useLayoutEffect(() => {
    if (formRef.current) formRef.current.noValidate = true
  }, [formRef])
  useEffect(() => restore(), [])
}

/** Runs after the draft is restored. The subject may change while the form is open. */
const useSubject = (formRef: FormRef, { field: name, text }: Subject = { field: '', text: '' }) =>
  useEffect(() => {
    const field = formRef.current?.elements.namedItem(name)
    if (text !== '' && isControl(field)) field.value = withSubject(field.value, text)
  }, [formRef, name, text])

/** Keeps everything written. A subject with nothing written under it is replaced by the next. */
function withSubject(message: string, text: string): string {
  const line = `About: ${text.replace(/\s+/g, ' ').trim()}`
  if (message.split('\n').some((other) => other.trim() === line)) return message
  const isOnlySubject = /^(About: .*)?$/.test(message.trim())
  return `${line}\n\n${isOnlySubject ? '' : message}`
}

/** Empties a form, on this device too. The person can undo it until they type something else. */
function useClearing(formRef: FormRef, kind: FormKind, onClear: () => void) {
  const [cleared, setCleared] = useState<FormValues | null>(null)
  const end = () => setCleared(null)
  const clear = () => {
    if (!formRef.current) return
    const typed = readFormValues(formRef.current)
    emptyForm(formRef.current)
    removeDraft(kind)
    onClear()
    setCleared(areBlankValues(typed) ? null : typed)
  }
  const undo = () => {
    if (!formRef.current || !cleared) return
    fillEmptyFields(formRef.current, cleared)
    saveFormDraft(kind, { typed: readFormValues(formRef.current), sending: null })
    end()
  }
  return { clear, undo, end, isCleared: cleared !== null }
}

/** The code that checks and sends, and the section for waiting forms, load at the first touch of the form. */
function useSending(
  { form, onBegin, onEnd }: DraftFormOptions,
  showOutcome: (outcome: SubmitOutcome | null, typed: FormValues) => void,
) {
  const openQueue = useOpenFormQueue()
  const [isBusy, setBusy] = useState(false)
  const isUnderWay = useRef(false)
  const load = () =>
    Promise.all([
      loadFile(() => import('./form-queue-store.ts')),
      openQueue(),
      form.loadContract(),
      loadFile(() => import('./queued-forms.tsx')),
    ])
  const send = async (element: HTMLFormElement) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    const trap = String(new FormData(element).get(honeypotName) ?? '')
    const filledIn = { kind: form.kind, typed: readFormValues(element), trap }
    setBusy(true)
    let outcome: SubmitOutcome | null = null
    try {
      const [{ submitForm }, queue, contract] = await load()
      outcome = await submitForm({ queue, contract, onBegin }, filledIn)
    } catch {
      // It's neither queued nor sent, so the draft still has it; a null result says so on the page.
    }
    isUnderWay.current = false
    setBusy(false)
    showOutcome(outcome, filledIn.typed)
    onEnd(outcome)
  }
  const preload = () => void load().catch(() => {})
  return { send, preload, isBusy }
}
