import { useSyncExternalStore } from 'react'
import { createStorageSignal, deviceStorage } from './storage.ts'

/** A local storage key, which a logout keeps. */
export const unwipedKey = 'unwiped'

const { notify, subscribe } = createStorageSignal('alliance:unwiped')

const storePrefix = 'alliance-member-'

/** The name of a member's database. */
export const storeName = (memberId: string) => `${storePrefix}${memberId}`

const read = (): string[] => deviceStorage.getItem(unwipedKey)?.split(' ') ?? []

/**
 * What a logout couldn't delete from this device: `caches`, `films`, `forms`, or the name of a member's database. The next opening
 * tries again, and the person is told meanwhile.
 */
export const unwiped = {
  read,
  members: () => read().flatMap((name) => (name.startsWith(storePrefix) ? [name.slice(storePrefix.length)] : [])),
  note: (name: string, isLeft: boolean) => {
    const names = read()
    if (names.includes(name) === isLeft) return
    const next = isLeft ? [...names, name] : names.filter((one) => one !== name)
    if (next.length > 0) deviceStorage.setItem(unwipedKey, next.join(' '))
    else deviceStorage.removeItem(unwipedKey)
    // Not in the service worker.
    if ('window' in globalThis) notify()
  },
}

/** Whether a logout couldn't wipe this member's store yet. Then nobody is shown it before its member has logged in again. */
export const isUnwiped = (memberId: string) => read().includes(storeName(memberId))

/** The names, with spaces between; null if nothing is left. Follows other tabs too. */
export const useUnwiped = () =>
  useSyncExternalStore(
    subscribe,
    () => deviceStorage.getItem(unwipedKey),
    () => null,
  )
