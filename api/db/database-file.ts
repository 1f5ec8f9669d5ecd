import { openSync, readSync, statSync } from 'node:fs'
import type { Database as Sqlite } from 'better-sqlite3'
import { isLogInPlace, noteLog } from './wal-files.ts'

/** `schema`: the schema version when the file reached this size. */
type Seen = { ino: number; size: number; schema: number; isCut: boolean }

const files = new WeakMap<Sqlite, Seen>()

export const fileGone = 'its file is gone'
export const otherFile = 'another file was put in its place while it was open'

/** Not there any more, where everything it held is still in this connection. */
export const isFileAway = (sqlite: Sqlite): boolean =>
  !sqlite.memory && statSync(sqlite.name, { throwIfNoEntry: false })?.ino !== files.get(sqlite)?.ino

/**
 * What happened to an open database's file. Null if it's still the one we opened. SQLite carries on in a file that was deleted or
 * truncated, and confirms data no one can ever read. We only stat it: opening and closing it in this process would release
 * SQLite's own locks.
 */
export function findLostFile(sqlite: Sqlite): string | null {
  if (sqlite.memory) return null
  const [before, now] = [files.get(sqlite), statSync(sqlite.name, { throwIfNoEntry: false })]
  if (now === undefined) return fileGone
  if (before !== undefined && now.ino !== before.ino) return otherFile
  if (before !== undefined && (now.size < before.size || before.isCut) && !isCompacted(sqlite, before, now.size)) {
    // If it grows after this, SQLite didn't write it.
    files.set(sqlite, { ...before, isCut: true })
    return 'its file was cut short'
  }
  if (before === undefined || before.size !== now.size || before.isCut) {
    files.set(sqlite, { ino: now.ino, size: now.size, schema: schemaOf(sqlite) ?? 0, isCut: false })
    if (before === undefined) noteLog(sqlite)
  }
  return null
}

/** Whether a lost file is back with its log. Without the log, the latest confirmed data would be missing. */
export const isFileBack = (sqlite: Sqlite): boolean =>
  isSeenThat(() => findLostFile(sqlite) === null && isLogInPlace(sqlite))

/** If we can't look, for example because a network disk fails, the answer is no. */
function isSeenThat(look: () => boolean): boolean {
  try {
    return look()
  } catch {
    return false
  }
}

/** Whether the path still leads to the file we opened. A replacement is for the next program that opens it to check. */
export const isInPlace = (sqlite: Sqlite): boolean =>
  !sqlite.memory && isSeenThat(() => statSync(sqlite.name, { throwIfNoEntry: false })?.ino === files.get(sqlite)?.ino)

/**
 * Whether SQLite itself shortened the file: someone ran `vacuum` beside the server. That changes the schema version, and the file
 * has every page its header counts. If this connection hasn't seen such a change, something was copied over the file.
 */
function isCompacted(sqlite: Sqlite, before: Seen, size: number): boolean {
  const [header, schema] = [readHeader(sqlite), schemaOf(sqlite)]
  const isWhole = header !== null && size >= header.pages * header.pageSize
  return isWhole && schema !== null && schema !== before.schema
}

/** The version this connection sees, in its log or cache. Null if it can't be read now. */
function schemaOf(sqlite: Sqlite): number | null {
  try {
    return Number(sqlite.pragma('schema_version', { simple: true }))
  } catch {
    return null
  }
}

/** Opened when a file first gets shorter, and never closed: see `findLostFile`. */
const descriptors = new WeakMap<Sqlite, number>()

function descriptorOf(sqlite: Sqlite): number {
  const descriptor = descriptors.get(sqlite) ?? openSync(sqlite.name, 'r')
  descriptors.set(sqlite, descriptor)
  return descriptor
}

/** The start of the file itself, ignoring the log. Null if it can't be read now, in which case we look again later. */
function readStart(sqlite: Sqlite): Buffer | null {
  const start = Buffer.alloc(100)
  try {
    return readSync(descriptorOf(sqlite), start, 0, start.length, 0) === start.length ? start : null
  } catch {
    return null
  }
}

/** See https://www.sqlite.org/fileformat.html. Null if it's not a valid header, or its page count isn't valid. */
function readHeader(sqlite: Sqlite): { pages: number; pageSize: number } | null {
  const header = readStart(sqlite)
  if (header === null || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return null
  const [changes, validFor] = [header.readUInt32BE(24), header.readUInt32BE(92)]
  const pageSize = header.readUInt16BE(16)
  // 65,536 doesn't fit and is stored as 1.
  return changes === validFor ? { pages: header.readUInt32BE(28), pageSize: pageSize === 1 ? 65_536 : pageSize } : null
}
