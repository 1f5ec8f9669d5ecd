import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Database as Sqlite } from 'better-sqlite3'

/** The real file behind a link: its log is beside that one, and a rename is only atomic there. */
export function realPathOf(file: string): string {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return file
  try {
    return realpathSync(file)
  } catch {
    return resolve(dirname(file), readlinkSync(file))
  }
}

const realPaths = new WeakMap<Sqlite, string>()

/** The path as SQLite resolved it on opening, whatever the link says now. */
export function realPathOfOpen(sqlite: Sqlite): string {
  const path = realPaths.get(sqlite) ?? realPathOf(sqlite.name)
  realPaths.set(sqlite, path)
  return path
}
