import Dexie from 'dexie'
import type { Spare } from './spare.ts'

const storeFaults = ['UnknownError', 'InvalidStateError', 'AbortError', 'QuotaExceededError', 'TimeoutError']
const openFaults = ['OpenFailedError', 'DatabaseClosedError', 'MissingAPIError', 'SecurityError']
const faults = new Set([...storeFaults, ...openFaults])

function* causesOf(error: unknown): Generator<Error> {
  if (!(error instanceof Error || error instanceof DOMException)) return
  yield error
  if ('inner' in error) yield* causesOf(error.inner)
  if ('failures' in error && Array.isArray(error.failures)) yield* causesOf(error.failures[0])
}

/** Whether the browser's database failed, and not what was asked of it. */
export const isStoreFault = (error: unknown): boolean => [...causesOf(error)].some(({ name }) => faults.has(name))

const isFull = (error: unknown) => [...causesOf(error)].some(({ name }) => name === 'QuotaExceededError')

export type Mending = ReturnType<typeof createMending>

/** How long a failing database gets to say what's in it. */
const copyMs = 2_000

/** `cutOff`: ends the database's open transactions, which are then done again. */
type MendingParts = { dexie: Dexie; spare: Spare; isOver: () => boolean; cutOff: () => void }

/**
 * For a database that fails in the middle of its use: a connection the browser has lost is opened again once, and then, or where
 * there's no room, the database goes on in memory with what could still be read.
 */
export function createMending({ dexie, spare, isOver, cutOff }: MendingParts) {
  let round = 0
  let moving: Promise<boolean> | null = null

  const move = async (error: unknown) => {
    await spare.load(dexie.name, isFull(error) ? 'full' : 'broken')
    const rows = await readAll(dexie)
    if (rows === null && spare.restarts(dexie.name, { isInMemory: true })) return new Promise<never>(() => {})
    if (isOver()) return false
    // In the turn in which the reading ended: nothing may be written to what's left behind.
    spare.add(dexie.name)
    round += 1
    cutOff()
    dexie.close({ disableAutoOpen: false })
    // Before anything else gets in: what's written first would take the numbers of what's copied.
    if (rows !== null) dexie.on('ready', () => fill(dexie, rows))
    return true
  }

  return {
    round: () => round,
    /** Whether work that failed is worth another try. `round` as it was when the work began. */
    mend: async (error: unknown, work: { round: number; tries: number }): Promise<boolean> => {
      if (!isStoreFault(error)) return false
      if (work.round !== round) return true
      if (spare.has(dexie.name)) return false
      if (work.tries === 0 && !isFull(error)) {
        round += 1
        dexie.close({ disableAutoOpen: false })
        return true
      }
      moving ??= move(error)
        .catch(() => false)
        .finally(() => {
          moving = null
        })
      return moving
    },
  }
}

const fill = (dexie: Dexie, rows: unknown[][]) =>
  Dexie.prototype.transaction.call(dexie, 'rw', dexie.tables, () =>
    Promise.all(dexie.tables.map((table, index) => table.bulkPut(rows[index] ?? []))),
  )

/** Null if it can't be read. */
const readAll = (dexie: Dexie) =>
  Promise.race([
    Dexie.prototype.transaction.call(dexie, 'r', dexie.tables, () =>
      Promise.all(dexie.tables.map((table): PromiseLike<unknown[]> => table.toArray())),
    ),
    new Promise<null>((resolve) => setTimeout(() => resolve(null), copyMs)),
  ]).catch(() => null)
