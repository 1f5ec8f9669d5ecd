export const sqliteCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** SQLite met a page that cannot be as it wrote it, or is not there any more. */
export const isDamageError = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(sqliteCodeOf(error))

/** Another connection holds the lock that a write needs. */
export const isBusyError = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(sqliteCodeOf(error))

/** A write to a database that is closed to writes. */
export const isWriteRefused = (error: unknown): boolean => sqliteCodeOf(error).startsWith('SQLITE_READONLY')

/** The disk is full or fails, or the files may not be written any more. */
export const isStorageError = (error: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(sqliteCodeOf(error))
