import { useSyncExternalStore } from 'react'
import { deviceStorage, ownPagesKey } from './storage.ts'

/** Opened from the home screen, a dock or a start menu. Older Safari has a word of its own for it. */
export const isStandalone = (): boolean =>
  window.matchMedia('(display-mode: standalone)').matches ||
  ('standalone' in navigator && navigator.standalone === true)

/** A local storage key, so that a logout doesn't ask again. */
export const installLaterKey = 'install-later'

/** After this long away, a new visit starts. */
const awayMs = 4 * 60 * 60_000

/** On a member's second visit, they've seen what it's good for. */
export const isInstallDue = (): boolean =>
  deviceStorage.getItem(installLaterKey) === null &&
  Date.now() - Number(deviceStorage.getItem(ownPagesKey) ?? Number.NaN) > awayMs &&
  !isStandalone()

/** `offer`: a video is being kept, which is better done from the home screen. `steps`: someone wants to know how. */
type Wanted = 'offer' | 'steps'

let wanted: Wanted | null = null
const listeners = new Set<() => void>()

export function wantInstall(next: Wanted | null): void {
  wanted = next
  for (const changed of listeners) changed()
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => {
    listeners.delete(changed)
  }
}

export const useWantedInstall = (): Wanted | null =>
  useSyncExternalStore(
    subscribe,
    () => wanted,
    () => null,
  )
