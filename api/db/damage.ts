import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Database as Sqlite } from 'better-sqlite3'
import { errorMessage } from '#api/log.ts'
import { fileGone, findLostFile, isFileAway, isFileBack, isInPlace, otherFile } from './database-file.ts'
import { realPathOf } from './real-path.ts'
import { isDamageError, isShortRead } from './sqlite-errors.ts'
import { dropCopy, isLogInPlace, keepWithBackups, takeLogAway } from './wal-files.ts'

/**
 * Its file or its log was deleted or replaced, and all it held is in `kept`; or a page, a file or a check says `text`. `mayPass`:
 * this program found no damaged page itself, so a check may find the database sound.
 */
type Finding =
  | { kind: 'lost-file'; text: string; kept: string | null }
  | { kind: 'pages'; text: string; mayPass: boolean }

const mayPass = (finding: Finding) => finding.kind !== 'pages' || finding.mayPass

/** As it's kept in the mark beside the database. */
function markOf(finding: Finding): string {
  if (finding.kind === 'pages') return finding.text
  return `${finding.text === logGone ? 'lost-log' : 'lost-file'} ${finding.kept ?? ''}`.trimEnd()
}

/** What another program found may have passed. */
export function findingOf(mark: string): Finding {
  const [, kind, kept = null] = /^(lost-log|lost-file)(?: (.+))?$/.exec(mark) ?? []
  if (kind === undefined) return { kind: 'pages', text: mark, mayPass: true }
  return { kind: 'lost-file', text: kind === 'lost-log' ? logGone : fileGone, kept }
}

/** Where the server put a copy of a database whose file is gone. Null if it couldn't, or that isn't what happened. */
export function keptCopyOf(file: string): string | null {
  const finding = findingOf(markedDamage(file) ?? readOrNull(lossMarkOf(file)) ?? '')
  return finding.kind === 'lost-file' && finding.kept !== null && existsSync(finding.kept) ? finding.kept : null
}

/** Without its log, the file lacks what was saved last. */
export const isWithoutLog = (file: string): boolean =>
  keptCopyOf(file) !== null && findingOf(markedDamage(file) ?? '').text === logGone

/** The same in words. */
export const markText = (mark: string): string => findingOf(mark).text.replace(/\s+/g, ' ').trim()

const logGone = 'its log was removed while it was open'

/** What we know is wrong with each open database. A database that isn't in here is sound as far as we know. */
const findings = new WeakMap<Sqlite, Finding>()

export const isDamaged = ({ sqlite }: { sqlite: Sqlite }): boolean => findings.has(sqlite)

/** The damage, in words for a person at this machine. Null if there's none. */
export function damageOf({ sqlite }: { sqlite: Sqlite }): string | null {
  const finding = findings.get(sqlite)
  return finding === undefined ? null : lineOf(sqlite.name, finding)
}

/** A file beside the database, so every program that opens it knows of the damage. A restore moves it aside with the database. */
export const damageMarkOf = (file: string) => `${file}-damaged`

/** Beside the data folder, for the next start if the folder is gone as a whole. */
const lossMarkOf = (file: string) => `${dirname(file)}.lost`

export const clearLossMark = (file: string): void => rmSync(lossMarkOf(file), { force: true })

export const markedDamage = (file: string): string | null => readOrNull(damageMarkOf(file))

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

export function markDamage(file: string, finding: string): void {
  const mark = existsSync(dirname(file)) ? damageMarkOf(file) : lossMarkOf(file)
  try {
    if (readOrNull(mark) !== finding) writeFileSync(mark, finding, { mode: 0o600 })
  } catch {
    // The disk itself may be failing. This process knows of the damage anyway.
  }
}

/**
 * Call it once a check found every page sound, from the process that holds the folder, or from a command while no server runs.
 * The fault has passed, or the database was replaced.
 */
export function clearDamageMark(file: string): void {
  rmSync(damageMarkOf(file), { recursive: true, force: true })
  clearLossMark(file)
}

/** The damage and what to do about it, in one line for the log and the terminal. */
export const damageLine = (file: string, text: string, mayPass = false): string =>
  lineOf(file, { kind: 'pages', text, mayPass })

/** For a program beside another that holds the folder. From outside, a server whose log was deleted looks just like a restore. */
export const missingLogLine = (file: string) =>
  `The log of ${file} (-wal and -shm beside it) is missing, and another program holds the folder. If a restore is running, wait for it. If it’s the server, its log was removed while open. Everything it had saved is in a copy, and its output says where. You don’t need a backup.`

/** Restarting alone would lose everything: only this process still has it. */
function lostFileLine(file: string, { text, kept }: { text: string; kept: string | null }): string {
  const state = `The database is damaged: ${text}. Nothing more is saved.`
  if (kept === null)
    return `${state} We couldn’t keep a copy, so don’t stop the server. If the disk is full, make room: it tries again and says where the copy is.`
  const others: Record<string, string> = {
    [otherFile]:
      'To carry on with the file that’s there now, restart the server. To carry on with what we’d saved, stop',
    [fileGone]: 'If you still have the file, put it back: the server checks it and carries on. If not, stop',
  }
  return `${state} Everything we’d saved is in ${kept}. You don’t need a backup. ${others[text] ?? 'Stop'} the server. Then, as the user it runs as, put the copy in place and start it again: ${commandToTake(file, kept)}`
}

/** What's beside the file belongs to what was there before. */
export function commandToTake(file: string, kept: string): string {
  const path = realPathOf(file)
  const parts = [path, `${path}-wal`, `${path}-shm`, damageMarkOf(file)].map(quoted).join(' ')
  return `mkdir -p ${quoted(dirname(path))} && rm -f ${parts} && cp ${quoted(kept)} ${quoted(path)}`
}

