import { liveQuery } from 'dexie'

/**
 * Reads now and after every change, also of other tabs, until the returned function is called. The one place that makes
 * a live query: Dexie must be given an async function, or the awaits in it take a transaction that runs beside it out
 * of its zone, which then commits too early.
 */
export function follow<Result>(read: () => Promise<Result>, changed: (result: Result) => void): () => void {
  const subscription = liveQuery(async () => read()).subscribe(changed)
  return () => subscription.unsubscribe()
}
