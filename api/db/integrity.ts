import { existsSync, statSync } from 'node:fs'
import type { Context } from '#api/context.ts'
import { errorMessage } from '#api/log.ts'
import { StartupError } from '#api/settings.ts'
import {
  clearDamageMark,
  damageLine,
  damageMarkOf,
  findProblem,
  isDamaged,
  markDamage,
  markedDamage,
  mayBeSound,
  mendIfLogLost,
  recordDamage,
  recordIfLost,
  settleDamage,
} from './damage.ts'
import { isTimeToCopy } from './lost-log.ts'
import { openReadOnly, type Sqlite } from './open.ts'
import { isServed } from './server-lock.ts'
import { findProblemInThread } from './thread.ts'

/** So much is checked in some 50 ms. */
const checkedAtOnceBytes = 8 * 1024 * 1024

/**
 * A small database is checked before the server serves, a larger one in a thread while it does already, unless it was found damaged
 * before.
 */
export function checkAtStart(ctx: Context): void {
  const { sqlite } = ctx
  if (sqlite.memory || existsSync(damageMarkOf(sqlite.name)) || statSync(sqlite.name).size <= checkedAtOnceBytes) {
    recordProblem(ctx, findProblem(sqlite))
    if (!sqlite.memory && !isDamaged(ctx)) clearDamageMark(sqlite.name)
  } else
    void checkIntegrity(ctx).catch((error: unknown) =>
      ctx.log.error('database not checked', { reason: errorMessage(error) }),
    )
}

/** The same for a command that holds the folder in the server's place. Throws the line that names the restore. */
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
 * Takes over what another program found in this database. Where no server holds the folder, this one looks for itself: the cause
 * may have gone since. That may take minutes, and keeps no server from starting.
 */
export function heedDamageMark(ctx: Context): void {
  const { sqlite, settings } = ctx
  const finding = markedDamage(sqlite.name)
  if (finding === null) return
  const problem = isServed(settings.dataDir) ? null : findProblem(sqlite)
  const left = markedDamage(sqlite.name)
  // A server that has started meanwhile removes it, and what was found since is not what was looked into here.
  const isOfOthers = left !== null && (left !== finding || isServed(settings.dataDir))
  if (problem === null && isOfOthers) recordDamage(ctx, left, { mayPass: true })
  else settleDamage(ctx, problem)
}

/** So soon a false alarm ends, and the server knows what a command has found. */
const betweenLooksMs = 3_000

const lookedAt = new WeakMap<Sqlite, number>()
/** When the mark was written that was looked into last. One that cannot be removed does not have everything checked again and again. */
const knownMarks = new WeakMap<Sqlite, number>()
const checking = new WeakSet<Sqlite>()
/** Where the last check did not come about, such as while an update replaces the programs: it is logged once. */
const unchecked = new WeakSet<Sqlite>()

/**
 * Looks whether the files are there. Has the server check the database where another program found it damaged, or where its file
 * was lost and is there again: every few seconds at most, in a thread, and nothing waits for it.
 */
export function lookAgain(ctx: Context): void {
  const { sqlite } = ctx
  recordIfLost(ctx)
  const at = ctx.now().getTime()
  const isTime = Math.abs(at - (lookedAt.get(sqlite) ?? Number.NEGATIVE_INFINITY)) >= betweenLooksMs
  // Beside a server it is the server that removes the mark.
  if (!isTime || sqlite.memory || ctx.localActor !== undefined || checking.has(sqlite)) return
  lookedAt.set(sqlite, at)
  mendIfLogLost(ctx, { mayCopy: isTimeToCopy(sqlite) })
  if (isDamaged(ctx) ? mayBeSound(ctx) : hasNewMark(sqlite)) void checkAgain(ctx)
}

function hasNewMark(sqlite: Sqlite): boolean {
  const writtenAt = statSync(damageMarkOf(sqlite.name), { throwIfNoEntry: false })?.mtimeMs
  if (writtenAt === undefined || writtenAt === knownMarks.get(sqlite)) return false
  knownMarks.set(sqlite, writtenAt)
  return true
}

async function checkAgain(ctx: Context): Promise<void> {
  const { sqlite, log } = ctx
  checking.add(sqlite)
  try {
    const problem = await findProblemInThread(sqlite.name)
    if (!sqlite.open) return
    unchecked.delete(sqlite)
    settleDamage(ctx, problem)
    if (!isDamaged(ctx)) log.info('database checked, and sound', { file: sqlite.name })
  } catch (error) {
    // The mark keeps commands from writing, so that it is looked into until a check comes about.
    knownMarks.delete(sqlite)
    if (!unchecked.has(sqlite)) log.error('database not checked', { reason: errorMessage(error) })
    unchecked.add(sqlite)
  } finally {
    checking.delete(sqlite)
  }
}

/** Goes through every page of the database, in a thread of its own: a large one takes seconds. */
export async function checkIntegrity(ctx: Context): Promise<{ isDamaged: boolean }> {
  const { sqlite } = ctx
  // What lies at the path now may be sound, and not this database.
  recordIfLost(ctx)
  if (!isDamaged(ctx)) recordProblem(ctx, sqlite.memory ? findProblem(sqlite) : await findProblemInThread(sqlite.name))
  return { isDamaged: isDamaged(ctx) }
}

function recordProblem(ctx: Context, problem: string | null): void {
  if (problem !== null) recordDamage(ctx, problem)
}
