import type { DexieOptions } from 'dexie'
import type { StorageTrouble } from '#pwa/lib/storage-trouble.ts'

// A browser may not open its databases, or take nothing more: a damaged profile, a full disk, an older tab that won't let go. Then
// the same code works on databases in memory, for as long as the page lives: what's shown comes from the server, and what's done
// goes straight there.

export type Factory = Pick<IDBFactory, 'open' | 'deleteDatabase' | 'databases' | 'cmp'>
type Ranges = Pick<typeof IDBKeyRange, 'bound' | 'only' | 'lowerBound' | 'upperBound'>
type Memory = { indexedDB: Factory; IDBKeyRange: Ranges }

/** `spare`: what takes the place of a database that fails; none in tests and workers. */
export type DatabaseOptions = Omit<DexieOptions, 'indexedDB'> & { indexedDB?: Factory; spare?: Spare }

export type Spare = {
  /** Whether the database of this name is in memory. */
  has(name: string): boolean
  /** Makes ready for `add`, and tells the person. Rejects if it can't be in memory. */
  load(name: string, why: StorageTrouble): Promise<void>
  /** From its next opening on, it's in memory. */
  add(name: string): void
  /** The options of this database. `source`: the browser's own factory; undefined if it gives none. */
  over(name: string, source: Factory | undefined): Required<Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>>
  /**
   * Whether this database, once used, can't go on empty. Then the page starts again: `isInMemory` if that can't be read, and
   * without if it's gone. Nothing asked of the database is answered meanwhile.
   */
  restarts(name: string, how: { isInMemory: boolean }): boolean
  /** It's closed for good: what it held isn't shown any more. */
  forget(name: string): void
}

type Parts = {
  load(): Promise<Memory>
  tell(trouble: StorageTrouble): void
  restart(how: { isInMemory: boolean }): void
  /** Whether this page shows what the database holds. */
  isShown(name: string): boolean
  /** False for one that mustn't be in memory: then it fails, though within four seconds. */
  isReplaced(name: string): boolean
  /** Every database is in memory from the start. */
  isNeeded: boolean
}

/** How long a database may take to open. Counted in steps, since a suspended page's timers all run when it's woken. */
const stepMs = 500
const mostSteps = 6
/** Once one of them has taken too long. */
const fewSteps = 1

/** A browser's error may pass: another process has just died, say. */
const retryMs = 300

type State = Parts & { names: Set<string>; opened: Set<string>; memory: Memory | undefined; patience: number }

export function createSpare(parts: Parts): Spare {
  const state: State = { ...parts, names: new Set(), opened: new Set(), memory: undefined, patience: mostSteps }
  const ranges = (name: string) => (has(state, name) && state.memory ? state.memory : globalThis).IDBKeyRange
  return {
    has: (name) => has(state, name),
    load: (name, why) => load(state, name, why),
    add: (name) => void state.names.add(name),
    restarts: (name, how) => restarts(state, name, how),
    forget: (name) => void state.opened.delete(name),
    over: (name, source) => ({
      indexedDB: {
        open: (one: string, version?: number) => openEither(state, source, { name: one, version }),
        deleteDatabase: () => {
          const inMemory = state.memory?.indexedDB.deleteDatabase(name)
          return source?.deleteDatabase(name) ?? inMemory
        },
        databases: () => source?.databases() ?? Promise.resolve([]),
        cmp: (one: unknown, other: unknown) => (source ?? state.memory?.indexedDB)?.cmp(one, other) ?? 0,
      },
      IDBKeyRange: {
        bound: (...range: Parameters<Ranges['bound']>) => ranges(name).bound(...range),
        only: (value: unknown) => ranges(name).only(value),
        lowerBound: (...range: Parameters<Ranges['lowerBound']>) => ranges(name).lowerBound(...range),
        upperBound: (...range: Parameters<Ranges['upperBound']>) => ranges(name).upperBound(...range),
      },
    }),
  }
}

const has = ({ isNeeded, names }: State, name: string) => isNeeded || names.has(name)

async function load(state: State, name: string, why: StorageTrouble): Promise<void> {
  if (!state.names.has(name)) state.tell(why)
  if (!state.isReplaced(name)) throw new DOMException('It isn’t kept in memory.', 'NotSupportedError')
  state.memory ??= await state.load()
}

function restarts({ isShown, opened, restart }: State, name: string, how: { isInMemory: boolean }): boolean {
  const isLost = isShown(name) && opened.has(name)
  if (isLost) restart(how)
  return isLost
}

type Wanted = { name: string; version: number | undefined }
type Opening = { state: State; source: Factory | undefined; wanted: Wanted; relay: Relay }

function openEither(state: State, source: Factory | undefined, wanted: Wanted): Relayed {
  const relay = createRelay()
  const opening = { state, source, wanted, relay }
  if (has(state, wanted.name)) openInMemory(opening, 'broken')
  else openStored(opening, { isLast: false })
  return relay.request
}

function openInMemory({ state, wanted: { name, version }, relay }: Opening, why: StorageTrouble, error?: unknown) {
  if (!has(state, name) && restarts(state, name, { isInMemory: true })) return
  load(state, name, why).then(
    () => {
      state.names.add(name)
      relay.follow(state.memory?.indexedDB.open(name, version) ?? null)
    },
    (reason: unknown) => relay.fail(error ?? reason),
  )
}

