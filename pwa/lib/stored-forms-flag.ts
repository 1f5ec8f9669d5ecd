import { useSyncExternalStore } from 'react'
import { createStorageSignal, deviceStorage } from './storage.ts'

/**
 * A local storage key set while this device may hold a pending form or a receipt, so that other pages needn't load the queue to
 * find out. The queue's store decides what's there.
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

export const useHasStoredForms = () => useSyncExternalStore(signal.subscribe, hasStoredForms, () => false)
