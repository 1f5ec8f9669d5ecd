import Dexie from 'dexie'
import { coalesce } from './coalesce.ts'

export type Follower<Result> = { changed(result: Result): void; failed(error: unknown): void }

/**
 * Reads now and after every change of the database, also by other tabs, until the returned function is called. Built on
 * Dexie's event, not on its liveQuery: a query of that kind which is cut off, as every logout does, can leave its
 * read-only context to whatever runs next, which then may not write (seen with Dexie 4.4.7).
 */
export function follow<Result>(
  dexie: Dexie,
  read: () => Promise<Result>,
  { changed, failed }: Follower<Result>,
): () => void {
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const reads = coalesce(
    async () => {
      const result = await read()
      if (!isOver) changed(result)
    },
    () => {},
  )
  const look = () => {
    timer = undefined
    reads.ask().catch((error: unknown) => {
      // A store that was closed under a read has nobody left to show it to.
      if (!isOver && dexie.isOpen()) failed(error)
    })
  }
  // In a task of its own: the event comes in the middle of somebody's transaction.
  const lookSoon = () => {
    timer ??= setTimeout(look, 0)
  }
  const mine = `idb://${dexie.name}/`
  const listen = (parts: object) => {
    if ('all' in parts || Object.keys(parts).some((part) => part.startsWith(mine))) lookSoon()
  }
  Dexie.on.storagemutated.subscribe(listen)
  lookSoon()
  return () => {
    isOver = true
    clearTimeout(timer)
    Dexie.on.storagemutated.unsubscribe(listen)
  }
}
