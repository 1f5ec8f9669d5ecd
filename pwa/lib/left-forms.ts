import { useSyncExternalStore } from 'react'
import { createStorageSignal, deviceStorage } from './storage.ts'

/**
 * A key of local storage that is set when a login was ended from elsewhere, until the next one: whose forms may still wait
 * here, and which they are, once the wipe has read it.
 */
export const leftFormsKey = 'forms-left'
const signal = createStorageSignal('alliance:forms-left')

/** Null once somebody has logged in. */
export function setLeftForms(value: string | null): void {
  if (value === null) deviceStorage.removeItem(leftFormsKey)
  else deviceStorage.setItem(leftFormsKey, value)
  signal.notify()
}

/**
 * Whose writer's login was ended before it was sent: nobody here may be shown it, or put it right. The id is looked for in the
 * text, since public pages with a form would load the library of schemas for no more than this.
 */
export const isOrphanedForm = (id: string): boolean => deviceStorage.getItem(leftFormsKey)?.includes(`"${id}"`) ?? false

/** Follows other tabs too: a login may end there while this page is open. */
export const useIsLeftForm = (id: string) =>
  useSyncExternalStore(
    signal.subscribe,
    () => isOrphanedForm(id),
    () => false,
  )
