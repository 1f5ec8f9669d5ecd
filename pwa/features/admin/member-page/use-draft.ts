import { useState } from 'react'
import { type FormValues, readOwnerDraft, removeOwnerDraft, saveOwnerDraft } from '#pwa/features/admin/draft-storage.ts'

/**
 * What is typed into a dialog stays on this device until it is done with, also where the dialog or the page is closed.
 * `finish` forgets it and closes the dialog.
 */
export function useDraft<Values extends FormValues>(name: string, initial: Values, onClose: () => void) {
  const [values, setValues] = useState<Values>(() => ({ ...initial, ...readOwnerDraft(name) }))
  const change = (changed: Partial<Values>) => {
    const typed = { ...values, ...changed }
    setValues(typed)
    saveOwnerDraft(name, typed)
  }
  const finish = () => {
    removeOwnerDraft(name)
    onClose()
  }
  return { values, change, finish }
}
