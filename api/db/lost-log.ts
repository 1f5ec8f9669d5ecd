import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import type { Database as Sqlite } from 'better-sqlite3'
import { forgetContent } from './overwritten-file.ts'

// SQLite removes the log and its index only with the last connection, which takes a lock on the database that no other program gets
// while this one is open. So where they are others than they were, somebody else removed them: SQLite goes on in what was
// removed, and confirms what is gone with this process. Other programs begin a log of their own.

/** The inodes of an open database's log and of its index. */
type Seen = { log: number | undefined; index: number | undefined }

const logs = new WeakMap<Sqlite, Seen>()

const statOf = (sqlite: Sqlite, ending: string) => statSync(`${sqlite.name}-${ending}`, { throwIfNoEntry: false })

/** What lies beside the file now. Both are there once anything was read. */
export function noteLog(sqlite: Sqlite): void {
  logs.set(sqlite, { log: statOf(sqlite, 'wal')?.ino, index: statOf(sqlite, 'shm')?.ino })
}

export function isLogInPlace(sqlite: Sqlite): boolean {
  if (sqlite.memory) return true
  const seen = logs.get(sqlite)
  // The first look, or nothing is in a log.
  if (seen?.log === undefined) noteLog(sqlite)
  return seen?.log === undefined || (isSame(sqlite, 'wal', seen.log) && isSame(sqlite, 'shm', seen.index))
}

const isSame = (sqlite: Sqlite, ending: string, ino: number | undefined) => statOf(sqlite, ending)?.ino === ino

/**
 * Writes what is in the removed log into the database, and begins a new one. `held`: other programs have the database open, so
 * that it cannot be begun yet. `split`: another program may have written into a log that this connection does not see; what it
 * wrote is left alone.
 */
export function mendLog(sqlite: Sqlite): 'whole' | 'held' | 'split' {
  const seen = logs.get(sqlite)
  const [log, index] = [statOf(sqlite, 'wal'), statOf(sqlite, 'shm')]
  const isIndexOfOthers = index !== undefined && index.ino !== seen?.index
  if (log !== undefined && log.size > 0 && (log.ino !== seen?.log || isIndexOfOthers)) return 'split'
  try {
    if (beginNewLog(sqlite)) return 'whole'
    // Who began another index does not know that this connection writes, and may be reading.
    if (!isIndexOfOthers) sqlite.pragma('wal_checkpoint(TRUNCATE)')
  } catch {
    // A statement is under way, or the disk fails. The next look tries again.
  }
  return 'held'
}

/** By the one way that SQLite takes only where no other program has the database open. */
function beginNewLog(sqlite: Sqlite): boolean {
  if (!setMode(sqlite, 'delete')) return false
  // All is in the database, and writes are safe, whatever comes next.
  logs.delete(sqlite)
  forgetContent(sqlite)
  setMode(sqlite, 'wal')
  sqlite.pragma('schema_version')
  noteLog(sqlite)
  return true
}

function setMode(sqlite: Sqlite, mode: 'delete' | 'wal'): boolean {
  try {
    return sqlite.pragma(`journal_mode = ${mode}`, { simple: true }) === mode
  } catch {
    return false
  }
}

/** Where what a connection holds apart from the file was kept. */
const keptAt = new WeakMap<Sqlite, string>()

/** A copy of the database as this connection sees it, beside the file. Null where that fails. */
export function keepApart(sqlite: Sqlite): string | null {
  const path = `${sqlite.name}-kept-${process.pid}`
  try {
    rmSync(path, { force: true })
    closeSync(openSync(path, 'wx', 0o600))
    sqlite.prepare('vacuum into ?').run(path)
    keptAt.set(sqlite, path)
    return path
  } catch {
    return null
  }
}

/** Closing it would write over what other programs wrote, and remove their log. */
export const isKeptApart = (sqlite: Sqlite): boolean => keptAt.has(sqlite)
