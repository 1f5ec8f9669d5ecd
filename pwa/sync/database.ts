import Dexie, { type DexieOptions } from 'dexie'
import { coalesce } from './scheduler.ts'
import { followed, hasEnded, withShortTransactions } from './transactions.ts'

/**
 * `strict`: a tick shown as saved survives a flat battery. A database that another tab deletes stays closed here. By default Dexie
 * would recreate it, empty, under the name of a member who has logged out.
 */
export function openDatabase(name: string, options: DexieOptions): Dexie {
  const source = options.indexedDB ?? globalThis.indexedDB
  const own = source === undefined ? {} : { indexedDB: followed(source) }
  const dexie = new Dexie(name, { cache: 'disabled', chromeTransactionDurability: 'strict', ...options, ...own })
  dexie.on('versionchange', () => {
    dexie.close({ disableAutoOpen: true })
    return false
  })
  return withShortTransactions(dexie)
}

/**
 * Reports an error, unless the database was closed meanwhile: that's how a logout, here or in another tab, stops current reads and
 * writes.
 */
export function reportUnlessClosed(error: unknown): void {
  if (!(error instanceof Error && error.name === Dexie.errnames.DatabaseClosed)) reportError(error)
}

export type Watcher<Result> = {
  changed(result: Result): void
  failed(error: unknown): void
  /** The shortest time between two reads. A change after a quiet moment shows straight away. */
  restMs?: number
}

/**
 * Reads now and after every change of the database, including by other tabs, until the returned function is called. Uses Dexie's
 * event instead of its liveQuery: a liveQuery that's cut off, as every logout does, can leave its read-only context to whatever
 * runs next, which then can't write (seen with Dexie 4.4.7).
 */
export function watchDatabase<Result>(
  dexie: Dexie,
  read: () => Promise<Result>,
  { changed, failed, restMs = 0 }: Watcher<Result>,
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
  let readAt = Number.NEGATIVE_INFINITY
  const readNow = () => {
    timer = undefined
    readAt = performance.now()
    reads.request().catch((error: unknown) => {
      // If closing the database cut off this read, nobody needs it any more.
      if (!isOver && !hasEnded(dexie)) failed(error)
    })
  }
  // In a task of its own: the event comes in the middle of another transaction. After a burst of them it reads once.
  const readSoon = () => {
    timer ??= setTimeout(readNow, Math.max(0, readAt + restMs - performance.now()))
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
