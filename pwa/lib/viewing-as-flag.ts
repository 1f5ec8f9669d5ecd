import { useSyncExternalStore } from 'react'
import { createStorageSignal, deviceStorage } from './storage.ts'

/** A local storage key set while an owner views the site as a member: the end of the view, and the member's name. */
const key = 'viewing-as'
const signal = createStorageSignal('alliance:viewing-as')

export function setViewingAs(viewed: { until: string; name: string } | null): void {
  if (viewed) deviceStorage.setItem(key, JSON.stringify(viewed))
  else deviceStorage.removeItem(key)
  signal.notify()
}

/** The stored text; null unless an owner is viewing as a member. Follows other tabs too. */
export const useViewingAs = () =>
  useSyncExternalStore(
    signal.subscribe,
    () => deviceStorage.getItem(key),
    () => null,
  )
