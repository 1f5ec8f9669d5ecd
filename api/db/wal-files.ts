import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Database as Sqlite } from 'better-sqlite3'
import { realPathOfOpen } from './real-path.ts'

// SQLite only deletes the log and its index with the last connection, for which it needs a lock no other program gets while this
// one is open. So if their inodes have changed, someone else deleted them. SQLite then carries on in the deleted files, and what
// it confirms is lost with this process. Other programs start a log of their own.

type Seen = { log: number | undefined; index: number | undefined }

const logs = new WeakMap<Sqlite, Seen>()

const statOf = (sqlite: Sqlite, ending: string) =>
  statSync(`${realPathOfOpen(sqlite)}-${ending}`, { throwIfNoEntry: false })

/** Records the current inodes. Both files exist after the first read. */
export function noteLog(sqlite: Sqlite): void {
  logs.set(sqlite, { log: statOf(sqlite, 'wal')?.ino, index: statOf(sqlite, 'shm')?.ino })
}

export function isLogInPlace(sqlite: Sqlite): boolean {
  const seen = logs.get(sqlite)
  if (seen?.log !== undefined) return isSame(sqlite, 'wal', seen.log) && isSame(sqlite, 'shm', seen.index)
  if (!sqlite.memory) noteLog(sqlite)
  return true
}

const isSame = (sqlite: Sqlite, ending: string, ino: number | undefined) => statOf(sqlite, ending)?.ino === ino

/** For a database Litestream copies: it reads the log, so only it may write it back, and nothing else may replace it. */
export const leaveLogAlone = (sqlite: Sqlite): unknown => sqlite.pragma('wal_autocheckpoint = 0')

export const isCopied = (sqlite: Sqlite): boolean => sqlite.pragma('wal_autocheckpoint', { simple: true }) === 0

/**
 * Takes our log away from a file that isn't ours, for which the next program would take it. Everything is in a copy, and this
 * connection keeps what it has open.
 */
export function takeLogAway(sqlite: Sqlite): void {
  const seen = logs.get(sqlite)
  for (const [ending, ino] of [['wal', seen?.log] as const, ['shm', seen?.index] as const])
    if (ino !== undefined && isSame(sqlite, ending, ino)) rmSync(`${realPathOfOpen(sqlite)}-${ending}`, { force: true })
}

/** Writes the log back into the database. False while someone still reads from it, or if that's Litestream's work. */
export const emptyLog = (sqlite: Sqlite): boolean =>
  !isCopied(sqlite) && sqlite.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0

/** A copy of data only this connection has. `changes`: its change count at the time. */
type Copy = { path: string; changes: number }

const copies = new WeakMap<Sqlite, Copy>()

const changesOf = (sqlite: Sqlite) => Number(sqlite.prepare('select total_changes()').pluck().get())

/** Failed copies in a row, and how many looks to skip before the next attempt. */
const failedCopies = new WeakMap<Sqlite, { times: number; looksLeft: number }>()

/** About a minute, with a look every few seconds. */
const mostLooksLeft = 19

/** Without room, each attempt fills the disk and slows the site down. So we retry soon at first, then less and less often. */
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

/**
 * Copies the database as this connection sees it beside the backups, once per state. Nothing is made in place of a folder that's
 * gone, so that it can come back: then the copy is beside that, or in the system's temporary folder. Also where the first has no
 * room. Null if no place has.
 */
export function keepWithBackups(sqlite: Sqlite): string | null {
  const home = dirname(sqlite.name)
  for (const folder of [scheduledFolder(sqlite), join(home, 'backups'), dirname(home), tmpdir()]) {
    const path = folder !== null && isFolder(folder) ? keepIn(sqlite, folder) : null
    if (path !== null) return path
  }
  return null
}

function scheduledFolder(sqlite: Sqlite): string | null {
  const folder = sqlite
    .prepare(`select value ->> '$.folder' from settings where key = 'backup_schedule' and json_type(value) = 'object'`)
    .pluck()
    .get()
  return typeof folder === 'string' ? folder : null
}

/** Makes the folder itself, but none that it's in. */
function isFolder(path: string): boolean {
  try {
    if (!existsSync(path)) mkdirSync(path, { mode: 0o700 })
    return true
  } catch {
    return false
  }
}

function keepIn(sqlite: Sqlite, folder: string): string | null {
  const [before, changes] = [copies.get(sqlite), changesOf(sqlite)]
  if (before?.changes === changes && existsSync(before.path)) return before.path
  dropCopy(sqlite)
  const stamp = new Date().toISOString().replace(/[:.]/g, '-')
  const path = join(folder, `alliance-kept-${stamp}-${process.pid}`)
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    return null
  }
  const isClosed = sqlite.pragma('query_only', { simple: true }) === 1
  try {
    // Applies to the copy as well.
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

/** Call it once all of the copy's data is in the database. */
export function dropCopy(sqlite: Sqlite): void {
  const copy = copies.get(sqlite)
  copies.delete(sqlite)
  if (copy !== undefined) rmSync(copy.path, { force: true })
}
