import { openSync, readSync } from 'node:fs'
import type { Database as Sqlite } from 'better-sqlite3'
import { placeOfOpen } from './place.ts'

// With a log, SQLite writes to the file itself by checkpoints alone, and the index of the log says so before one begins and once it
// has ended. So file and index together tell whether something else wrote to the file; when it was written would not, since a
// file can be touched. By https://www.sqlite.org/fileformat.html and https://www.sqlite.org/walformat.html.

/** The first bytes of the file, and which checkpoint was the last and how far it came. */
type Seen = { start: string; checkpoint: string }

const seen = new WeakMap<Sqlite, Seen>()

/** What was once written over stays so, whatever is written over it again. */
const overwritten = new WeakSet<Sqlite>()

/**
 * Whether something other than SQLite wrote over the file. Null where that cannot be told now, as while a checkpoint is under way.
 * A copy of the same pages in number whose first bytes are the same is not seen: it holds nothing else than what was changed in
 * place since the copy was made.
 */
export function isOverwritten(sqlite: Sqlite): boolean | null {
  if (overwritten.has(sqlite)) return true
  const [index, start] = [readIndex(sqlite), readStart(sqlite)]
  // A checkpoint or a write came in between.
  if (index === null || start === null || readIndex(sqlite)?.bytes !== index.bytes) return null
  const [before, now] = [seen.get(sqlite), { start: start.toString('latin1'), checkpoint: index.checkpoint }]
  seen.set(sqlite, now)
  const isChangedBetween = before?.checkpoint === now.checkpoint && before.start !== now.start
  // All of the log is in the file, which says itself of how many pages it is.
  const isOfOtherSize = index.isAllInFile && (headerOf(start)?.pages ?? index.pages) !== index.pages
  if (!isChangedBetween && !isOfOtherSize) return false
  overwritten.add(sqlite)
  return true
}

/**
 * To be called now and then, while nothing has written to the file since `isOverwritten` looked: a log that is begun again looks
 * like a checkpoint, and would hide what is written over the file afterwards.
 */
export function noteCheckpoint(sqlite: Sqlite, isUnwritten: () => boolean): void {
  const [before, index] = [seen.get(sqlite), readIndex(sqlite)]
  if (before !== undefined && index !== null && isUnwritten())
    seen.set(sqlite, { ...before, checkpoint: index.checkpoint })
}

/** Once the log was begun anew, with an index of its own. */
export function forgetContent(sqlite: Sqlite): void {
  seen.delete(sqlite)
  descriptors.delete(sqlite)
}

/** Null where that is no header, or its count is not valid. */
export function readHeader(sqlite: Sqlite): { pages: number; pageSize: number } | null {
  const start = readStart(sqlite)
  return start === null ? null : headerOf(start)
}

function headerOf(start: Buffer): { pages: number; pageSize: number } | null {
  if (start.toString('latin1', 0, 16) !== 'SQLite format 3\0') return null
  const [changes, validFor] = [start.readUInt32BE(24), start.readUInt32BE(92)]
  const pageSize = start.readUInt16BE(16)
  // 65,536 does not fit, and is written as 1.
  return changes === validFor ? { pages: start.readUInt32BE(28), pageSize: pageSize === 1 ? 65_536 : pageSize } : null
}

/** The first bytes of the file, whatever is in the log. Null where they cannot be read now, and the file is looked at again. */
function readStart(sqlite: Sqlite): Buffer | null {
  const start = Buffer.alloc(100)
  return isRead(sqlite, '', start) ? start : null
}

const indexVersion = 3_007_000

/** Null while it is being written, and while a checkpoint is under way or was cut off. */
function readIndex(sqlite: Sqlite) {
  const words = new Uint32Array(34)
  const bytes = Buffer.from(words.buffer)
  // The header is there twice, and written to the second place first.
  if (!isRead(sqlite, '-shm', bytes) || words[0] !== indexVersion) return null
  if (!bytes.subarray(0, 48).equals(bytes.subarray(48, 96))) return null
  const [frames = 0, pages = 0, moved, begun] = [words[4], words[5], words[24], words[32]]
  if (moved !== begun) return null
  const checkpoint = `${words[8]} ${words[9]} ${moved}`
  return { checkpoint, pages, isAllInFile: frames === moved && pages > 0, bytes: `${checkpoint} ${frames} ${pages}` }
}

/** Opened once and never closed, since that would let go of SQLite's own locks. They stay the same files. */
const descriptors = new WeakMap<Sqlite, Map<string, number>>()

function isRead(sqlite: Sqlite, ending: '' | '-shm', into: Buffer): boolean {
  try {
    const opened = descriptors.get(sqlite) ?? new Map<string, number>()
    descriptors.set(sqlite, opened)
    const descriptor = opened.get(ending) ?? openSync(`${placeOfOpen(sqlite)}${ending}`, 'r')
    opened.set(ending, descriptor)
    return readSync(descriptor, into, 0, into.length, 0) === into.length
  } catch {
    return false
  }
}
