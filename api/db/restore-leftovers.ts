import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorCodeOf } from '#api/log.ts'
import { damageMarkOf } from './damage.ts'
import { realPathOf } from './real-path.ts'

/** Prefix of the folder a restore moves the old database to. */
const movedMark = 'before-restore-'

/** Prefix of the folder a restore prepares the new database in. */
export const restoringMark = '.restoring-'

/** Stays with the old database until the new one is in place. */
const unfinishedNote = 'unfinished'

/** We may not be allowed to read what another user moved. */
function isFilled(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
  } catch {
    return false
  }
}

/** The other files of a database: the next one would take a leftover log for its own. The damage mark is named after it too. */
const restOf = (file: string): string[] => {
  const real = realPathOf(file)
  return [`${real}-wal`, `${real}-shm`, damageMarkOf(file)].filter((path) => existsSync(path))
}

export const hasAnyPart = (file: string): boolean => existsSync(file) || restOf(file).length > 0

export type MovedAside = {
  folder: string
  file: string
  /** The restore was cut off between its two moves, so nothing has taken its place. */
  isUnfinished: boolean
}

/** The database the last restore over `file` replaced. Null if there's none. */
export function findMovedAside(file: string): MovedAside | null {
  const found = foldersOfRestores(file)
    .map((folder) => ({ folder, file: join(folder, basename(realPathOf(file))) }))
    .filter((one) => isFilled(one.file))
    .map((one) => ({ ...one, isUnfinished: !isFilled(file) && existsSync(join(one.folder, unfinishedNote)) }))
  return found.findLast(({ isUnfinished }) => isUnfinished) ?? found.at(-1) ?? null
}

const foldersOfRestores = (file: string) => namesBeside(file, movedMark)

function namesBeside(file: string, mark: string): string[] {
  const home = dirname(realPathOf(file))
  if (!existsSync(home)) return []
  return readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(mark))
    .map(({ name }) => join(home, name))
    .sort((one, other) => (withWideNumbers(one) < withWideNumbers(other) ? -1 : 1))
}

/** Pads numbers, so the tenth sorts after the second. */
const withWideNumbers = (path: string) => path.replaceAll(/\d+/g, (digits) => digits.padStart(20, '0'))

export const commandToPutBack = (file: string, { folder }: MovedAside): string =>
  `mv ${folder}/${basename(realPathOf(file))}* ${dirname(realPathOf(file))}/`

/** Deletes the leftovers of restores that were cut off. Call it only while holding the folder. */
export function sweepRestores(file: string): void {
  for (const path of namesBeside(file, restoringMark)) {
    if (hasRandomEnd.test(path)) whereAllowed(() => rmSync(path, { recursive: true, force: true }))
  }
  for (const folder of foldersOfRestores(file)) {
    if (isFilled(file)) whereAllowed(() => rmSync(join(folder, unfinishedNote), { force: true }))
    whereAllowed(() => removeIfEmpty(folder))
  }
}

/** Ends as `mkdtemp` ends names. A folder a person named isn't ours to delete. */
const hasRandomEnd = /-[A-Za-z0-9]{6}$/

/** Another user's leftovers, such as root's, mustn't stop a start. */
function whereAllowed(work: () => void): void {
  try {
    work()
  } catch {}
}

export function removeIfEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}

const nameOfMoved = /^before-restore-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)(?:-(\d+))?$/

/**
 * Makes a new folder, even for a second restore in the same second. We find the last restore by name, so the new one must sort
 * last: if an earlier restore's clock was ahead, we take its time and the next number.
 */
export function makeFolderAside(file: string, stamp: string): string {
  const names = foldersOfRestores(file).map((folder) => nameOfMoved.exec(basename(folder)))
  const [, lastStamp = '', lastCount = '1'] = names.findLast((name) => name !== null) ?? []
  const isFirst = lastStamp < stamp
  const first = join(dirname(realPathOf(file)), `${movedMark}${isFirst ? stamp : lastStamp}`)
  for (let count = isFirst ? 1 : Number(lastCount) + 1; ; count += 1) {
    const folder = count === 1 ? first : `${first}-${count}`
    if (existsSync(folder)) continue
    mkdirSync(folder, { mode: 0o700 })
    return folder
  }
}

/**
 * Moves the database first, then its log: if we're cut off in between, there's no database to open without its log. The next
 * restore continues from the folder's note.
 */
export function moveAside(file: string, folder: string): void {
  writeFileSync(join(folder, unfinishedNote), 'The restore that moved this database here hasn’t finished.\n')
  sync(join(folder, unfinishedNote))
  sync(folder)
  if (existsSync(file)) moveFile(realPathOf(file), folder)
  for (const path of restOf(file)) moveFile(path, folder)
}

export function finishMovingAside(file: string, folder: string): void {
  if (existsSync(file)) rmSync(realPathOf(file))
  for (const path of restOf(file)) moveFile(path, folder)
}

/** What Litestream remembers of the database: with another in its place, it has to begin again with a whole copy. */
const litestreamFolder = (file: string) => join(dirname(realPathOf(file)), `.${basename(realPathOf(file))}-litestream`)

/** The restored database has no log, so one rename makes all of it available. */
export function moveIn(from: string, file: string, folder: string | null): void {
  if (existsSync(`${from}-wal`)) throw new Error('We couldn’t write the whole restored database.')
  sync(from)
  rmSync(litestreamFolder(file), { recursive: true, force: true })
  renameSync(from, realPathOf(file))
  sync(dirname(realPathOf(file)))
  if (folder !== null) rmSync(join(folder, unfinishedNote), { force: true })
}

/** Moves the log first, for the same reason. */
export function putBack(file: string, folder: string): void {
  const real = realPathOf(file)
  const moved = join(folder, basename(real))
  for (const end of ['-wal', '-shm', '']) if (existsSync(moved + end)) moveFile(moved + end, dirname(real))
  const mark = damageMarkOf(file)
  if (existsSync(join(folder, basename(mark)))) moveFile(join(folder, basename(mark)), dirname(mark))
  rmSync(join(folder, unfinishedNote), { force: true })
  rmdirSync(folder)
}

/** Syncs each step, so after a power cut no later step is on disk without the earlier ones. */
function moveFile(path: string, folder: string): void {
  const to = join(folder, basename(path))
  try {
    renameSync(path, to)
  } catch (error) {
    // The database may be a link to another disk, with the mark beside the link.
    if (errorCodeOf(error) !== 'EXDEV') throw error
    copyFileSync(path, to)
    rmSync(path)
  }
  sync(folder)
  sync(dirname(path))
}

function sync(path: string): void {
  const opened = openSync(path, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
