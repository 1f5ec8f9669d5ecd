import { errorCodeOf, errorMessage } from '#api/log.ts'
import { StartupError } from '#api/settings.ts'
import { damageLine } from './damage.ts'
import { isBusyError, isDamageError, isShortRead, isStorageError, isWriteRefused } from './sqlite-errors.ts'

/** Explains errors caused by a damaged database, and returns others unchanged. `known` is damage we knew of before. */
export function toDamageError(error: unknown, file: string, known: string | null = null): unknown {
  const line = isDamageError(error)
    ? damageLine(file, errorMessage(error), isShortRead(error))
    : isWriteRefused(error)
      ? known
      : null
  return line === null ? error : new StartupError(line)
}

/** Why a start couldn't open or write the database, in one line for the terminal. */
export function toStartupError(error: unknown, file: string): unknown {
  const reason = errorMessage(error)
  if (isDamageError(error)) return new StartupError(damageLine(file, reason, isShortRead(error)))
  if (isBusyError(error)) {
    return new StartupError(`${file} is locked: another program is writing to it. Stop that program and start again.`)
  }
  if (isFullError(error)) return new StartupError(`The disk that holds ${file} is full. Make room and start again.`)
  if (isStorageError(error) || isForbidden(error)) {
    return new StartupError(
      `${pathOf(error) ?? file} can’t be written (${errorCodeOf(error)}: ${reason}). Check its disk and its owner.`,
    )
  }
  return error
}

/** The path in a system error. SQLite's errors have none. */
const pathOf = (error: unknown): string | null =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null

/** Memory-mapped files beside the database need disk space too, and fail with their own code. */
export const isFullError = (error: unknown) =>
  /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/.test(errorCodeOf(error))

const isForbidden = (error: unknown) => /^(EACCES|EPERM|EROFS)$/.test(errorCodeOf(error))

/** Advice for a full disk, naming something on it. Returns any other error unchanged. */
export const explainFullDisk = (error: unknown, place: string): unknown =>
  isFullError(error)
    ? new Error(`The disk that holds ${place} is full. Make room and run the command again.`, { cause: error })
    : error
