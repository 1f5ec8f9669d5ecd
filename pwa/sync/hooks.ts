import { createContext, useContext, useMemo, useSyncExternalStore } from 'react'
import type * as v from 'valibot'
import type { MemberVideo } from '#shared/contract/video.ts'
import { watchDatabase } from './database.ts'
import type { Engine } from './progress/engine.ts'
import { readSavedAt, readSnapshot, readVideos } from './progress/snapshots.ts'
import { readProgress, readSyncState, type ShownProgress, type SyncState } from './progress/status.ts'

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

/** Undefined until the device's store was read. Follows every change, also of other tabs. */
export function useProgress(): ReadonlyMap<string, ShownProgress> | undefined {
  return useLive(readProgress)
}

/** `isOnline`: our server can be reached. With `hasNetwork` alone something else answers, such as the sign-in page of a Wi-Fi. */
export type LiveSyncState = SyncState & { hasNetwork: boolean; isOnline: boolean }

export function useSyncState(): LiveSyncState | undefined {
  const state = useLive(readSyncState)
  const hasNetwork = useSyncExternalStore(
    watchNetwork,
    () => navigator.onLine,
    () => true,
  )
  return useMemo(
    () => state && { ...state, hasNetwork, isOnline: hasNetwork && state.isReachable },
    [state, hasNetwork],
  )
}

export function useVideos(): MemberVideo[] | undefined {
  return useLive(readVideos)
}

/** A cached response; null where there is none. `schema` must not change between renders. */
export function useSnapshot<Schema extends v.GenericSchema>(
  name: string,
  schema: Schema,
): v.InferOutput<Schema> | null | undefined {
  return useLive(useMemo(() => (store: Engine['store']) => readSnapshot(store, name, schema), [name, schema]))
}

/** When the cached response came. */
export function useSavedAt(name: string): number | null | undefined {
  return useLive(useMemo(() => (store: Engine['store']) => readSavedAt(store, name), [name]))
}

/** The newest result of a read, repeated whenever the store changes. `read` must not change between renders. */
function useLive<Result>(read: (store: Engine['store']) => Promise<Result>): Result | undefined {
  const { store } = useEngine()
  const source = useMemo(() => {
    let current: Result | undefined
    const subscribe = (changed: () => void) =>
      watchDatabase(store.dexie, () => read(store), {
        changed: (result) => {
          current = result
          changed()
        },
        failed: reportError,
      })
    return { subscribe, get: () => current }
  }, [store, read])
  return useSyncExternalStore(source.subscribe, source.get, () => undefined)
}

function watchNetwork(changed: () => void): () => void {
  globalThis.addEventListener('online', changed)
  globalThis.addEventListener('offline', changed)
  return () => {
    globalThis.removeEventListener('online', changed)
    globalThis.removeEventListener('offline', changed)
  }
}
