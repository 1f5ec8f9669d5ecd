import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Database as Sqlite } from 'better-sqlite3'

/** The file itself, where its name is a link: its log lies beside it, and only there it can be moved in one step. */
export function placeOf(file: string): string {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return file
  try {
    return realpathSync(file)
  } catch {
    return resolve(dirname(file), readlinkSync(file))
  }
}

const places = new WeakMap<Sqlite, string>()

/** Of an open database, as SQLite found it when it opened: where the link leads later changes nothing. */
export function placeOfOpen(sqlite: Sqlite): string {
  const place = places.get(sqlite) ?? placeOf(sqlite.name)
  places.set(sqlite, place)
  return place
}
