import { useRef, useState } from 'react'
import { isControl } from '#pwa/features/forms/use-field-errors.ts'

/** Fires `input`, so that the draft is kept and the field’s error goes. */
export function writeField(field: unknown, value: string): void {
  if (!isControl(field)) return
  field.value = value
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Another field of the same form. */
export const fieldBeside = (field: HTMLInputElement | HTMLTextAreaElement | null, name: string) =>
  field?.form?.elements.namedItem(name) ?? null

/**
 * What no control holds, such as a list of files, as a hidden field of the form: `<input type="hidden" {...field} />`. It’s kept
 * with the draft, and sent.
 */
export function useWrittenField(name: string, initial: string | undefined) {
  const ref = useRef<HTMLInputElement>(null)
  const [value, setValue] = useState(initial ?? '')
  const write = (next: string) => {
    // The draft is read from the field before React draws it.
    writeField(ref.current, next)
    setValue(next)
  }
  return { field: { ref, name, value }, value, write }
}
