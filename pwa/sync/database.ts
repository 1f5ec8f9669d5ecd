import Dexie from 'dexie'
import { tellStorageTrouble } from '#pwa/lib/storage-trouble.ts'
import { coalesce } from './scheduler.ts'
import type { DatabaseOptions, Factory } from './spare.ts'
import { followed, hasEnded, withShortTransactions } from './transactions.ts'

/**
 * `strict`: a tick shown as saved survives a flat battery. A database that another tab deletes stays closed here. By default Dexie
 * would recreate it, empty, under the name of a member who has logged out.
 */
export function openDatabase(name: string, { spare, ...options }: DatabaseOptions): Dexie {
  const source = options.indexedDB ?? browserFactory()
  const followable = source && followed(source)
  const own = spare?.over(name, followable) ?? (followable ? { indexedDB: followable } : {})
  const dexie = new Dexie(name, { cache: 'disabled', chromeTransactionDurability: 'strict', ...options, ...own })
  dexie.on('versionchange', ({ newVersion }) => {
    if (newVersion) tellStorageTrouble('old')
    dexie.close({ disableAutoOpen: true })
    return false
  })
  return withShortTransactions(dexie, spare)
}

/** Where the person has blocked storage, asking for it throws in some browsers. Dexie asks too, and would wait for ever. */
function browserFactory(): Factory | undefined {
  try {
    return globalThis.indexedDB
  } catch {
    Object.defineProperty(globalThis, 'indexedDB', { value: undefined, configurable: true })
    return undefined
  }
}

/**
 * Reports an error, unless the database was closed meanwhile: that's how a logout, here or in another tab, stops current reads and
 * writes.
 */
export function reportUnlessClosed(error: unknown): void {
  if (!isClosing(error)) reportError(error)
}

export const isClosing = (error: unknown) => error instanceof Error && error.name === Dexie.errnames.DatabaseClosed

export type Watcher<Result> = {
  changed(result: Result): void
  failed(error: unknown): void
  /** What's here now is known, so the first read comes after the first change. */
  isKnown?: boolean
}

/**
 * Reads now and after every change of the database, including by other tabs, until the returned function is called. Uses Dexie's
 * event instead of its liveQuery: a liveQuery that's cut off, as every logout does, can leave its read-only context to whatever
 * runs next, which then can't write (seen with Dexie 4.4.7).
 */
export function watchDatabase<Result>(
  dexie: Dexie,
  read: () => Promise<Result>,
  { changed, failed, isKnown = false }: Watcher<Result>,
): () => void {
  let isOver = false
  const reads = coalesce(
    async () => {
      const result = await read()
      if (!isOver) changed(result)
    },
    () => {},
  )
  const pulse = pulseOf(dexie)
  const readNow = () =>
    reads.request().catch((error: unknown) => {
      // If closing the database cut off this read, nobody needs it any more.
      if (!isOver && !hasEnded(dexie)) failed(error)
    })
  pulse.readers.add(readNow)
  const first = isKnown ? undefined : setTimeout(() => pulse.read([readNow]))
  return () => {
    isOver = true
    clearTimeout(first)
    pulse.readers.delete(readNow)
    if (pulse.readers.size === 0) pulse.stop()
  }
}

/**
 * The shortest time between two reads, and how many times as long as a read it is. A sync writes in several steps, most of them
 * change nothing on screen, and a slow phone has other things to do. The longest rest is for a page that was left, or a phone that
 * slept, in the middle of a read: it took that long by the clock alone.
 */
const restMs = 250
const restFactor = 5
const longestRestMs = 1_000

type Reader = () => Promise<void>
type Pulse = { readers: Set<Reader>; read(readers: Iterable<Reader>): void; stop(): void }
const pulses = new WeakMap<Dexie, Pulse>()

/** All that follow a database read in the same moment, and so in one transaction. A change after a quiet moment shows straight away. */
function pulseOf(dexie: Dexie): Pulse {
  const known = pulses.get(dexie)
  if (known) return known
  const readers = new Set<Reader>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = Number.NEGATIVE_INFINITY
  const read: Pulse['read'] = (asked) => {
    const begun = performance.now()
    dueAt = begun + restMs
    Promise.all([...asked].map((one) => one())).then(() => {
      const ended = performance.now()
      dueAt = Math.max(dueAt, Math.min(begun + restFactor * (ended - begun), ended + longestRestMs))
    })
  }
  const readSoon = () => {
    // In a task of its own: the event comes in the middle of another transaction. After a burst of them they read once.
    timer ??= setTimeout(
      () => {
        timer = undefined
        if (performance.now() < dueAt) readSoon()
        else read(readers)
      },
      Math.max(0, dueAt - performance.now()),
    )
  }
  const ownParts = `idb://${dexie.name}/`
  const onMutation = (parts: object) => {
    if ('all' in parts || Object.keys(parts).some((part) => part.startsWith(ownParts))) readSoon()
  }
  Dexie.on.storagemutated.subscribe(onMutation)
  const stop = () => {
    clearTimeout(timer)
    Dexie.on.storagemutated.unsubscribe(onMutation)
    pulses.delete(dexie)
  }
  const pulse: Pulse = { readers, read, stop }
  pulses.set(dexie, pulse)
  return pulse
}
