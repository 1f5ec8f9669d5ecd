import Dexie, { type DexieOptions } from 'dexie'
import { coalesce } from './scheduler.ts'

/**
 * `strict`: a tick that was shown as saved survives a flat battery. A database that another tab deletes stays closed here;
 * by default Dexie would create it again, empty, under the name of a member who has logged out.
 */
export function openDatabase(name: string, options: DexieOptions): Dexie {
  const dexie = new Dexie(name, { cache: 'disabled', chromeTransactionDurability: 'strict', ...options })
  dexie.on('versionchange', () => {
    dexie.close({ disableAutoOpen: true })
    return false
  })
  return dexie
}

/**
 * Reports what failed, unless the database was closed under it: that is how a logout, here or in another tab, ends whatever
 * is being read or written just then.
 */
export function reportUnlessClosed(error: unknown): void {
  if (!(error instanceof Error && error.name === Dexie.errnames.DatabaseClosed)) reportError(error)
}

export type Watcher<Result> = { changed(result: Result): void; failed(error: unknown): void }

/**
 * Reads now and after every change of the database, also by other tabs, until the returned function is called. Built on
 * Dexie's event, not on its liveQuery: a query of that kind which is cut off, as every logout does, can leave its
 * read-only context to whatever runs next, which then may not write (seen with Dexie 4.4.7).
 */
export function watchDatabase<Result>(
  dexie: Dexie,
  read: () => Promise<Result>,
  { changed, failed }: Watcher<Result>,
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
  const readNow = () => {
    timer = undefined
    reads.request().catch((error: unknown) => {
      // A read that was cut off by closing the database has no reader left.
      if (!isOver && dexie.isOpen()) failed(error)
    })
  }
  // In a task of its own: the event comes in the middle of another transaction.
  const readSoon = () => {
    timer ??= setTimeout(readNow, 0)
  }
  const ownParts = `idb://${dexie.name}/`
  const onMutation = (parts: object) => {
    if ('all' in parts || Object.keys(parts).some((part) => part.startsWith(ownParts))) readSoon()
  }
  Dexie.on.storagemutated.subscribe(onMutation)
  readSoon()
  return () => {
    isOver = true
    clearTimeout(timer)
    Dexie.on.storagemutated.unsubscribe(onMutation)
  }
}
