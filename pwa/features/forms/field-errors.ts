/** Name of a field → the sentence under it. */
export type FieldErrors = Record<string, string | undefined>

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

export const isControl = (element: unknown): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement

/** In the order of the page. */
export function focusFirst(form: HTMLFormElement, errors: FieldErrors) {
  const marked = [...form.elements].find((field) => isControl(field) && errors[field.name])
  if (isControl(marked)) marked.focus()
}
