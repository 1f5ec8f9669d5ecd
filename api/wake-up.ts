import type { Sqlite } from '#api/db/open.ts'

type HasDatabase = { sqlite: Sqlite }
type Listener = () => void

/** Lets a job hear that there's work. Listeners are kept by database connection, which a context's copies share. */
export function createWakeUp() {
  const listeners = new WeakMap<Sqlite, Set<Listener>>()
  const woken = new WeakSet<Sqlite>()
  return {
    /** Calls `listener` soon after `wake`. Returns the unsubscribe function. */
    subscribe({ sqlite }: HasDatabase, listener: Listener): () => void {
      const known = listeners.get(sqlite) ?? new Set()
      listeners.set(sqlite, known.add(listener))
      return () => {
        known.delete(listener)
      }
    },
    /** Calls the listeners once per turn of the event loop, after the caller's transaction. */
    wake({ sqlite }: HasDatabase): void {
      if (!listeners.get(sqlite)?.size || woken.has(sqlite)) return
      woken.add(sqlite)
      setImmediate(() => {
        woken.delete(sqlite)
        for (const listener of listeners.get(sqlite) ?? []) listener()
      })
    },
  }
}
