import type Dexie from 'dexie'
import { createContext, useContext, useMemo, useSyncExternalStore } from 'react'
import { useStorageTrouble } from '#pwa/lib/storage-trouble.ts'
import { useOnline } from '#pwa/lib/use-online.ts'
import { watchDatabase } from './database.ts'
import { isInMemory } from './platform.ts'
import type { Engine } from './progress/engine.ts'
import type { SyncState } from './progress/status.ts'
import type { MemberStore } from './progress/store.ts'

/** The logged-in member's engine; the members' area renders below it. */
export const SyncContext = createContext<Engine | null>(null)

/** `toggle`, `syncNow`, `retryRefused`. */
export function useEngine(): Engine {
  const engine = useContext(SyncContext)
  if (engine === null) throw new Error('The members’ area needs a member.')
  return engine
}

export const useIsReadOnly = (): boolean => useContext(SyncContext)?.isReadOnly ?? false

/** Whether what's written here outlives this page. Not where the browser's databases fail. */
export function useIsKept(): boolean {
  const { platform, store } = useEngine()
  useStorageTrouble()
  return !isInMemory(platform, store)
}

/** `isOnline`: we can reach our server. With only `hasNetwork` something else responds, such as a Wi-Fi sign-in page. */
export type LiveSyncState = SyncState & { hasNetwork: boolean; isOnline: boolean }

export function useLiveSyncState(state: SyncState): LiveSyncState {
  const hasNetwork = useOnline()
  return useMemo(() => ({ ...state, hasNetwork, isOnline: hasNetwork && state.isReachable }), [state, hasNetwork])
}

type Source<Result> = {
  subscribe(changed: () => void): () => void
  get(): Result | undefined
  begin(): Promise<void>
}

/** A query of the member's store that screens follow through every change, including by other tabs. */
export function createLive<Result>(read: (store: MemberStore) => Promise<Result>) {
  const sources = new WeakMap<Dexie, Source<Result>>()
  const sourceOf = (store: MemberStore) => {
    const source = sources.get(store.dexie) ?? createSource(store, read)
    sources.set(store.dexie, source)
    return source
  }
  return {
    /** Reads before the screen mounts, so that it starts with the data. */
    begin: (store: MemberStore) => sourceOf(store).begin(),
    /** Undefined until we've read the store. */
    use: (): Result | undefined => {
      const source = sourceOf(useEngine().store)
      return useSyncExternalStore(source.subscribe, source.get, () => undefined)
    },
  }
}

/** Follows the store while it has listeners, and from `begin` on until the first listener leaves. */
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
