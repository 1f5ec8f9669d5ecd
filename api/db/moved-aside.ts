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
import { placeOf } from './place.ts'

/** Begins the name of the folder into which a restore moves the database that it replaces. */
const movedMark = 'before-restore-'

/** Begins the name of the folder in which a restore prepares the new one. */
export const restoringMark = '.restoring-'

/** Lies with what was moved away until the new one is in its place. */
const unfinishedNote = 'unfinished'

/** What another user has moved away cannot be looked into. */
function isFilled(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
  } catch {
    return false
  }
}

/** The rest of a database: a log without it would be taken for that of the next one. What marks it as damaged is beside its name. */
const restOf = (file: string): string[] => {
  const place = placeOf(file)
  return [`${place}-wal`, `${place}-shm`, damageMarkOf(file)].filter((path) => existsSync(path))
}

export const hasAnyPart = (file: string): boolean => existsSync(file) || restOf(file).length > 0

export type MovedAside = {
  folder: string
  /** The database in it. */
  file: string
  /** Nothing has been put in its place: the restore was cut off between its two moves. */
  isUnfinished: boolean
}

/** The database that the last restore over `file` moved away; null where there is none. */
export function findMovedAside(file: string): MovedAside | null {
  const found = foldersOfRestores(file)
    .map((folder) => ({ folder, file: join(folder, basename(placeOf(file))) }))
    .filter((one) => isFilled(one.file))
    .map((one) => ({ ...one, isUnfinished: !isFilled(file) && existsSync(join(one.folder, unfinishedNote)) }))
  return found.findLast(({ isUnfinished }) => isUnfinished) ?? found.at(-1) ?? null
}

const foldersOfRestores = (file: string) => namesBeside(file, movedMark)

function namesBeside(file: string, mark: string): string[] {
  const home = dirname(placeOf(file))
  if (!existsSync(home)) return []
  return readdirSync(home, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(mark))
    .map(({ name }) => join(home, name))
    .sort((one, other) => (withWideNumbers(one) < withWideNumbers(other) ? -1 : 1))
}

/** By which the tenth comes after the second. */
const withWideNumbers = (path: string) => path.replaceAll(/\d+/g, (digits) => digits.padStart(20, '0'))

/** What puts it back, for a person at a shell. */
export const commandToPutBack = (file: string, { folder }: MovedAside): string =>
  `mv ${folder}/${basename(placeOf(file))}* ${dirname(placeOf(file))}/`

/** Removes what restores have left that were cut off. To be called by what holds the folder. */
export function sweepRestores(file: string): void {
  for (const path of namesBeside(file, restoringMark)) {
    if (hasRandomEnd.test(path)) whereAllowed(() => rmSync(path, { recursive: true, force: true }))
  }
  for (const folder of foldersOfRestores(file)) {
    if (isFilled(file)) whereAllowed(() => rmSync(join(folder, unfinishedNote), { force: true }))
    whereAllowed(() => removeIfEmpty(folder))
  }
}

/** As `mkdtemp` makes it: a folder that somebody named so by hand is theirs. */
const hasRandomEnd = /-[A-Za-z0-9]{6}$/

/** What another user has left, as a restore by root does, stops no start. */
function whereAllowed(work: () => void): void {
  try {
    work()
  } catch {}
}

export function removeIfEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}

/** With its time, and the number that sets it apart from others of that second. */
const nameOfMoved = /^before-restore-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)(?:-(\d+))?$/

/**
 * A folder of its own, also for the second restore of a second. Its name comes after those of all before it, since the last is known by
 * that: where the clock was ahead at one of them, it has that one's time and the next number.
 */
export function makeFolderAside(file: string, stamp: string): string {
  const names = foldersOfRestores(file).map((folder) => nameOfMoved.exec(basename(folder)))
  const [, lastStamp = '', lastCount = '1'] = names.findLast((name) => name !== null) ?? []
  const isFirst = lastStamp < stamp
  const first = join(dirname(placeOf(file)), `${movedMark}${isFirst ? stamp : lastStamp}`)
  for (let count = isFirst ? 1 : Number(lastCount) + 1; ; count += 1) {
    const folder = count === 1 ? first : `${first}-${count}`
    if (existsSync(folder)) continue
    mkdirSync(folder, { mode: 0o700 })
    return folder
  }
}

/**
 * The database goes first, and its log after it: cut off in between, nothing is there to be opened without its log. What is noted
 * in the folder, the next restore goes on with.
 */
export function moveAside(file: string, folder: string): void {
  writeFileSync(join(folder, unfinishedNote), 'The restore that moved this database here has not ended.\n')
  sync(join(folder, unfinishedNote))
  sync(folder)
  if (existsSync(file)) moveFile(placeOf(file), folder)
  for (const path of restOf(file)) moveFile(path, folder)
}

/** Moves what a restore that was cut off had not moved yet. */
export function finishMovingAside(file: string, folder: string): void {
  if (existsSync(file)) rmSync(placeOf(file))
  for (const path of restOf(file)) moveFile(path, folder)
}

/** In one step, as it has no log: what opens it has all of it. */
export function moveIn(from: string, file: string, folder: string | null): void {
  if (existsSync(`${from}-wal`)) throw new Error('We couldn’t write the whole restored database.')
  sync(from)
  renameSync(from, placeOf(file))
  sync(dirname(placeOf(file)))
  if (folder !== null) rmSync(join(folder, unfinishedNote), { force: true })
}

/** The log goes first, for the same reason. */
export function putBack(file: string, folder: string): void {
  const place = placeOf(file)
  const moved = join(folder, basename(place))
  for (const end of ['-wal', '-shm', '']) if (existsSync(moved + end)) moveFile(moved + end, dirname(place))
  const mark = damageMarkOf(file)
  if (existsSync(join(folder, basename(mark)))) moveFile(join(folder, basename(mark)), dirname(mark))
  rmSync(join(folder, unfinishedNote), { force: true })
  rmdirSync(folder)
}

/** Of what the power takes half way, no later step is on the disk without the ones before it. */
function moveFile(path: string, folder: string): void {
  const to = join(folder, basename(path))
  try {
    renameSync(path, to)
  } catch (error) {
    // The mark beside a link may be on another disk.
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
