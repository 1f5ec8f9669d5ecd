import { openSync, readSync, statSync } from 'node:fs'
import type { Database as Sqlite } from 'better-sqlite3'
import { isLogInPlace, noteLog } from './lost-log.ts'

/** `schema`: the version of the schema when the file had come to this size. */
type Seen = { ino: number; size: number; schema: number; isCut: boolean }

/** The file of an open database, as it was last seen. */
const files = new WeakMap<Sqlite, Seen>()

/**
 * What has happened to the file of an open database; null where it is the one that was opened. SQLite goes on in a file that was
 * deleted, or cut off below its log, and confirms what nobody can ever read again. It is looked at from outside: to open and
 * close it here would let go of SQLite's own locks.
 */
export function findLostFile(sqlite: Sqlite): string | null {
  if (sqlite.memory) return null
  const [before, now] = [files.get(sqlite), statSync(sqlite.name, { throwIfNoEntry: false })]
  if (now === undefined) return 'its file is gone'
  if (before !== undefined && now.ino !== before.ino) return 'another file was put in its place while it was open'
  if (before !== undefined && (now.size < before.size || before.isCut) && !isCompacted(sqlite, before, now.size)) {
    // Whatever it grows to from here on is not of SQLite's writing.
    files.set(sqlite, { ...before, isCut: true })
    return 'its file was cut short'
  }
  if (before === undefined || before.size !== now.size || before.isCut) {
    files.set(sqlite, { ino: now.ino, size: now.size, schema: schemaOf(sqlite) ?? 0, isCut: false })
    if (before === undefined) noteLog(sqlite)
  }
  return null
}

/** Whether a file that was lost is there again, and its log with it: without that, what was confirmed last would be missing. */
export const isFileBack = (sqlite: Sqlite): boolean =>
  isSeenThat(() => findLostFile(sqlite) === null && isLogInPlace(sqlite))

/** What cannot be looked at, as on a network disk that fails, is not so as far as anybody knows. */
function isSeenThat(look: () => boolean): boolean {
  try {
    return look()
  } catch {
    return false
  }
}

/** What lies at the path may have been put there since: it is the next to open it who finds out about that one. */
export const isInPlace = (sqlite: Sqlite): boolean =>
  !sqlite.memory && isSeenThat(() => statSync(sqlite.name, { throwIfNoEntry: false })?.ino === files.get(sqlite)?.ino)

/**
 * Whether it is SQLite that made the file shorter: by somebody's `vacuum` beside the server, which gives the schema another version.
 * Then the file holds all pages that its header tells of. Where this connection was told of no such change, something else was
 * copied over the file.
 */
function isCompacted(sqlite: Sqlite, before: Seen, size: number): boolean {
  const [header, schema] = [readHeader(sqlite), schemaOf(sqlite)]
  const isWhole = header !== null && size >= header.pages * header.pageSize
  return isWhole && schema !== null && schema !== before.schema
}

/** As this connection sees it, in its log or its cache. Null where it cannot be read now. */
function schemaOf(sqlite: Sqlite): number | null {
  try {
    return Number(sqlite.pragma('schema_version', { simple: true }))
  } catch {
    return null
  }
}

/** Opened for the first file that became shorter, and never closed: see `findLostFile`. It stays the same file. */
const descriptors = new WeakMap<Sqlite, number>()

function descriptorOf(sqlite: Sqlite): number {
  const descriptor = descriptors.get(sqlite) ?? openSync(sqlite.name, 'r')
  descriptors.set(sqlite, descriptor)
  return descriptor
}

/** The first bytes of the file, whatever is in the log. Null where they cannot be read now, and the file is looked at again. */
function readStart(sqlite: Sqlite): Buffer | null {
  const start = Buffer.alloc(100)
  try {
    return readSync(descriptorOf(sqlite), start, 0, start.length, 0) === start.length ? start : null
  } catch {
    return null
  }
}

/** By https://www.sqlite.org/fileformat.html. Null where that is no header, or its count is not valid. */
function readHeader(sqlite: Sqlite): { pages: number; pageSize: number } | null {
  const header = readStart(sqlite)
  if (header === null || header.toString('latin1', 0, 16) !== 'SQLite format 3\0') return null
  const [changes, validFor] = [header.readUInt32BE(24), header.readUInt32BE(92)]
  const pageSize = header.readUInt16BE(16)
  // 65,536 does not fit, and is written as 1.
  return changes === validFor ? { pages: header.readUInt32BE(28), pageSize: pageSize === 1 ? 65_536 : pageSize } : null
}
