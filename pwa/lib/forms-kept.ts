import { useSyncExternalStore } from 'react'
import { deviceNote } from './device-note.ts'

/**
 * Stands in local storage while this device may hold a form that waits or a receipt, so that a page which holds none need
 * not load the queue to know. What is really held stands in the queue's store.
 */
export const formsKeptKey = 'forms-kept'
const note = deviceNote('alliance:forms-kept')

export const areFormsKept = (): boolean => {
  try {
    return localStorage.getItem(formsKeptKey) !== null
  } catch {
    return false
  }
}

export const noteFormsKept = (areKept: boolean) => {
  if (areKept === areFormsKept()) return
  try {
    if (areKept) localStorage.setItem(formsKeptKey, 'yes')
    else localStorage.removeItem(formsKeptKey)
  } catch {
    // A closed storage: the open page sends, only the next one will not know.
  }
  note.tell()
}

/** Follows other tabs too. */
export const useFormsKept = () => useSyncExternalStore(note.subscribe, areFormsKept, () => false)
