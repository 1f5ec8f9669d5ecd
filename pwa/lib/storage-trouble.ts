import { useSyncExternalStore } from 'react'

/**
 * What keeps this page from its phone's databases. `broken`: one can't be opened or read. `blocked`: a tab of ours with an older
 * version holds it. `full`: there's no room. `old`: this tab has the older version. `back`: it opened after all, too late for this
 * page.
 */
export type StorageTrouble = 'broken' | 'blocked' | 'full' | 'old' | 'back'

let trouble: StorageTrouble | null = null
const listeners = new Set<() => void>()

/** `broken` is told of whatever has no other cause, and so it doesn't take the place of one that's known. Null: no trouble. */
export function tellStorageTrouble(next: StorageTrouble | null): void {
  if (next === 'broken' && trouble !== null) return
  trouble = next
  for (const changed of listeners) changed()
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed)
  return () => {
    listeners.delete(changed)
  }
}

export const useStorageTrouble = (): StorageTrouble | null =>
  useSyncExternalStore(
    subscribe,
    () => trouble,
    () => null,
  )
