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
import { clearLossMark, commandToTake, isWithoutLog, keptCopyOf } from './damage.ts'
import { realPathOf } from './real-path.ts'
import { commandToPutBack, findMovedAside } from './restore-leftovers.ts'

export const databaseFile = (dataDir: string) => join(dataDir, 'alliance.sqlite')

/**
 * Creates the data folder if needed, and makes it and its files private: they hold personal details, and the mailbox holds
 * people's login links. Throws a one-line `StartupError` if we can't write there, or if its database can't be a database.
 */
export function prepareDataDir(dataDir: string): void {
  makeFolder(dataDir, `DATA_DIR (${dataDir})`)
  setMode(dataDir, 0o700)
  assertWritable('DATA_DIR', dataDir)
  // Check the database before creating its lock, which reads it. This problem matters more.
  assertIsFile(databaseFile(dataDir))
  const media = join(dataDir, 'media')
  // Create it now, so that a backup may name it.
  makeFolder(media, media)
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    const path = join(dataDir, entry.name)
    if (entry.isFile()) setMode(path, 0o600)
    if (entry.isDirectory()) setMode(path, 0o700)
    if (entry.isFile() && /\.(sqlite|sqlite-wal|sqlite-shm|lock)$/.test(entry.name)) assertWritable('The file', path)
  }
}

/**
 * Makes files deeper in the folder private, such as media copied in by hand. There may be thousands, so a start doesn't wait for
 * it: their folder is private already. It leaves private files alone, or incremental backups would read them again, and doesn't
 * follow links. Never throws.
 */
export async function closeFilesBelow(folder: string): Promise<void> {
  // Imported here because the terminal loads this file and doesn't need it.
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
    // The server before may be deleting its log just now.
    if (what !== 'DATA_DIR' && errorCodeOf(error) === 'ENOENT') return
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

/** Call it before SQLite opens the file, so that the log and its index get the same mode. */
export function makePrivateFile(file: string): void {
  assertIsFile(file)
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    // The folder exists, so ENOENT means a dangling link.
    throw errorCodeOf(error) === 'ENOENT' ? deadLink(file) : error
  }
}

/** Throws a one-line `StartupError` if something other than a file is there. Nothing there is fine. */
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

/** Marks the folder as a site's, so that we notice if its database disappears. */
const markOf = (dataDir: string) => join(dataDir, 'in-use')

/** The same beside the folder of a live site, in case all of it is gone, such as a disk that isn't mounted. */
const liveMarkOf = (dataDir: string) => `${dirname(databaseFile(dataDir))}.in-use`

export function markAsUsed(dataDir: string, { isLive = false } = {}): void {
  const text = 'There’s already a site in this folder. To start a new one, use another folder or delete this one.\n'
  if (find(markOf(dataDir)) === undefined) {
    makePrivateFile(markOf(dataDir))
    writeFileSync(markOf(dataDir), text)
  }
  clearLossMark(databaseFile(dataDir))
  if (isLive)
    markBeside(liveMarkOf(dataDir), `There’s a live site in ${dataDir}. To start a new one, use another folder.\n`)
}

/** In a container there's no place beside the folder. */
function markBeside(mark: string, text: string): void {
  try {
    if (find(mark) === undefined) writeFileSync(mark, text, { mode: 0o600 })
  } catch {}
}

/** What the payment sandbox stores. */
export const sandboxFile = (dataDir: string) => join(dataDir, 'sandbox.sqlite')

/** Before marks existed, every start but the first left one of the other files. */
export function isUsed(dataDir: string): boolean {
  const sandbox = find(sandboxFile(dataDir))
  const others = [markOf(dataDir), liveMarkOf(dataDir), join(dataDir, 'documents'), `${databaseFile(dataDir)}-wal`]
  // No start ever made a folder of that name, and the sandbox refuses it.
  return (
    (sandbox?.isFile() === true && sandbox.size > 0) ||
    keptCopyOf(databaseFile(dataDir)) !== null ||
    others.some((path) => sizeOf(path) > 0)
  )
}

/** A new site may only begin in a new folder. In a used one, or in place of a live one's, it would hide that everything's lost. */
export function assertDatabaseThere(dataDir: string): void {
  const file = databaseFile(dataDir)
  if (isWithoutLog(file)) throw missingDatabase(file, 'The database’s log was removed while the server had it open.')
  if (!isUsed(dataDir) || sizeOf(file) > 0) return
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
  const isLost = isLink && find(file) === undefined && findMovedAside(file)?.isUnfinished !== true
  throw isLost ? deadLink(file) : missingDatabase(file)
}

/** If the server kept a copy, that's newer than any backup. If a restore was cut off, the old database is intact in the folder beside it. */
export function missingDatabase(
  file: string,
  missing = 'The database of this site is missing or empty.',
): StartupError {
  const kept = keptCopyOf(file)
  if (kept !== null) {
    return new StartupError(
      `${missing} Everything the server had saved is in ${kept}. If it still runs, stop it first. Put the copy in place and start again: ${commandToTake(file, kept)}`,
    )
  }
  const moved = findMovedAside(file)
  const command = moved === null ? '' : commandToPutBack(file, moved)
  if (moved?.isUnfinished === true) {
    return new StartupError(
      `${missing} A restore over ${file} was cut off; what was there lies in ${moved.folder}. Restore again (alliance backup restore FILE), or put it back: ${command}`,
    )
  }
  const before = moved === null ? '' : ` What was there before the last restore: ${moved.folder} (${command}).`
  const isGone = find(markOf(dirname(file))) === undefined && find(liveMarkOf(dirname(file))) !== undefined
  const mount = isGone ? ' Its whole folder is gone. If that’s on another disk, mount it.' : ''
  return new StartupError(
    `${missing}${mount} Put a backup at ${file} (docs/backup.md); a new site needs a new DATA_DIR.${before}`,
  )
}

/** The folder that holds the actual database file. Throws a one-line `StartupError` if its link is broken. */
export function homeOfDatabase(file: string): string {
  const home = dirname(realPathOf(file))
  if (find(home)?.isDirectory() !== true) throw deadLink(file)
  return home
}

const sizeOf = (path: string): number => find(path)?.size ?? 0

/** Follows a path. Undefined if nothing's there. Throws a `StartupError` if the links are circular. */
function find(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (errorCodeOf(error) !== 'ELOOP') throw error
    throw new StartupError(`${path} is a link to itself. Fix or remove it, and start again.`)
  }
}

/** Leaves files of other users alone: `doctor` reports them. */
function setMode(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch {}
}
