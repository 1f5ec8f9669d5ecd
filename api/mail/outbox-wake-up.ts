import type { Sqlite } from '#api/db/open.ts'

type Listener = () => void

/** Who waits for new mail, per database connection, which copies of a context share. */
const listeners = new WeakMap<Sqlite, Set<Listener>>()
const called = new WeakSet<Sqlite>()

/** Calls `listener` soon after mail is queued; answers how to stop that. */
export function onMailQueued(ctx: { sqlite: Sqlite }, listener: Listener): () => void {
  const known = listeners.get(ctx.sqlite) ?? new Set()
  listeners.set(ctx.sqlite, known.add(listener))
  return () => {
    known.delete(listener)
  }
}

/** Says that mail is waiting. Once per turn of the event loop, after the caller's transaction has ended. */
export function wakeMail({ sqlite }: { sqlite: Sqlite }): void {
  if (!listeners.get(sqlite)?.size || called.has(sqlite)) return
  called.add(sqlite)
  setImmediate(() => {
    called.delete(sqlite)
    for (const listener of listeners.get(sqlite) ?? []) listener()
  })
}
