import { useSyncExternalStore } from 'react'
import { deviceNote } from './device-note.ts'
import { deviceStorage } from './storage.ts'

/**
 * Stands in local storage while this device may hold a form that waits or a receipt, so that a page which holds none need
 * not load the queue to know. What is really held stands in the queue's store.
 */
export const formsKeptKey = 'forms-kept'
const note = deviceNote('alliance:forms-kept')

export const areFormsKept = (): boolean => deviceStorage.getItem(formsKeptKey) !== null

export const noteFormsKept = (areKept: boolean) => {
  if (areKept === areFormsKept()) return
  if (areKept) deviceStorage.setItem(formsKeptKey, 'yes')
  else deviceStorage.removeItem(formsKeptKey)
  note.tell()
}

/** Follows other tabs too. */
export const useFormsKept = () => useSyncExternalStore(note.subscribe, areFormsKept, () => false)
