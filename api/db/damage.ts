import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Database as Sqlite } from 'better-sqlite3'
import { errorMessage } from '#api/log.ts'
import { findLostFile, isFileBack, isInPlace } from './lost-file.ts'
import { isLogInPlace, keepApart, mendLog } from './lost-log.ts'
import { placeOf, placeOfOpen } from './place.ts'
import { isDamageError, isShortRead } from './sqlite-errors.ts'

/** `mayPass`: no page was found damaged here, so that a check may find all of it sound. */
type Finding = { text: string; mayPass: boolean }

/** What was found to be damaged in an open database; one that is not in here is sound as far as anybody knows. */
const findings = new WeakMap<Sqlite, Finding>()

export const isDamaged = ({ sqlite }: { sqlite: Sqlite }): boolean => findings.has(sqlite)

/** What a person at this machine is told of a damaged database; null of a sound one. */
export function damageOf({ sqlite }: { sqlite: Sqlite }): string | null {
  const finding = findings.get(sqlite)
  return finding === undefined ? null : lineOf(sqlite.name, finding)
}

/** Beside the database: what one program found in it holds for all that open it. A restore moves it aside with the database. */
export const damageMarkOf = (file: string) => `${file}-damaged`

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
    if (markedDamage(file) !== finding) writeFileSync(damageMarkOf(file), finding, { mode: 0o600 })
  } catch {
    // The disk may be what fails. This program knows of the damage all the same.
  }
}

/**
 * Once all pages were found sound, by what holds the folder, or by a command while nobody serves: whatever was wrong has passed, or
 * another database is in the place.
 */
export const clearDamageMark = (file: string): void => rmSync(damageMarkOf(file), { recursive: true, force: true })

/** What was found in the pages, and what helps, in one line for the log and the terminal. */
export const damageLine = (file: string, text: string, mayPass = false): string => lineOf(file, { text, mayPass })

/** What the mark says, too, where a log was removed under the server, and cannot be mended yet. */
const lostLog = 'its log was removed while it was open'

/** The same where neither may be written over the other. */
const splitLog = `${lostLog}, and another program has written since`

const splitLine = (file: string, text: string) => {
  const state = `The database is in two parts: ${text}; ${file} has what the other program saved.`
  if (text.endsWith(notKept))
    return `${state} If the disk is full, make room. Then stop the server as usual (SIGTERM). It tries again and says where the copy is.`
  return `${state} Stop the server. To carry on with that, start it again. To carry on with what the server saved, first put the kept file in place of ${file} and move ${file}-wal and -shm away. You’ll need to re-enter anything missing from the one you keep.`
}

/** What helps there, which is no restore. */
const stopAsUsual =
  'Nothing is lost while the server runs. If the disk is full, make room. Then stop other programs that use the database, or restart the server as usual (SIGTERM), which saves everything. You don’t need a backup.'

const lostLogLine = (file: string) =>
  `The log of ${file} (-wal and -shm beside it) was removed while the server had it open. ${stopAsUsual}`

/** For a program beside another that holds the folder. From outside a server whose log was removed looks like a restore. */
export const missingLogLine = (file: string) =>
  `The log of ${file} (-wal and -shm beside it) is missing, and another program holds the folder. If a restore is running, wait for it. If it’s the server, its log was removed while open. ${stopAsUsual}`

/** The last of a server that could not write the removed log into the database. */
const stoppedLine = (file: string, kept: string | null) =>
  kept === null
    ? `The server has stopped. It couldn’t save what its removed log held into ${file}, or keep a copy. If the disk is full, make room, then start it again. Anything saved since shortly before the log was removed may be missing. You’ll need to re-enter it.`
    : `The server has stopped. It couldn’t save what its removed log held into ${file}, but everything is in ${kept}. Stop the other programs, put it in place of ${file}, move ${file}-wal and -shm away, and start the server.`

/** A restore costs what came after the backup: it is not the first thing to do where a check may find nothing wrong. */
function lineOf(file: string, { text, mayPass }: Finding): string {
  if (mayPass && text === lostLog) return lostLogLine(placeOf(file))
  if (mayPass && text.startsWith(`${splitLog}.`)) return splitLine(placeOf(file), text)
  const restart = 'Restart the server, which checks the database. If it’s still damaged, stop the server'
  const restore = `put a backup in place of ${file} (alliance backup restore FILE), and start it again.`
  return `The database is damaged: ${text.replace(/\s+/g, ' ').trim()}. ${mayPass ? restart : 'Stop the server'}, ${restore}`
}

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

/** Takes a microsecond or two, so that it comes before each write. */
export function recordIfLost(ctx: Damageable): void {
  if (findings.has(ctx.sqlite)) return
  try {
    const loss = findLostFile(ctx.sqlite)
    if (loss !== null) recordDamage(ctx, loss, { mayPass: true })
    else if (!isLogInPlace(ctx.sqlite)) mendLostLog(ctx, true)
  } catch (error) {
    if (!isOfSystem(error)) throw error
    recordDamage(ctx, `its files cannot be looked at (${errorMessage(error)})`, { mayPass: true })
  }
}

/** Such as EACCES or EIO, of a disk or a folder that may be there again. */
const isOfSystem = (error: unknown) => error instanceof Error && 'syscall' in error

