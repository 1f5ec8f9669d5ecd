import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { Database as Sqlite } from 'better-sqlite3'
import { errorMessage } from '#api/log.ts'
import { isDamageError } from './sqlite-errors.ts'

/** What was found to be damaged in an open database; one that is not in here is sound as far as anybody knows. */
const findings = new WeakMap<Sqlite, string>()

export const isDamaged = ({ sqlite }: { sqlite: Sqlite }): boolean => findings.has(sqlite)

/** What a person at this machine is told of a damaged database; null of a sound one. */
export function damageOf({ sqlite }: { sqlite: Sqlite }): string | null {
  const finding = findings.get(sqlite)
  return finding === undefined ? null : damageLine(sqlite.name, finding)
}

/** Beside the database: what one program found in it holds for all that open it. A restore moves it aside with the database. */
export const damageMarkOf = (file: string) => `${file}-damaged`

/** Takes over what another program found in this database: the server, of whose checks a command has no time for any. */
export function heedDamageMark(ctx: Damageable): void {
  const finding = markedDamage(ctx.sqlite.name)
  if (finding !== null) recordDamage(ctx, finding)
}

/** What any program found in the database of this file; null where none did. */
export function markedDamage(file: string): string | null {
  try {
    return readFileSync(damageMarkOf(file), 'utf8')
  } catch {
    return null
  }
}

export function markDamage(file: string, finding: string): void {
  try {
    writeFileSync(damageMarkOf(file), finding, { mode: 0o600 })
  } catch {
    // The disk may be what fails. This program knows of the damage all the same.
  }
}

/** By what holds the folder, once all pages were found sound: another database was put in the place of the damaged one. */
export const clearDamageMark = (file: string): void => rmSync(damageMarkOf(file), { force: true })

/** What was found, and what helps, in one line for the log and the terminal. */
export const damageLine = (file: string, finding: string): string =>
  `The database is damaged: ${finding.replace(/\s+/g, ' ').trim()}. Stop the server, put a backup in the place of ${file} (alliance backup restore FILE), and start it again.`

/** The first thing that is wrong with the database's pages; null where they are sound. */
export function findProblem(sqlite: Sqlite): string | null {
  try {
    const finding = sqlite.pragma('quick_check(1)', { simple: true })
    return finding === 'ok' ? null : String(finding)
  } catch (error) {
    if (isDamageError(error)) return errorMessage(error)
    throw error
  }
}

/** The file of an open database, as it was last seen. */
const files = new WeakMap<Sqlite, { ino: number; size: number }>()

/**
 * What has happened to the file of an open database; null where it is the one that was opened. SQLite goes on in a file that was
 * deleted, or cut off below its log, and confirms what nobody can ever read again. It is looked at from outside: to open and
 * close it here would let go of SQLite's own locks. The site's file never shrinks, since nothing of ours runs `vacuum` on it.
 */
export function findLostFile(sqlite: Sqlite): string | null {
  if (sqlite.memory) return null
  const [before, now] = [files.get(sqlite), statSync(sqlite.name, { throwIfNoEntry: false })]
  if (now === undefined) return 'its file is gone'
  if (before !== undefined && now.ino !== before.ino) return 'another file was put in its place while it was open'
  if (before !== undefined && now.size < before.size) return 'its file was cut short'
  files.set(sqlite, { ino: now.ino, size: now.size })
  return null
}

/** What lies at the path may have been put there since: it is the next to open it who finds out about that one. */
const isInPlace = (sqlite: Sqlite): boolean =>
  !sqlite.memory && statSync(sqlite.name, { throwIfNoEntry: false })?.ino === files.get(sqlite)?.ino

/** Takes a microsecond or two, so that it comes before each write. */
export function recordIfLost(ctx: Damageable): void {
  if (findings.has(ctx.sqlite)) return
  const loss = findLostFile(ctx.sqlite)
  if (loss !== null) recordDamage(ctx, loss)
}

export type Damageable = { sqlite: Sqlite; log: { error(message: string): void } }

/**
 * From now on this connection refuses every write: one on top of a damaged page may lose what is still whole, and what is
 * confirmed would go with the restore. Reads go on. Logs it once.
 */
export function recordDamage({ sqlite, log }: Damageable, finding: string): void {
  if (findings.has(sqlite)) return
  findings.set(sqlite, finding)
  sqlite.pragma('query_only = ON')
  if (isInPlace(sqlite)) markDamage(sqlite.name, finding)
  log.error(damageLine(sqlite.name, finding))
}

/** Records what a statement met, of whichever request or job it was. */
export function recordIfDamage(ctx: Damageable, error: unknown): void {
  if (isDamageError(error)) recordDamage(ctx, errorMessage(error))
}
