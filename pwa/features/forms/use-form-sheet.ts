import { type FormEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FormRefusal } from '#pwa/sync/forms/store.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { honeypotName } from '#shared/contract/form-words.ts'
import { type FieldErrors, focusFirst, isControl } from './field-errors.ts'
import type { LastingFormKind } from './lasting-form-kind.ts'
import { type Subject, withSubject } from './subject.ts'
import type { Submitted } from './submit-form.ts'
import { fillIn, isSameTyped, keepFormDraft, readFormDraft, readTyped, type Typed } from './typed.ts'
import { useClearing } from './use-clearing.ts'
import { useOpenQueue } from './use-kept-forms.ts'

export type FormSheetOptions = {
  form: LastingFormKind
  box: RefObject<HTMLFormElement | null>
  /** Refused while nobody was looking: the text stands in the draft again. */
  refusal: FormRefusal | undefined
  subject: Subject | undefined
  /** The form is about to leave this page, under this id. */
  onBegin: (id: string) => void
  /** It has left it, or come back; null after a fault. */
  onEnd: (outcome: Submitted | null) => void
}

const keptHere = 'What you typed is kept on this device.'

/** One form that is being filled in: kept as it is typed, checked on this side, handed over once. */
export function useFormSheet(options: FormSheetOptions) {
  const { box, form } = options
  const { kind } = form
  const { errors, problem, unmark, forget, take } = useOutcome(box, options)
  useRestoring(box, options)
  useSubject(box, options.subject)
  const clearing = useClearing(box, kind, forget)
  const { send, warmUp, isBusy } = useSending(options, take)
  useHeld(box, isBusy)
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    forget()
    send(event.currentTarget)
  }
  const onInput = ({ currentTarget, target }: FormEvent<HTMLFormElement>) => {
    keepFormDraft(kind, { typed: readTyped(currentTarget), sending: null })
    clearing.end()
    if (isControl(target)) unmark(target.name)
  }
  return { box: { ref: box, onSubmit, onInput, onFocus: warmUp, noValidate: true }, errors, problem, isBusy, clearing }
}

type Box = RefObject<HTMLFormElement | null>

/** Shows what came of handing the form over; null after a fault. */
function useOutcome(box: Box, { form, refusal }: FormSheetOptions) {
  const toast = useToast()
  const [errors, setErrors] = useState<FieldErrors>(refusal?.fields ?? {})
  const [problem, setProblem] = useState(refusal?.message)
  const forget = () => {
    setErrors({})
    setProblem(undefined)
  }
  const unmark = (name: string) => {
    if (errors[name]) setErrors({ ...errors, [name]: undefined })
  }
  const mark = (found: FieldErrors) => {
    flushSync(() => setErrors(found))
    if (box.current) focusFirst(box.current, found)
  }
  const fail = (sentence: string | undefined) => {
    setProblem(sentence ?? keptHere)
    toast({ ...form.failed(sentence), tone: 'bad' })
  }
  const take = (outcome: Submitted | null, typed: Typed) => {
    if (outcome === null) return fail(undefined)
    if (outcome.kind === 'invalid') return mark(outcome.errors)
    if (outcome.kind === 'refused') {
      fail(outcome.refusal.message)
      return mark(outcome.refusal.fields)
    }
    // Whatever got in while the answer was awaited has not been sent.
    if (box.current && isSameTyped(readTyped(box.current), typed)) {
      box.current.reset()
      box.current.removeAttribute('data-touched')
    }
    if (outcome.kind === 'sent') toast({ ...form.sent, tone: 'ok' })
    else if (outcome.isServerBusy) toast({ ...form.failed(undefined), tone: 'bad' })
  }
  return { errors, problem, unmark, forget, take }
}

/** While the answer is awaited the fields can be read and not changed; the one with the focus keeps it. */
const useHeld = (box: Box, isBusy: boolean) =>
  useLayoutEffect(() => {
    for (const field of box.current?.elements ?? []) {
      if (!isControl(field)) continue
      if (field instanceof HTMLSelectElement) field.inert = isBusy
      else field.readOnly = isBusy
    }
  }, [box, isBusy])

/** Puts back what was typed here before, once, and shows what was wrong with it. */
function useRestoring(box: Box, { form, refusal }: FormSheetOptions) {
  const restore = useEffectEvent(() => {
    if (!box.current) return
    const draft = readFormDraft(form.kind)?.typed ?? {}
    fillIn(box.current, draft)
    const typed = readTyped(box.current)
    // Typed before the app had started: not what was being sent.
    if (!isSameTyped(typed, draft)) keepFormDraft(form.kind, { typed, sending: null })
    if (refusal) focusFirst(box.current, refusal.fields)
  })
  useEffect(() => restore(), [])
}

/** After what was typed before is back. It may change while the form is open. */
const useSubject = (box: Box, { field: name, text }: Subject = { field: '', text: '' }) =>
  useEffect(() => {
    const field = box.current?.elements.namedItem(name)
    if (text !== '' && isControl(field)) field.value = withSubject(field.value, text)
  }, [box, name, text])

/** The code that checks and sends, and tells what waits, comes with the first touch of the form. */
function useSending(
  { form, onBegin, onEnd }: FormSheetOptions,
  take: (outcome: Submitted | null, typed: Typed) => void,
) {
  const openQueue = useOpenQueue()
  const [isBusy, setBusy] = useState(false)
  const isUnderWay = useRef(false)
  const load = () =>
    Promise.all([import('./submit-form.ts'), openQueue(), form.loadCheck(), import('./kept-panels.tsx')])
  const send = async (box: HTMLFormElement) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    const filledIn = { kind: form.kind, typed: readTyped(box), trap: String(new FormData(box).get(honeypotName) ?? '') }
    setBusy(true)
    let outcome: Submitted | null = null
    try {
      const [{ submitForm }, queue, check] = await load()
      outcome = await submitForm({ queue, check, onBegin }, filledIn)
    } catch {
      // Neither kept nor sent: the draft has it, and says so.
    }
    isUnderWay.current = false
    setBusy(false)
    take(outcome, filledIn.typed)
    onEnd(outcome)
  }
  const warmUp = () => void load().catch(() => {})
  return { send, warmUp, isBusy }
}