function openStored(opening: Opening, { isLast }: { isLast: boolean }): void {
  const { state, wanted, relay } = opening
  let request: IDBOpenDBRequest
  try {
    request = beginOpening(opening)
  } catch (error) {
    openInMemory(opening, 'broken', error)
    return
  }
  let isBlocked = false
  let upgrade: IDBTransaction | null = null
  const stop = afterSteps(state.patience, async () => {
    isBlocked ||= upgrade === null && (await isOlder(opening))
    // What came meanwhile counts.
    if (upgrade === null && request.readyState === 'done') return
    state.patience = fewSteps
    abandon(request, () => state.tell('back'))
    relay.follow(null)
    openInMemory(opening, isBlocked ? 'blocked' : 'broken')
  })
  request.addEventListener('blocked', () => {
    isBlocked = true
  })
  request.addEventListener('upgradeneeded', ({ oldVersion }) => {
    upgrade = request.transaction
    // The browser has cleared what this page had open.
    if (oldVersion > 0 || !restarts(state, wanted.name, { isInMemory: false })) return
    relay.follow(null)
    upgrade?.abort()
  })
  request.addEventListener('success', () => {
    stop()
    state.opened.add(wanted.name)
  })
  relay.follow(request, (event) => {
    stop()
    return mendOpening(opening, { event, isLast, errors: [request.error, upgrade?.error ?? null] })
  })
}

/**
 * Only a tab that won't let go keeps an older version as it is. A browser tells the opening that's first in line alone, which may be
 * one of a page that's gone.
 */
const isOlder = ({ source, wanted: { name, version = 0 } }: Opening) =>
  Promise.race([
    source?.databases().then((all) => all.some((one) => one.name === name && (one.version ?? 0) < version)),
    new Promise<false>((resolve) => afterSteps(1, () => resolve(false))),
  ]).then(
    (isIt) => isIt === true,
    () => false,
  )

function beginOpening({ source, wanted: { name, version } }: Opening): IDBOpenDBRequest {
  if (source === undefined) throw new DOMException('This browser has no databases.', 'InvalidStateError')
  return version === undefined ? source.open(name) : source.open(name, version)
}

type Failure = { event: Event; isLast: boolean; errors: [DOMException | null, upgrade: DOMException | null] }

/** False for what Dexie sees to, and for what was cut off because the page is left. */
function mendOpening(opening: Opening, { event, isLast, errors }: Failure): boolean {
  const [error, upgrade] = errors
  if (error?.name === 'VersionError' || (error?.name === 'AbortError' && upgrade === null)) return false
  event.preventDefault()
  opening.relay.follow(null)
  const isFull = errors.some((one) => one?.name === 'QuotaExceededError')
  if (isFull || isLast) openInMemory(opening, isFull ? 'full' : 'broken', error)
  else setTimeout(() => openStored(opening, { isLast: true }), retryMs)
  return true
}

const kinds = ['upgradeneeded', 'blocked', 'success', 'error'] as const

type Relayed = Record<`on${(typeof kinds)[number]}`, ((event: unknown) => void) | null> & {
  result: IDBDatabase | undefined
  transaction: IDBTransaction | null
}

type Relay = ReturnType<typeof createRelay>

/** What Dexie holds as its request, whichever database answers it. */
function createRelay() {
  const request: Relayed = {
    onupgradeneeded: null,
    onblocked: null,
    onsuccess: null,
    onerror: null,
    result: undefined,
    transaction: null,
  }
  let followed: IDBOpenDBRequest | null = null
  return {
    request,
    /** `mends`: whether an error has been seen to. */
    follow: (next: IDBOpenDBRequest | null, mends: (event: Event) => boolean = () => false) => {
      followed = next
      for (const kind of kinds) {
        next?.addEventListener(kind, (event: Event) => {
          if (followed !== next || (kind === 'error' && mends(event))) return
          if (kind === 'success' || kind === 'upgradeneeded') request.result = next.result
          request.transaction = next.transaction
          request[`on${kind}`]?.(event)
        })
      }
    },
    fail: (error: unknown) => {
      request.onerror?.({ target: { error } })
    },
  }
}

/** It can't be called off, so what it opens is closed, and what it begins undone. */
function abandon(request: IDBOpenDBRequest, opened: () => void): void {
  request.addEventListener('upgradeneeded', () => {
    request.transaction?.abort()
    // It would have opened, so there's nothing in the way any more.
    opened()
  })
  request.addEventListener('error', (event) => event.preventDefault())
  request.addEventListener('success', () => {
    request.result.close()
    opened()
  })
}

/** Runs once a database has taken too long to open. The returned function calls it off. */
export const whenLate = (run: () => void): (() => void) => afterSteps(mostSteps, run)

function afterSteps(count: number, run: () => void): () => void {
  let left = count
  const timer = setInterval(() => {
    left -= 1
    if (left > 0) return
    clearInterval(timer)
    run()
  }, stepMs)
  return () => clearInterval(timer)
}
