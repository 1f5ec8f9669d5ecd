import type { Database as Sqlite, Statement } from 'better-sqlite3'
import { AppError } from '#api/errors.ts'
import { type Damageable, recordIfLost } from './damage.ts'
import { isBusyError, isStorageError } from './sqlite-errors.ts'

// SQLite writes one transaction at a time, whichever program it is of, and its own wait for the others stops the whole
// process. So a server waits here, beside everything else, and in a statement for a moment only.

type HasSqlite = { sqlite: Sqlite }

/** What a statement of the server waits at most, for a short write of the terminal. */
const statementMs = 250

/** How long a person waits for their write, and work that nobody is waiting for. */
const requestMs = 4_000
export const jobPatienceMs = 50_000

const pollMs = 20

/** After which a client may try again. */
const retryAfter = 5

/** Called once the connection serves requests. */
export function shortenWaits({ sqlite }: HasSqlite): void {
  sqlite.pragma(`busy_timeout = ${statementMs}`)
}

/** While another program holds the write lock: resolves when it has let go. */
const waits = new WeakMap<Sqlite, Promise<void>>()

/**
 * To be awaited before a write, which is refused where the database's file is lost: nothing where the database can be written
 * now, as nearly always. Throws `busy` where another program goes on writing for longer than `patienceMs`.
 */
export function whenWritable(ctx: Damageable, patienceMs = requestMs): Promise<void> | undefined {
  const { sqlite } = ctx
  if (sqlite.open) recordIfLost(ctx)
  if (!waits.has(sqlite) && canBeginWrite(sqlite)) return
  const wait = waits.get(sqlite) ?? pollUntilFree(sqlite)
  waits.set(sqlite, wait)
  return waitAtMost(wait, patienceMs)
}

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

type Trial = { begin: Statement; rollback: Statement }
const trials = new WeakMap<Sqlite, Trial>()

/** Compiled once: it is made before every write. */
function trialOf(sqlite: Sqlite): Trial {
  const known = trials.get(sqlite)
  if (known !== undefined) return known
  const trial = { begin: sqlite.prepare('begin immediate'), rollback: sqlite.prepare('rollback') }
  trials.set(sqlite, trial)
  return trial
}

/**
 * Tried without waiting, which would hold up every other request. Every other trouble is for the write itself to meet. One in memory
 * is nobody else's, and a closed one is written no more.
 */
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

/**
 * Writes what is recorded on the side of a read, such as a visit. The read matters more: where it cannot be written at once,
 * the next one records it.
 */
export function writeIfPossible({ sqlite }: HasSqlite, write: () => void): void {
  try {
    withoutWaiting(sqlite, write)
  } catch (error) {
    if (!isBusyError(error) && !isStorageError(error)) throw error
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
