import { statSync } from 'node:fs'
import type { Database as Sqlite } from 'better-sqlite3'
import { isLogInPlace, noteLog } from './lost-log.ts'
import { isOverwritten, noteCheckpoint, readHeader } from './overwritten-file.ts'

/** `schema`: the version of the schema when the file had come to this size. `writtenAt`: when it was, as far as that was looked into. */
type Seen = { ino: number; size: number; writtenAt: number | null; schema: number; isCut: boolean }

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
  const isSameSize = before !== undefined && before.size === now.size && !before.isCut
  if (isSameSize && before.writtenAt === now.mtimeMs) return null
  const schema = isSameSize ? before.schema : (schemaOf(sqlite) ?? 0)
  if (before === undefined) noteLog(sqlite)
  const isForeign = isOverwritten(sqlite)
  if (isForeign === true)
    return 'something else was written over its file, so that what was saved before may be missing'
  const writtenAt = isForeign === null ? null : now.mtimeMs
  files.set(sqlite, { ino: now.ino, size: now.size, writtenAt, schema, isCut: false })
  return null
}

/** Every second or so, so that `findLostFile` knows what SQLite itself has done since. */
export function keepUp(sqlite: Sqlite): void {
  if (sqlite.memory) return
  const isUnwritten = () => statSync(sqlite.name, { throwIfNoEntry: false })?.mtimeMs === files.get(sqlite)?.writtenAt
  noteCheckpoint(sqlite, () => isSeenThat(isUnwritten))
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
