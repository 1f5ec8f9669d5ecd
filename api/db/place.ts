import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Database as Sqlite } from 'better-sqlite3'

/** The real file behind a link: its log is beside that one, and a rename is only atomic there. */
export function placeOf(file: string): string {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return file
  try {
    return realpathSync(file)
  } catch {
    return resolve(dirname(file), readlinkSync(file))
  }
}

const places = new WeakMap<Sqlite, string>()

/** The path as SQLite resolved it on opening, whatever the link says now. */
export function placeOfOpen(sqlite: Sqlite): string {
  const place = places.get(sqlite) ?? placeOf(sqlite.name)
  places.set(sqlite, place)
  return place
}
