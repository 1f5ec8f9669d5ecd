import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import type { Database as Sqlite } from 'better-sqlite3'
import { placeOfOpen } from './place.ts'
import { isStorageError } from './sqlite-errors.ts'

// SQLite removes the log and its index only with the last connection, which takes a lock on the database that no other program gets
// while this one is open. So where they are others than they were, somebody else removed them: SQLite goes on in what was
// removed, and confirms what is gone with this process. Other programs begin a log of their own.

/** The inodes of an open database's log and of its index. */
type Seen = { log: number | undefined; index: number | undefined }

const logs = new WeakMap<Sqlite, Seen>()

const statOf = (sqlite: Sqlite, ending: string) =>
  statSync(`${placeOfOpen(sqlite)}-${ending}`, { throwIfNoEntry: false })

/** What lies beside the file now. Both are there once anything was read. */
export function noteLog(sqlite: Sqlite): void {
  logs.set(sqlite, { log: statOf(sqlite, 'wal')?.ino, index: statOf(sqlite, 'shm')?.ino })
}

export function isLogInPlace(sqlite: Sqlite): boolean {
  if (sqlite.memory) return true
  const seen = logs.get(sqlite)
  if (seen?.log !== undefined) return isSame(sqlite, 'wal', seen.log) && isSame(sqlite, 'shm', seen.index)
  // The first look, or no log could be begun: then all is in the database.
  beginLog(sqlite)
  return true
}

const isSame = (sqlite: Sqlite, ending: string, ino: number | undefined) => statOf(sqlite, ending)?.ino === ino

/** Writes the log back into the database. False where somebody still reads from it. */
export const emptyLog = (sqlite: Sqlite): boolean => sqlite.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0

/**
 * Writes what is in the removed log into the database, and begins a new one. `held`: other programs have the database open, or the
 * disk takes no writes, so that it cannot be begun yet. `split`: another program may have written into a log that this connection
 * does not see; what it wrote is left alone. Without `mayCopy`, what needs a copy is held.
 */
export function mendLog(sqlite: Sqlite, mayCopy: boolean): 'whole' | 'held' | 'split' {
  const seen = logs.get(sqlite)
  if (seen?.log === undefined) {
    beginLog(sqlite)
    return 'whole'
  }
  const [log, index] = [statOf(sqlite, 'wal'), statOf(sqlite, 'shm')]
  const isIndexOfOthers = index !== undefined && index.ino !== seen.index
  if (log !== undefined && log.size > 0 && (log.ino !== seen.log || isIndexOfOthers)) return 'split'
  try {
    if (!isSafeToLeave(sqlite, { isIndexOfOthers, mayCopy })) return 'held'
    if (sqlite.pragma('journal_mode = delete', { simple: true }) !== 'delete') return 'held'
  } catch (error) {
    // Closed half way, this connection sees the others' log from now on: what it had saved is in the copy.
    if (isIndexOfOthers && copies.has(sqlite) && isStorageError(error)) return 'split'
    // A statement is under way, or the disk fails. The next look tries again.
    return 'held'
  }
  // All is in the database, and writes are safe, whatever comes next.
  logs.delete(sqlite)
  dropCopy(sqlite)
  failedCopies.delete(sqlite)
  beginLog(sqlite)
  return 'whole'
}

/**
 * SQLite leaves a log by the one way that it takes only where no other program has the database open. It then closes it, also where
 * it could not write all of it into the database, and a removed log is gone once it is closed. So that is done before. Who began
 * another index does not know that this connection writes, and may be reading: then a copy stands in.
 */
const isSafeToLeave = (sqlite: Sqlite, how: { isIndexOfOthers: boolean; mayCopy: boolean }) =>
  how.isIndexOfOthers ? how.mayCopy && keepApart(sqlite) !== null : emptyLog(sqlite)

/** Where that fails, SQLite does without a log, and the next look tries again. */
function beginLog(sqlite: Sqlite): void {
  try {
    sqlite.pragma('journal_mode = wal')
    sqlite.pragma('schema_version')
    noteLog(sqlite)
  } catch {
    // A transaction is under way, another program has the database open, or the disk is full.
  }
}

/** A copy of what a connection holds apart from the file, beside the file. `changes`: how many it had made by then. */
type Copy = { path: string; changes: number }

const copies = new WeakMap<Sqlite, Copy>()

const changesOf = (sqlite: Sqlite) => Number(sqlite.prepare('select total_changes()').pluck().get())

/** How often in a row no copy could be written, and how many looks are left out before the next is. */
const failedCopies = new WeakMap<Sqlite, { times: number; looksLeft: number }>()

/** Of looks that come every few seconds: about a minute. */
const mostLooksLeft = 19

/**
 * Whether a look is to try a copy again. Where there is no room, each try fills the disk to the brim and keeps the site waiting: the
 * first ones follow at once, since the cause may pass, and later ones after more and more looks.
 */
export function isTimeToCopy(sqlite: Sqlite): boolean {
  const failed = failedCopies.get(sqlite)
  if (failed === undefined || failed.looksLeft === 0) return true
  failed.looksLeft -= 1
  return false
}

function noteFailedCopy(sqlite: Sqlite): void {
  const times = (failedCopies.get(sqlite)?.times ?? 0) + 1
  failedCopies.set(sqlite, { times, looksLeft: Math.min(2 ** Math.max(times - 2, 0) - 1, mostLooksLeft) })
}

/** A copy of the database as this connection sees it, beside the file: once for each state. Null where that fails. */
export function keepApart(sqlite: Sqlite): string | null {
  const [before, changes] = [copies.get(sqlite), changesOf(sqlite)]
  if (before?.changes === changes) return before.path
  dropCopy(sqlite)
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  const path = `${placeOfOpen(sqlite)}-kept-${stamp}-${process.pid}`
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    return null
  }
  const isClosed = sqlite.pragma('query_only', { simple: true }) === 1
  try {
    // It holds for the copy as well.
    sqlite.pragma('query_only = OFF')
    sqlite.prepare('vacuum into ?').run(path)
    copies.set(sqlite, { path, changes })
    failedCopies.delete(sqlite)
    return path
  } catch {
    rmSync(path, { force: true })
    noteFailedCopy(sqlite)
    return null
  } finally {
    if (isClosed) sqlite.pragma('query_only = ON')
  }
}

/** Once all that it holds is in the database. */
export function dropCopy(sqlite: Sqlite): void {
  const copy = copies.get(sqlite)
  copies.delete(sqlite)
  if (copy !== undefined) rmSync(copy.path, { force: true })
}
