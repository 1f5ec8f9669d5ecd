import type { Database as Sqlite, Statement } from 'better-sqlite3'
import { AppError } from '#api/errors.ts'
import { type Damageable, recordIfLost } from './damage.ts'
import { isBusyError, isStorageError } from './sqlite-errors.ts'

// SQLite allows one write transaction at a time across all programs, and its own busy wait blocks the whole process. So a server
// waits here, without blocking, and only briefly inside a statement.

type HasSqlite = { sqlite: Sqlite }

/** How long one of the server's statements waits, which is enough for a short write by the terminal. */
const statementMs = 250

/** How long a request waits to write, and a background job. */
const requestMs = 4_000
export const jobPatienceMs = 50_000

const pollMs = 20

/** Seconds after which a client may retry. */
const retryAfter = 5

/** Call it once the connection serves requests. */
export function shortenWaits({ sqlite }: HasSqlite): void {
  sqlite.pragma(`busy_timeout = ${statementMs}`)
}

/** For each locked connection, a promise that resolves when the other program lets go. */
const waits = new WeakMap<Sqlite, Promise<void>>()

/**
 * Await it before a write. Returns undefined if the database can be written now, which is nearly always. Throws `busy` if another
 * program keeps the lock for longer than `patienceMs`, and refuses if the database's file is lost.
 */
export function whenWritable(ctx: Damageable, patienceMs = requestMs): Promise<void> | undefined {
  const { sqlite } = ctx
  if (sqlite.open) recordIfLost(ctx)
  if (!waits.has(sqlite) && canBeginWrite(sqlite)) return
  const wait = waits.get(sqlite) ?? pollUntilFree(sqlite)
  waits.set(sqlite, wait)
  return countWaiting(sqlite, waitAtMost(wait, patienceMs))
}

async function countWaiting(sqlite: Sqlite, wait: Promise<void>): Promise<void> {
  waiting.set(sqlite, waitingToWrite(sqlite) + 1)
  try {
    await wait
  } finally {
    waiting.set(sqlite, waitingToWrite(sqlite) - 1)
  }
}

/** Requests and jobs that wait to write now. */
export const waitingToWrite = (sqlite: Sqlite): number => waiting.get(sqlite) ?? 0

const waiting = new WeakMap<Sqlite, number>()

async function pollUntilFree(sqlite: Sqlite): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, pollMs))
  while (!canBeginWrite(sqlite))
  waits.delete(sqlite)
}

async function waitAtMost(wait: Promise<void>, patienceMs: number): Promise<void> {
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(busyError()), patienceMs)
  try {
    await Promise.race([wait, tooLong])
  } finally {
    clearTimeout(timer)
  }
}

export const busyError = () =>
  new AppError('busy', 'We couldn’t save that. Try again in a few seconds.', { retryAfter })

/** It can’t be written now but may be later: another program keeps the lock, or the disk is full. */
export const isBusy = (error: unknown): boolean =>
  isBusyError(error) || (error instanceof AppError && error.code === 'busy')

type Trial = { begin: Statement; rollback: Statement }
const trials = new WeakMap<Sqlite, Trial>()

/** Prepared once, since it runs before every write. */
function trialOf(sqlite: Sqlite): Trial {
  const known = trials.get(sqlite)
  if (known !== undefined) return known
  const trial = { begin: sqlite.prepare('begin immediate'), rollback: sqlite.prepare('rollback') }
  trials.set(sqlite, trial)
  return trial
}

/** Tries without waiting, which would block every other request. Any other error is left for the write itself. */
function canBeginWrite(sqlite: Sqlite): boolean {
  if (sqlite.memory || !sqlite.open || sqlite.inTransaction) return true
  try {
    const { begin, rollback } = trialOf(sqlite)
    withoutWaiting(sqlite, () => begin.run())
    rollback.run()
    return true
  } catch (error) {
    return !isBusyError(error)
  }
}

/** Writes what a read records on the side, such as a visit. If the lock is taken, the next read records it. */
export function writeIfPossible({ sqlite }: HasSqlite, write: () => void): void {
  try {
    withoutWaiting(sqlite, write)
  } catch (error) {
    if (!isBusyError(error) && !isStorageError(error)) throw error
  }
}

/** The next commit that waits for the disk waits for this too. Not within a transaction. */
export function withoutDisk<Result>(sqlite: Sqlite, write: () => Result): Result {
  sqlite.pragma('synchronous = NORMAL')
  try {
    return write()
  } finally {
    sqlite.pragma('synchronous = FULL')
  }
}

export function withoutWaiting<Result>(sqlite: Sqlite, work: () => Result): Result {
  if (!sqlite.open) return work()
  const before = Number(sqlite.pragma('busy_timeout', { simple: true }))
  sqlite.pragma('busy_timeout = 0')
  try {
    return work()
  } finally {
    sqlite.pragma(`busy_timeout = ${before}`)
  }
}
