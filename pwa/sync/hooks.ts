import type Dexie from 'dexie'
import { createContext, useContext, useMemo, useSyncExternalStore } from 'react'
import { watchDatabase } from './database.ts'
import type { Engine } from './progress/engine.ts'
import type { SyncState } from './progress/status.ts'
import type { MemberStore } from './progress/store.ts'

/** The engine of the member who is logged in; the members' area is rendered below it. */
export const SyncContext = createContext<Engine | null>(null)

/** `toggle`, `syncNow`, `retryRefused`. */
export function useEngine(): Engine {
  const engine = useContext(SyncContext)
  if (engine === null) throw new Error('The members’ area needs a member.')
  return engine
}

/** Whether an owner views this member's area, who can tick nothing. */
export const useIsReadOnly = (): boolean => useContext(SyncContext)?.isReadOnly ?? false

/** `isOnline`: our server can be reached. With `hasNetwork` alone something else answers, such as the sign-in page of a Wi-Fi. */
export type LiveSyncState = SyncState & { hasNetwork: boolean; isOnline: boolean }

/** What the store says of sending, and whether there is signal now. */
export function useLiveSyncState(state: SyncState): LiveSyncState {
  const hasNetwork = useSyncExternalStore(
    watchNetwork,
    () => navigator.onLine,
    () => true,
  )
  return useMemo(() => ({ ...state, hasNetwork, isOnline: hasNetwork && state.isReachable }), [state, hasNetwork])
}

type Source<Result> = {
  subscribe(changed: () => void): () => void
  get(): Result | undefined
  /** Resolves with the first result. */
  begin(): Promise<void>
}

/** A reading of the member's store that screens follow through every change, also by other tabs. */
export function createLive<Result>(read: (store: MemberStore) => Promise<Result>) {
  const sources = new WeakMap<Dexie, Source<Result>>()
  const sourceOf = (store: MemberStore) => {
    const source = sources.get(store.dexie) ?? createSource(store, read)
    sources.set(store.dexie, source)
    return source
  }
  return {
    /** Reads before the screen is there, which then comes with what was found. */
    begin: (store: MemberStore) => sourceOf(store).begin(),
    /** Undefined until the store was read. */
    use: (): Result | undefined => {
      const source = sourceOf(useEngine().store)
      return useSyncExternalStore(source.subscribe, source.get, () => undefined)
    },
  }
}

/** Follows the store while somebody listens, and from `begin` on until the first who listens has left. */
function createSource<Result>(store: MemberStore, read: (store: MemberStore) => Promise<Result>): Source<Result> {
  const listeners = new Set<() => void>()
  let current: Result | undefined
  let stop: (() => void) | null = null
  const watch = () => {
    stop ??= watchDatabase(store.dexie, () => read(store), {
      changed: (result) => {
        current = result
        for (const changed of listeners) changed()
      },
      failed: reportError,
    })
  }
  return {
    get: () => current,
    begin: () => {
      watch()
      if (current !== undefined) return Promise.resolve()
      return new Promise((resolve) => {
        const arrived = () => {
          listeners.delete(arrived)
          resolve()
        }
        listeners.add(arrived)
      })
    },
    subscribe: (changed) => {
      listeners.add(changed)
      watch()
      return () => {
        listeners.delete(changed)
        if (listeners.size > 0) return
        stop?.()
        stop = null
        current = undefined
      }
    },
  }
}

function watchNetwork(changed: () => void): () => void {
  globalThis.addEventListener('online', changed)
  globalThis.addEventListener('offline', changed)
  return () => {
    globalThis.removeEventListener('online', changed)
    globalThis.removeEventListener('offline', changed)
  }
}
