import { useState } from 'react'
import { type FormValues, readOwnerDraft, removeOwnerDraft, saveOwnerDraft } from './draft-storage.ts'

/** Keeps a dialog’s text on the device, even if the page closes, until `finish` drops the draft and closes the dialog. */
export function useDraft<Values extends FormValues>(name: string, initial: Values, onClose: () => void) {
  const [values, setValues] = useState<Values>(() => ({ ...initial, ...readOwnerDraft(name) }))
  const change = (changed: Partial<Values>) => {
    const typed = { ...values, ...changed }
    setValues(typed)
    if (Object.entries(typed).every(([field, text]) => text === initial[field])) removeOwnerDraft(name)
    else saveOwnerDraft(name, typed)
  }
  const finish = () => {
    removeOwnerDraft(name)
    onClose()
  }
  return { values, change, finish }
}