/** Once the other programs have ended, where they kept the log from being mended, or something else was found first. */
export function mendIfLogLost(ctx: Damageable, { mayCopy }: { mayCopy: boolean }): void {
  try {
    if (hasLostLog(ctx) && findLostFile(ctx.sqlite) === null) mendLostLog(ctx, mayCopy)
  } catch (error) {
    // What cannot be looked at now is looked at again.
    if (!isOfSystem(error)) throw error
  }
}

/** What was confirmed is in the removed log alone until it is mended, and would go with this process: so at once. */
function mendLostLog(ctx: Damageable, mayCopy: boolean): void {
  const { sqlite, log } = ctx
  const [before, state] = [findings.get(sqlite), mendLog(sqlite, mayCopy)]
  if (state === 'held') recordDamage(ctx, lostLog, { mayPass: true })
  if (state === 'split') {
    reopenForWrites(sqlite)
    recordDamage(ctx, splitText(keepApart(sqlite)), { mayPass: true })
  }
  if (state !== 'whole') return
  // Of anything else that was found, a check of the pages tells whether it has passed.
  if (before === undefined || before.text === lostLog) {
    reopenForWrites(sqlite)
    // What else is marked, no page was looked at for.
    if (markedDamage(sqlite.name) === lostLog) clearDamageMark(sqlite.name)
  }
  log.warn('the log of the database was removed while it was open: all it held is in the database now', {
    file: sqlite.name,
  })
}

/** Whether what was saved is in a removed log alone: closing the database then drops it. */
export function hasLostLog({ sqlite }: { sqlite: Sqlite }): boolean {
  const finding = findings.get(sqlite)
  if (finding?.mayPass !== true || isInTwoParts({ sqlite })) return false
  return finding.text === lostLog || !isLogInPlace(sqlite)
}

/** Closing it would write over what other programs wrote, and remove their log. */
export const isInTwoParts = ({ sqlite }: { sqlite: Sqlite }): boolean =>
  findings.get(sqlite)?.text.startsWith(`${splitLog}.`) === true

/** How every program that opened the database ends with it. */
export function closeIfWhole(ctx: { sqlite: Sqlite }): void {
  if (!isInTwoParts(ctx)) ctx.sqlite.close()
}

/** The last that can be done for what is in no file that anybody will find. */
export function keepAtStop({ sqlite, log }: Damageable): void {
  if (isInTwoParts({ sqlite }) && findings.get(sqlite)?.text.endsWith(notKept) === false) return
  const [place, kept] = [placeOfOpen(sqlite), keepApart(sqlite)]
  // Whose part is gone on with is for a person to choose.
  const isChoice = isInTwoParts({ sqlite }) && kept !== null
  log.error(isChoice ? splitLine(place, splitText(kept)) : stoppedLine(place, kept))
}

function reopenForWrites(sqlite: Sqlite): void {
  findings.delete(sqlite)
  sqlite.pragma('query_only = OFF')
}

const notKept = 'What the server saved couldn’t be kept'

const splitText = (kept: string | null) =>
  `${splitLog}. ${kept === null ? notKept : `What the server saved is in ${kept}`}`

type Warn = (message: string, fields: { file: string }) => void

export type Damageable = { sqlite: Sqlite; log: { error(message: string): void; warn: Warn } }

/**
 * From now on this connection refuses every write: one on top of a damaged page may lose what is still whole, and what is
 * confirmed would go with the restore. Reads go on. Logs it once.
 */
export function recordDamage({ sqlite, log }: Damageable, text: string, { mayPass = false } = {}): void {
  if (findings.has(sqlite)) return
  const finding = { text, mayPass }
  findings.set(sqlite, finding)
  sqlite.pragma('query_only = ON')
  if (isInPlace(sqlite)) markDamage(sqlite.name, text)
  log.error(lineOf(sqlite.name, finding))
}

/** Until a restore or a restart; what may pass is looked at again every few seconds. */
export const isDamageLasting = ({ sqlite }: { sqlite: Sqlite }): boolean => findings.get(sqlite)?.mayPass === false

/** Whether what was found may have passed: a check of all pages then decides by `settleDamage`. */
export const mayBeSound = ({ sqlite }: { sqlite: Sqlite }): boolean =>
  findings.get(sqlite)?.mayPass === true && isFileBack(sqlite)

/**
 * After a check of all pages, which found the problem, or none. Then what may pass has passed, and the database is written
 * again: until here nothing was.
 */
export function settleDamage(ctx: Damageable, problem: string | null): void {
  const { sqlite } = ctx
  if (problem !== null) {
    if (findings.get(sqlite)?.mayPass === true) findings.delete(sqlite)
    recordDamage(ctx, problem)
  } else if (isDamaged(ctx) ? mayBeSound(ctx) : isFileBack(sqlite)) {
    reopenForWrites(sqlite)
    clearDamageMark(sqlite.name)
  }
}

/** Records what a statement met, of whichever request or job it was. */
export function recordIfDamage(ctx: Damageable, error: unknown): void {
  if (isDamageError(error)) recordDamage(ctx, errorMessage(error), { mayPass: isShortRead(error) })
}
