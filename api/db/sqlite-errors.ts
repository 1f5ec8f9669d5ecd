import { errorCodeOf } from '#api/log.ts'

/** SQLite read a page that's corrupt or missing. */
export const isDamageError = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(errorCodeOf(error))

/** This may also mean that the log isn't the one the server writes to, which restarting the server fixes. */
export const isShortRead = (error: unknown): boolean => errorCodeOf(error) === 'SQLITE_IOERR_SHORT_READ'

export const isBusyError = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(errorCodeOf(error))

export const isWriteRefused = (error: unknown): boolean => errorCodeOf(error).startsWith('SQLITE_READONLY')

/** The disk is full or failing, or the files have become read-only. */
export const isStorageError = (error: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(errorCodeOf(error))
