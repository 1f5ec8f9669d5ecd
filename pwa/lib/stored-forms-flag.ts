import { useSyncExternalStore } from 'react'
import { createStorageSignal, deviceStorage } from './storage.ts'

/**
 * A key of local storage that is set while this device may hold a pending form or a receipt, so that a page where there is
 * none need not load the queue to know. The queue's own store decides what is there.
 */
export const storedFormsKey = 'forms-kept'
const signal = createStorageSignal('alliance:forms-kept')

export const hasStoredForms = (): boolean => deviceStorage.getItem(storedFormsKey) !== null

export function setStoredFormsFlag(isSet: boolean): void {
  if (isSet === hasStoredForms()) return
  if (isSet) deviceStorage.setItem(storedFormsKey, 'yes')
  else deviceStorage.removeItem(storedFormsKey)
  signal.notify()
}

/** Follows other tabs too. */
export const useHasStoredForms = () => useSyncExternalStore(signal.subscribe, hasStoredForms, () => false)
