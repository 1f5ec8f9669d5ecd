import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { explainFullDisk, isFullError } from '#api/db/startup-error.ts'
import { hasDied, newHolder } from '#api/jobs/holder.ts'

/** Begins the name of what is not finished: the next run deletes what a killed one left. */
const partialMark = '.partial-'

/** Follows it, with the machine that writes: a folder of backups may be shared, and no lease is seen from elsewhere. */
const machineMark = `${partialMark}on-`

const ownMark = () => `${machineMark}${hostname().replaceAll(/[^A-Za-z0-9]/g, '_')}-`

/** Where something is written that is not finished. */
export const partialPath = (folder: string, id: string) => join(folder, `${ownMark()}${id}`)

/** Begins the name of a folder in which a backup is checked. It goes on beside a run that makes one, which leaves it alone. */
const checkMark = '.verify-'

/** In that folder: which process checks there. */
const makerFile = 'maker'

/** What takes longer is nothing that still runs: what other machines do, of which nobody here can tell, goes by this. */
const longestRunMs = 24 * 3_600_000

/** What is gone by now is as old as can be. */
const isYoung = (path: string) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) <= longestRunMs

/** The same among what other programs leave in the system's temporary folder. */
const strangeCheckMark = 'alliance-verify-'

/** Of this user alone, as `mkdtemp` makes it. */
export function makeCheckFolder(beside: string): string {
  const folder = folderToCheckIn(beside)
  try {
    writeFileSync(join(folder, makerFile), newHolder(crypto.randomUUID()), { mode: 0o600 })
    return folder
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw explainFullDisk(error, beside)
  }
}

/** A disk that was taken out of use, or an archive, may be read-only; a full one is named before another is filled. */
function folderToCheckIn(beside: string): string {
  try {
    return mkdtempSync(join(beside, checkMark))
  } catch (error) {
    if (isFullError(error)) throw explainFullDisk(error, beside)
    removeAbandonedChecks(tmpdir())
    return mkdtempSync(join(tmpdir(), strangeCheckMark))
  }
}

/** An earlier version checked under the name of what is not finished. As `mkdtemp` makes them; another folder is not ours. */
const checkNames = /^(\.(partial-)?|alliance-)verify-[A-Za-z0-9]{6}$/

/** To be called by who makes a backup there, and holds its lease. */
export function removePartial(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry
    const path = join(folder, name)
    const isOurs = entry.isDirectory() ? checkNames.test(name) : true
    const isElsewhere = name.startsWith(machineMark) && !name.startsWith(ownMark()) && isYoung(path)
    if (isOurs && name.startsWith(partialMark) && !isElsewhere) rmSync(path, { recursive: true, force: true })
  }
}

/**
 * What is written just now, for all that can be seen; null where nothing is. It is there from the beginning of a backup to its end, so
 * that nobody takes from it the media that it relies upon before its own list says so.
 */
export function findUnderway(folder: string): string | null {
  const paths = readdirSync(folder)
    .filter((name) => name.startsWith(partialMark))
    .map((name) => join(folder, name))
  return paths.find(isYoung) ?? null
}

/** What checks have left that were cut off. */
export function removeAbandonedChecks(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const isCheck = name.startsWith(checkMark) || name.startsWith(strangeCheckMark)
    if (isCheck && checkNames.test(name) && isAbandoned(path)) removeWhereAllowed(path)
  }
}

/** What lies on a disk that cannot be written, or is another user's, holds up nobody. */
function removeWhereAllowed(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {}
}

function isAbandoned(path: string): boolean {
  if (!isYoung(path)) return existsSync(path)
  try {
    return hasDied(readFileSync(join(path, makerFile), 'utf8'))
  } catch {
    // It begins or ends just now, or was cut off before it had said whose it is.
    return false
  }
}
