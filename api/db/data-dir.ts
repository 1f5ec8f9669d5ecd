import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCodeOf } from '#api/log.ts'
import { StartupError } from '#api/settings.ts'
import { commandToPutBack, findMovedAside } from './moved-aside.ts'
import { placeOf } from './place.ts'

export const databaseFile = (dataDir: string) => join(dataDir, 'alliance.sqlite')

/**
 * Makes the data folder where there is none, and closes it and the files in it to the machine's other users: they hold
 * people's details, and the mailbox people's links. Throws a `StartupError` of one line where this user may not write in it, or
 * where its database can be none.
 */
export function prepareDataDir(dataDir: string): void {
  makeFolder(dataDir, `DATA_DIR (${dataDir})`)
  setMode(dataDir, 0o700)
  assertWritable('DATA_DIR', dataDir)
  // Before the lock beside it, which matters less, and whose making reads it.
  assertIsFile(databaseFile(dataDir))
  const media = join(dataDir, 'media')
  // There from the start, so that a backup may name it.
  makeFolder(media, media)
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    const path = join(dataDir, entry.name)
    if (entry.isFile()) setMode(path, 0o600)
    if (entry.isDirectory()) setMode(path, 0o700)
    if (entry.isFile() && /\.(sqlite|sqlite-wal|sqlite-shm|lock)$/.test(entry.name)) assertWritable('The file', path)
  }
}

/**
 * Closes what lies deeper in the folder, such as media that were copied there by hand. These may be many thousands of files, so
 * that a start does not wait for it; their folder is closed already. What is closed is not touched, or backups made by
 * others would read it again, and what a link leads to is left alone. Never throws.
 */
export async function closeFilesBelow(folder: string): Promise<void> {
  // The terminal loads this file, and needs none of that.
  const { readdir, stat } = await import('node:fs/promises')
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (!entry.isDirectory() && !entry.isFile()) continue
    const mode = await stat(path).then(
      (found) => found.mode,
      () => 0,
    )
    if ((mode & 0o077) !== 0) setMode(path, entry.isFile() ? 0o600 : 0o700)
    if (entry.isDirectory()) await closeFilesBelow(path)
  }
}

function makeFolder(folder: string, name: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const code = errorCodeOf(error)
    if (code === 'EEXIST' || code === 'ENOTDIR') throw new StartupError(`${name} isn’t a folder.`)
    throw new StartupError(`${name} can’t be created: ${code || String(error)}.`)
  }
}

function assertWritable(what: string, path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | (what === 'DATA_DIR' ? constants.X_OK : 0))
  } catch (error) {
    throw new StartupError(`${what} (${path}) can’t be written: ${reasonOf(error, path)}.`)
  }
}

function reasonOf(error: unknown, path: string): string {
  const code = errorCodeOf(error)
  if (code === 'EROFS') return 'its disk is mounted read-only'
  const [owner, user] = [statSync(path, { throwIfNoEntry: false })?.uid, process.getuid?.()]
  if (owner !== undefined && user !== undefined && owner !== user) {
    return `it belongs to user ${owner}, and this program runs as user ${user}`
  }
  return code === 'EACCES' ? 'its permissions don’t allow it' : code || String(error)
}

/** Made before SQLite opens it: the log and the index beside it get the same mode. */
export function makePrivateFile(file: string): void {
  assertIsFile(file)
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    // Its folder is there, so that it is where a link leads that is not.
    throw errorCodeOf(error) === 'ENOENT' ? deadLink(file) : error
  }
}

/** Throws a `StartupError` of one line where there is something else. Where there is nothing yet, a file may be made. */
export function assertIsFile(file: string): void {
  const found = find(file)
  if (found === undefined || found.isFile()) return
  const kind = found.isDirectory() ? 'a folder' : 'something else'
  throw new StartupError(`${file} must be a file, and is ${kind}. Move that away, and start again.`)
}

const deadLink = (file: string) =>
  new StartupError(
    `${file} is a link to ${readlinkSync(file)}, which is missing. Mount its disk or fix the link, and start again.`,
  )

/** Says that a site has begun in this folder, so that its database is missed if it goes. */
const markOf = (dataDir: string) => join(dataDir, 'in-use')

export function markAsUsed(dataDir: string): void {
  const text = 'There’s already a site in this folder. To start a new one, use another folder or delete this one.\n'
  if (find(markOf(dataDir)) !== undefined) return
  makePrivateFile(markOf(dataDir))
  writeFileSync(markOf(dataDir), text)
}

/** Before there was a mark, all but the first start left one of the others. */
export function isUsed(dataDir: string): boolean {
  const sandbox = find(join(dataDir, 'sandbox.sqlite'))
  const others = [markOf(dataDir), join(dataDir, 'documents'), `${databaseFile(dataDir)}-wal`]
  // A folder of that name no start has made; the sandbox refuses it.
  return (sandbox?.isFile() === true && sandbox.size > 0) || others.some((path) => sizeOf(path) > 0)
}

/** A new site begins in a new folder alone: in a used one, it would hide that all is lost. */
export function assertDatabaseThere(dataDir: string): void {
  const file = databaseFile(dataDir)
  if (!isUsed(dataDir) || sizeOf(file) > 0) return
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  const isLost = isLink && find(file) === undefined && findMovedAside(file)?.isUnfinished !== true
  throw isLost ? deadLink(file) : missingDatabase(file)
}

/** Where a restore was cut off, what was there lies beside it, and nothing of it is lost. */
export function missingDatabase(file: string): StartupError {
  const missing = 'The database of this site is missing or empty.'
  const moved = findMovedAside(file)
  const command = moved === null ? '' : commandToPutBack(file, moved)
  if (moved?.isUnfinished === true) {
    return new StartupError(
      `${missing} A restore over ${file} was cut off; what was there lies in ${moved.folder}. Restore again (alliance backup restore FILE), or put it back: ${command}`,
    )
  }
  const before = moved === null ? '' : ` What was there before the last restore: ${moved.folder} (${command}).`
  return new StartupError(
    `${missing} Put a backup at ${file} (docs/backup.md); a new site needs a new DATA_DIR.${before}`,
  )
}

/** The folder in which the database itself lies. Throws a `StartupError` of one line where its link leads to none. */
export function homeOfDatabase(file: string): string {
  const home = dirname(placeOf(file))
  if (find(home)?.isDirectory() !== true) throw deadLink(file)
  return home
}

const sizeOf = (path: string): number => find(path)?.size ?? 0

/** What a path leads to; undefined where that is nothing. Throws a `StartupError` where its links lead round in a circle. */
function find(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (errorCodeOf(error) !== 'ELOOP') throw error
    throw new StartupError(`${path} is a link to itself. Fix or remove it, and start again.`)
  }
}

/** Another user's file stays as it is; `doctor` tells. */
function setMode(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch {}
}
