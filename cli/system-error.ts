import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'part of it is a file, not a folder',
  EISDIR: 'it’s a folder, not a file',
  EEXIST: 'it already exists',
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
  if (path !== undefined && isDenied(error)) return deniedText(path)
  const reason = reasons[code]
  if (reason === undefined || path === undefined) return error.message
  return `${path} can’t be used: ${reason}. Name another, or fix that and run the command again.`
}

export const isDenied = (error: unknown) =>
  error instanceof Error && 'code' in error && /^(EACCES|EPERM)$/.test(String(error.code))

/** On a server with a release we work as the site's own user, also if root typed the command. */
export const deniedText = (path: string) =>
  `The user ${userName()} can’t use ${path}. Put it where that user can read and write, such as /tmp.`

/** From the operating system, because anyone can set environment variables, which is all that Bun's `userInfo` reads. */
export function userName(): string {
  const uid = String(process.getuid?.() ?? 'unknown')
  try {
    const users = readFileSync('/etc/passwd', 'utf8').split('\n')
    const [name] = users.map((line) => line.split(':')).find(([, , id]) => id === uid) ?? []
    return name ?? userInfo().username
  } catch {
    return `uid ${uid}`
  }
}
