import { existsSync, statSync } from 'node:fs'
import { errorMessage } from '#api/log.ts'
import { StartupError } from '#api/settings.ts'
import type { DbContext } from './context.ts'
import {
  clearDamageMark,
  damageLine,
  damageMarkOf,
  findingOf,
  findProblem,
  isDamaged,
  keepIfFileLost,
  markDamage,
  markedDamage,
  mayBeSound,
  recordDamage,
  recordIfLost,
  settleDamage,
} from './damage.ts'
import { openReadOnly, type Sqlite } from './open.ts'
import { isServed } from './server-lock.ts'
import { findProblemInThread } from './thread.ts'
import { isTimeToCopy } from './wal-files.ts'

/** Checking this much takes some 50 ms. */
const checkedAtOnceBytes = 8 * 1024 * 1024

/** Checks a small database before the server listens. A larger one is checked in a thread, unless it's known to be damaged. */
export function checkAtStart(ctx: DbContext): void {
  const { sqlite } = ctx
  if (sqlite.memory || existsSync(damageMarkOf(sqlite.name)) || statSync(sqlite.name).size <= checkedAtOnceBytes) {
    recordProblem(ctx, findProblem(sqlite))
    if (!sqlite.memory && !isDamaged(ctx)) clearDamageMark(sqlite.name)
  } else
    void checkIntegrity(ctx).catch((error: unknown) =>
      ctx.log.error('database not checked', { reason: errorMessage(error) }),
    )
}

/** Checks the database for a command that holds the folder instead of the server. Throws the line that suggests a restore. */
export function assertSound(file: string): void {
  const { $client: sqlite } = openReadOnly(file)
  const problem = findProblem(sqlite)
  sqlite.close()
  if (problem !== null) {
    markDamage(file, problem)
    throw new StartupError(damageLine(file, problem))
  }
  clearDamageMark(file)
}

/**
 * Takes over the damage another program recorded. If no server holds the folder, this program checks for itself, as the cause may
 * have gone. The check may take minutes, and doesn't stop a server from starting.
 */
export function heedDamageMark(ctx: DbContext): void {
  const { sqlite, settings } = ctx
  const finding = markedDamage(sqlite.name)
  if (finding === null) return
  const problem = isServed(settings.dataDir) ? null : findProblem(sqlite)
  const left = markedDamage(sqlite.name)
  // If a server has started by now, removing the mark is its job, and what it found since isn't what we checked.
  const isOfOthers = left !== null && (left !== finding || isServed(settings.dataDir))
  if (problem === null && isOfOthers) recordDamage(ctx, findingOf(left))
  else settleDamage(ctx, problem)
}

/** How soon a false alarm ends, and how soon the server learns what a command found. */
const betweenLooksMs = 3_000

const lookedAt = new WeakMap<Sqlite, number>()
/** When the last checked mark was written. Keeps a mark that can't be deleted from causing check after check. */
const knownMarks = new WeakMap<Sqlite, number>()
const checking = new WeakSet<Sqlite>()
/** Databases whose last check couldn't run, for example because an update replaced the programs. Logged once. */
const unchecked = new WeakSet<Sqlite>()

/**
 * Checks that the files exist. If another program found damage, or a lost file is back, it starts a check in a thread, every few
 * seconds at most. Nothing waits for it.
 */
export function lookAgain(ctx: DbContext): void {
  const { sqlite } = ctx
  recordIfLost(ctx)
  const at = ctx.now().getTime()
  const isTime = Math.abs(at - (lookedAt.get(sqlite) ?? Number.NEGATIVE_INFINITY)) >= betweenLooksMs
  // While a server runs, only it removes the mark.
  if (!isTime || sqlite.memory || ctx.localActor !== undefined || checking.has(sqlite)) return
  lookedAt.set(sqlite, at)
  keepIfFileLost(ctx, { mayCopy: isTimeToCopy(sqlite) })
  if (isDamaged(ctx) ? mayBeSound(ctx) : hasNewMark(sqlite)) void checkAgain(ctx)
}

function hasNewMark(sqlite: Sqlite): boolean {
  const writtenAt = statSync(damageMarkOf(sqlite.name), { throwIfNoEntry: false })?.mtimeMs
  if (writtenAt === undefined || writtenAt === knownMarks.get(sqlite)) return false
  knownMarks.set(sqlite, writtenAt)
  return true
}

async function checkAgain(ctx: DbContext): Promise<void> {
  const { sqlite, log } = ctx
  checking.add(sqlite)
  try {
    const problem = await findProblemInThread(sqlite.name)
    if (!sqlite.open) return
    unchecked.delete(sqlite)
    settleDamage(ctx, problem)
    if (!isDamaged(ctx)) log.info('database checked, and sound', { file: sqlite.name })
  } catch (error) {
    // The mark stops commands from writing, so retry until a check has run.
    knownMarks.delete(sqlite)
    if (!unchecked.has(sqlite)) log.error('database not checked', { reason: errorMessage(error) })
    unchecked.add(sqlite)
  } finally {
    checking.delete(sqlite)
  }
}

/** Checks every page, in a thread, because a large database takes seconds. */
export async function checkIntegrity(ctx: DbContext): Promise<{ isDamaged: boolean }> {
  const { sqlite } = ctx
  // The file at this path may be sound, but not the one we have open.
  recordIfLost(ctx)
  if (!isDamaged(ctx)) recordProblem(ctx, sqlite.memory ? findProblem(sqlite) : await findProblemInThread(sqlite.name))
  return { isDamaged: isDamaged(ctx) }
}

function recordProblem(ctx: DbContext, problem: string | null): void {
  if (problem !== null) recordDamage(ctx, { kind: 'pages', text: problem, mayPass: false })
}
