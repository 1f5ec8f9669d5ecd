import { errorCodeOf } from '#api/log.ts'

/** SQLite met a page that cannot be as it wrote it, or is not there any more. */
export const isDamageError = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(errorCodeOf(error))

/** It may also be that the log is not the one that the server writes to: a restart of the server then helps. */
export const isShortRead = (error: unknown): boolean => errorCodeOf(error) === 'SQLITE_IOERR_SHORT_READ'

/** Another connection holds the lock that a write needs. */
export const isBusyError = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(errorCodeOf(error))

/** A write to a database that is closed to writes. */
export const isWriteRefused = (error: unknown): boolean => errorCodeOf(error).startsWith('SQLITE_READONLY')

/** The disk is full or fails, or the files may not be written any more. */
export const isStorageError = (error: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(errorCodeOf(error))