/** For a shell. */
const quoted = (path: string) => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)

/** A restore loses everything since the backup, so don't suggest it first if a check may find nothing wrong. */
function lineOf(file: string, finding: Finding): string {
  if (finding.kind === 'lost-file') return lostFileLine(file, finding)
  const { text, mayPass } = finding
  const restart = 'Restart the server, which checks the database. If it’s still damaged, stop the server'
  const restore = `restore a backup over ${file} (alliance backup restore FILE), and start it again.`
  return `The database is damaged: ${markText(text)}. ${mayPass ? restart : 'Stop the server'}, ${restore}`
}

/** The first fault in the database's pages. Null if they're sound. */
export function findProblem(sqlite: Sqlite): string | null {
  try {
    const finding = sqlite.pragma('quick_check(1)', { simple: true })
    return finding === 'ok' ? null : String(finding)
  } catch (error) {
    if (isDamageError(error)) return errorMessage(error)
    throw error
  }
}

/** Takes a microsecond or two, so it can run before each write. */
export function recordIfLost(ctx: Damageable): void {
  if (findings.has(ctx.sqlite)) return
  try {
    const loss = findLostFile(ctx.sqlite) ?? (isLogInPlace(ctx.sqlite) ? null : logGone)
    if (loss !== null && (loss === logGone || isFileAway(ctx.sqlite))) {
      const kept = keepWithBackups(ctx.sqlite)
      recordDamage(ctx, { kind: 'lost-file', text: loss, kept })
      if (loss === otherFile && kept !== null) takeLogAway(ctx.sqlite)
    } else if (loss !== null) recordDamage(ctx, { kind: 'pages', text: loss, mayPass: true })
  } catch (error) {
    if (!isOfSystem(error)) throw error
    recordDamage(ctx, { kind: 'pages', text: `its files cannot be looked at (${errorMessage(error)})`, mayPass: true })
  }
}

/** A system error such as EACCES or EIO: the disk or folder may come back. */
const isOfSystem = (error: unknown) => error instanceof Error && 'syscall' in error

/** Looks at a lost file again: it may be back, and need a check. Otherwise writes the copy that's missing, and says where. */
export function keepIfFileLost({ sqlite, log }: Damageable, { mayCopy }: { mayCopy: boolean }): void {
  const finding = findings.get(sqlite)
  if (finding?.kind !== 'lost-file') return
  if (isFileBack(sqlite)) {
    findings.set(sqlite, { kind: 'pages', text: finding.text, mayPass: true })
    return
  }
  const kept = mayCopy ? keepWithBackups(sqlite) : finding.kept
  // The file may be back without its log.
  const text = isInPlace(sqlite) ? logGone : finding.text
  if (kept === finding.kept && text === finding.text) return
  const now = { ...finding, text, kept }
  findings.set(sqlite, now)
  markFinding(sqlite, now)
  log.error(lineOf(sqlite.name, now))
}

/** Without its file or log. Closing it would overwrite what other programs wrote, and delete their log. */
export const isLost = ({ sqlite }: { sqlite: Sqlite }): boolean => findings.get(sqlite)?.kind === 'lost-file'

export function closeIfWhole(ctx: { sqlite: Sqlite }): void {
  if (!isLost(ctx)) ctx.sqlite.close()
}

function reopenForWrites(sqlite: Sqlite): void {
  findings.delete(sqlite)
  sqlite.pragma('query_only = OFF')
}

export type Damageable = { sqlite: Sqlite; log: { error(message: string): void } }

/**
 * From now on this connection refuses writes: writing on top of a damaged page may lose what's still intact, and a restore would
 * lose the write. Reads go on. Logs it once.
 */
export function recordDamage({ sqlite, log }: Damageable, finding: Finding): void {
  if (findings.has(sqlite)) return
  findings.set(sqlite, finding)
  sqlite.pragma('query_only = ON')
  markFinding(sqlite, finding)
  log.error(lineOf(sqlite.name, finding))
}

/** Another database in its place isn't damaged. */
function markFinding(sqlite: Sqlite, finding: Finding): void {
  const isGone = finding.kind === 'lost-file' && finding.text === fileGone
  if (isGone || isInPlace(sqlite)) markDamage(sqlite.name, markOf(finding))
}

/** Whether the damage stays until a restore or a restart. Otherwise we recheck every few seconds. */
export function isDamageLasting({ sqlite }: { sqlite: Sqlite }): boolean {
  const finding = findings.get(sqlite)
  return finding !== undefined && !mayPass(finding)
}

/** Whether the damage may have passed. If so, a check of all pages decides, in `settleDamage`. */
export function mayBeSound({ sqlite }: { sqlite: Sqlite }): boolean {
  const finding = findings.get(sqlite)
  return finding !== undefined && mayPass(finding) && isFileBack(sqlite)
}

/** Takes the result of checking all pages: the problem, or null. If what was found has passed, writes are allowed again. */
export function settleDamage(ctx: Damageable, problem: string | null): void {
  const { sqlite } = ctx
  if (problem !== null) {
    if (!isDamageLasting(ctx)) findings.delete(sqlite)
    recordDamage(ctx, { kind: 'pages', text: problem, mayPass: false })
  } else if (isDamaged(ctx) ? mayBeSound(ctx) : isFileBack(sqlite)) {
    reopenForWrites(sqlite)
    clearDamageMark(sqlite.name)
    // The file has everything again.
    dropCopy(sqlite)
  }
}

/** Records the damage if a statement failed because of it, in any request or job. */
export function recordIfDamage(ctx: Damageable, error: unknown): void {
  if (isDamageError(error)) recordDamage(ctx, { kind: 'pages', text: errorMessage(error), mayPass: isShortRead(error) })
}
