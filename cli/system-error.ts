const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'part of it is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  EEXIST: 'it is there already',
  EACCES: 'this account may not',
  EPERM: 'this account may not',
  EROFS: 'the disk is read-only',
}

/** What the system says of a file or the disk, in words, with the next step; its own words where there are none. */
export function systemErrorText(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return 'The disk is full, and not all of it was written. Make room on it, then run the command again.'
  if (code === 'EIO') return 'The disk cannot be read or written. Check it, then run the command again.'
  const reason = reasons[code]
  if (reason === undefined || path === undefined) return error.message
  return `${path} cannot be used: ${reason}. Name another, or mend that and run the command again.`
}
