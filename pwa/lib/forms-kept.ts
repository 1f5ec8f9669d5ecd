import { useSyncExternalStore } from 'react'

/**
 * Stands in local storage while this device may hold a form that waits or a receipt, so that a page which holds none need
 * not load the queue to know. What is really held stands in the queue's store.
 */
export const formsKeptKey = 'forms-kept'
const eventName = 'alliance:forms-kept'

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
  window.dispatchEvent(new Event(eventName))
}

const subscribe = (changed: () => void) => {
  window.addEventListener(eventName, changed)
  window.addEventListener('storage', changed)
  return () => {
    window.removeEventListener(eventName, changed)
    window.removeEventListener('storage', changed)
  }
}

/** Follows other tabs too. */
export const useFormsKept = () => useSyncExternalStore(subscribe, areFormsKept, () => false)
