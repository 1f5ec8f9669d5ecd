const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'part of it is a file, not a folder',
  EISDIR: 'it’s a folder, not a file',
  EEXIST: 'it already exists',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
}

/** A file, disk or database error in words, with the next step; the system's own message if we have none. */
export function systemErrorText(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined
  // SQLite says it with codes of its own.
  if (/^(ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)$/.test(code))
    return 'The disk is full, so not everything was written. Free some space and run the command again.'
  if (code === 'EIO' || code.startsWith('SQLITE_IOERR'))
    return 'Can’t read or write the disk. Check it, then run the command again.'
  const reason = reasons[code]
  if (reason === undefined || path === undefined) return error.message
  return `${path} can’t be used: ${reason}. Name another, or fix that and run the command again.`
}
