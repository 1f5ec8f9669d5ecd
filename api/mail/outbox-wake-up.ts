import type { Sqlite } from '#api/db/open.ts'

type Listener = () => void

/** Listeners by database connection, which a context's copies share. */
const listeners = new WeakMap<Sqlite, Set<Listener>>()
const woken = new WeakSet<Sqlite>()

/** Calls `listener` soon after mail is queued. Returns the unsubscribe function. */
export function onMailQueued(ctx: { sqlite: Sqlite }, listener: Listener): () => void {
  const known = listeners.get(ctx.sqlite) ?? new Set()
  listeners.set(ctx.sqlite, known.add(listener))
  return () => {
    known.delete(listener)
  }
}

/** Calls the listeners once per turn of the event loop, after the caller's transaction. */
export function wakeOutbox({ sqlite }: { sqlite: Sqlite }): void {
  if (!listeners.get(sqlite)?.size || woken.has(sqlite)) return
  woken.add(sqlite)
  setImmediate(() => {
    woken.delete(sqlite)
    for (const listener of listeners.get(sqlite) ?? []) listener()
  })
}
