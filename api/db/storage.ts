import { statSync } from 'node:fs'
import type { Database as Sqlite } from 'better-sqlite3'
import { errorCodeOf, errorMessage } from '#api/log.ts'
import { withoutWaiting } from './busy.ts'
import type { DbContext } from './context.ts'
import { closeIfWhole, isDamaged, isLost, keepIfFileLost, recordIfDamage, recordIfLost } from './damage.ts'
import { isInPlace } from './database-file.ts'
import { lookAgain } from './integrity.ts'
import { realPathOfOpen } from './real-path.ts'
import { isStorageError } from './sqlite-errors.ts'
import { writeSetting } from './stored-settings.ts'
import { dropCopy, emptyLog } from './wal-files.ts'

/** The error of the last failed write. No entry while the disk takes writes. */
const failures = new WeakMap<Sqlite, string>()

export const isUnwritable = ({ sqlite }: { sqlite: Sqlite }): boolean => failures.has(sqlite)

/** Records a failed write by any request or job. Logs it once, until the disk takes writes again. */
export function recordIfUnwritable({ sqlite, log }: Pick<DbContext, 'sqlite' | 'log'>, error: unknown): void {
  if (!isStorageError(error) || isDamaged({ sqlite })) return
  if (!failures.has(sqlite)) log.error('database cannot be written', { file: sqlite.name, reason: errorCodeOf(error) })
  failures.set(sqlite, errorCodeOf(error))
}

const key = 'write_check'
const betweenChecksMs = 5_000
/** Several pages, because a nearly full disk may still take one. */
const filler = 'x'.repeat(16_000)

const checkedAt = new WeakMap<Sqlite, number>()

/** Checks the file and tries a write as large as our forms need, every few seconds at most. A lock isn't a disk problem. */
export function checkWritable(ctx: DbContext): void {
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
 * Checkpoints a log that has grown, and truncates it. SQLite's own checkpoints can't while someone reads for long, and afterwards
 * the next comes only with the next write.
 */
export function shortenLog({ sqlite }: DbContext): { bytes: number; isShortened: boolean } {
  const bytes = statSync(`${realPathOfOpen(sqlite)}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (bytes <= largeLogBytes) return { bytes, isShortened: false }
  return { bytes, isShortened: withoutWaiting(sqlite, () => emptyLog(sqlite)) }
}

/** If the log can't be written back, the next start does it, as long as the log's still there. */
export function closeDatabase(ctx: Pick<DbContext, 'sqlite' | 'log'>): void {
  const { sqlite, log } = ctx
  try {
    recordIfLost(ctx)
    // The last chance, whatever failed before.
    keepIfFileLost(ctx, { mayCopy: true })
  } catch (error) {
    log.warn('database not looked at', { reason: errorMessage(error) })
  }
  if (!isLost(ctx) && isEmptied(ctx) && isInPlace(sqlite)) dropCopy(sqlite)
  closeIfWhole(ctx)
}

function isEmptied({ sqlite, log }: Pick<DbContext, 'sqlite' | 'log'>): boolean {
  try {
    return emptyLog(sqlite)
  } catch (error) {
    log.warn('database not checkpointed', { reason: errorMessage(error) })
    return false
  }
}
