import { useState } from 'react'
import { type FormValues, readOwnerDraft, removeOwnerDraft, saveOwnerDraft } from '#pwa/features/admin/draft-storage.ts'

/** What is typed into a dialog stays on this device until it is done with, also where the dialog or the page is closed. */
export function useDraft<Values extends FormValues>(name: string, initial: Values) {
  const [values, setValues] = useState<Values>(() => ({ ...initial, ...readOwnerDraft(name) }))
  const change = (changed: Partial<Values>) => {
    const typed = { ...values, ...changed }
    setValues(typed)
    saveOwnerDraft(name, typed)
  }
  return { values, change, clear: () => removeOwnerDraft(name) }
}
