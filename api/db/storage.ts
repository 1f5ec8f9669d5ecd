import { statSync } from 'node:fs'
import type { Database as Sqlite } from 'better-sqlite3'
import type { Context } from '#api/context.ts'
import { errorCodeOf, errorMessage } from '#api/log.ts'
import { withoutWaiting } from './busy.ts'
import {
  closeIfWhole,
  hasLostLog,
  isDamaged,
  isInTwoParts,
  keepAtStop,
  mendIfLogLost,
  recordIfDamage,
  recordIfLost,
} from './damage.ts'
import { lookAgain } from './integrity.ts'
import { dropCopy, emptyLog } from './lost-log.ts'
import { placeOfOpen } from './place.ts'
import { isStorageError } from './sqlite-errors.ts'
import { writeSetting } from './stored-settings.ts'

/** The error of the last write that the disk did not take; none while it takes them. */
const failures = new WeakMap<Sqlite, string>()

export const isUnwritable = ({ sqlite }: { sqlite: Sqlite }): boolean => failures.has(sqlite)

/** Records what a write met, of whichever request or job it was. Logs it once, until the disk takes writes again. */
export function recordIfUnwritable({ sqlite, log }: Pick<Context, 'sqlite' | 'log'>, error: unknown): void {
  if (!isStorageError(error) || isDamaged({ sqlite })) return
  if (!failures.has(sqlite)) log.error('database cannot be written', { file: sqlite.name, reason: errorCodeOf(error) })
  failures.set(sqlite, errorCodeOf(error))
}

const key = 'write_check'
const betweenChecksMs = 5_000
/** Several pages: a disk that is all but full may still take one. */
const filler = 'x'.repeat(16_000)

const checkedAt = new WeakMap<Sqlite, number>()

/** Looks at the file, and tries a write as large as those of our forms, every few seconds at most. A lock says nothing about the disk. */
export function checkWritable(ctx: Context): void {
  lookAgain(ctx)
  const { sqlite, log } = ctx
  const at = ctx.now().getTime()
  if (isDamaged(ctx) || Math.abs(at - (checkedAt.get(sqlite) ?? Number.NEGATIVE_INFINITY)) < betweenChecksMs) return
  checkedAt.set(sqlite, at)
  try {
    withoutWaiting(sqlite, () => writeSetting(ctx, key, { at, filler }))
    if (failures.delete(sqlite)) log.info('database can be written again', { file: sqlite.name })
  } catch (error) {
    recordIfDamage(ctx, error)
    recordIfUnwritable(ctx, error)
  }
}

const largeLogBytes = 8 * 1024 * 1024

/**
 * Writes a log that has grown back into the database, and empties it: while somebody reads for long, SQLite's own checkpoints
 * cannot, and afterwards none follows until the next write.
 */
export function shortenLog({ sqlite }: Context): { bytes: number; isShortened: boolean } {
  const bytes = statSync(`${placeOfOpen(sqlite)}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (bytes <= largeLogBytes) return { bytes, isShortened: false }
  return { bytes, isShortened: withoutWaiting(sqlite, () => emptyLog(sqlite)) }
}

/** Where the log cannot be written back, the next start does it, as long as it is in its place. */
export function closeDatabase(ctx: Pick<Context, 'sqlite' | 'log'>): void {
  const { sqlite, log } = ctx
  let isLost = false
  try {
    recordIfLost(ctx)
    // It is the last chance, whatever failed before.
    mendIfLogLost(ctx, { mayCopy: true })
    isLost = hasLostLog(ctx)
  } catch (error) {
    log.warn('database not looked at', { reason: errorMessage(error) })
  }
  if (isInTwoParts(ctx)) keepAtStop(ctx)
  else if (isEmptied(ctx)) dropCopy(sqlite)
  else if (isLost) keepAtStop(ctx)
  closeIfWhole(ctx)
}

function isEmptied({ sqlite, log }: Pick<Context, 'sqlite' | 'log'>): boolean {
  try {
    return emptyLog(sqlite)
  } catch (error) {
    log.warn('database not checkpointed', { reason: errorMessage(error) })
    return false
  }
}
