import { useState } from 'react'
import { flushSync } from 'react-dom'

export type FieldErrors = Record<string, string | undefined>

/** The sentences under a form's fields: shown after a press, each removed when its field changes. */
export function useFieldErrors(initial: FieldErrors = {}) {
  const [errors, setErrors] = useState(initial)
  const showErrors = (form: HTMLFormElement | null, found: FieldErrors) => {
    // The sentence has to be there before its field gets the focus, or a screen reader skips it.
    flushSync(() => setErrors(found))
    if (form) focusFirstError(form, found)
  }
  const clearError = (name: string) => {
    if (errors[name]) setErrors({ ...errors, [name]: undefined })
  }
  return { errors, showErrors, clearError, clearErrors: () => setErrors({}) }
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

export const isControl = (element: unknown): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement

export function focusFirstError(form: HTMLFormElement, errors: FieldErrors) {
  const marked = [...form.elements].find((field) => isControl(field) && errors[field.name])
  if (isControl(marked)) marked.focus()
}
