import { useSyncExternalStore } from 'react'
import { createStorageSignal, deviceStorage } from './storage.ts'

/** A key of local storage that is set while an owner views the site as a member: until when, and the member's name. */
const key = 'viewing-as'
const signal = createStorageSignal('alliance:viewing-as')

/** Null takes it away. */
export function setViewingAs(viewed: { until: string; name: string } | null): void {
  if (viewed) deviceStorage.setItem(key, JSON.stringify(viewed))
  else deviceStorage.removeItem(key)
  signal.notify()
}

/** The stored text; null for everybody but an owner who views as a member. Follows other tabs too. */
export const useViewingAs = () =>
  useSyncExternalStore(
    signal.subscribe,
    () => deviceStorage.getItem(key),
    () => null,
  )
