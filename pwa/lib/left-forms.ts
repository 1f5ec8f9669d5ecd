import { useSyncExternalStore } from 'react'
import { createStorageSignal, deviceStorage } from './storage.ts'

/**
 * A local storage key set when another device ended a login, until the next one. It marks that the person's forms may still be
 * here, and once the wipe has read them, which.
 */
export const leftFormsKey = 'forms-left'
const signal = createStorageSignal('alliance:forms-left')

/** Null once someone has logged in. */
export function setLeftForms(value: string | null): void {
  if (value === null) deviceStorage.removeItem(leftFormsKey)
  else deviceStorage.setItem(leftFormsKey, value)
  signal.notify()
}

/**
 * Whether the form's author had their login ended before we sent it: nobody here may see or correct it. Searches the text for the
 * id, because parsing it would make public pages load the schema library.
 */
export const isOrphanedForm = (id: string): boolean => deviceStorage.getItem(leftFormsKey)?.includes(`"${id}"`) ?? false

/** Follows other tabs too, because a login may end there while this page is open. */
export const useIsLeftForm = (id: string) =>
  useSyncExternalStore(
    signal.subscribe,
    () => isOrphanedForm(id),
    () => false,
  )
