import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasDied, newHolder } from '#api/db/holder.ts'
import { explainFullDisk, isFullError } from '#api/db/startup-error.ts'
import { dayMs } from '#shared/rules/durations.ts'

/** Prefix of unfinished files. The next run deletes what a killed one left. */
const partialMark = '.partial-'

/** With the machine that writes. A backup folder may be shared, and we can't see another machine's lease. */
const machineMark = `${partialMark}on-`

const ownMark = () => `${machineMark}${hostname().replaceAll(/[^A-Za-z0-9]/g, '_')}-`

export const partialPath = (folder: string, id: string) => join(folder, `${ownMark()}${id}`)

/** Prefix of folders in which a backup is being checked. A run that makes a backup leaves them alone. */
const checkMark = '.verify-'

/** In that folder: the process that checks there. */
const makerFile = 'maker'

/** Nothing runs longer than this. We can't see other machines' processes, so we judge their files by age. */
const longestRunMs = dayMs

/** A file that's gone by now counts as old. */
const isYoung = (path: string) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) <= longestRunMs

/** Prefix of check folders in the system's temporary folder. */
const strangeCheckMark = 'alliance-verify-'

/** Readable by this user only, as `mkdtemp` makes it. */
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

/** A retired disk or an archive may be read-only. If its disk is full, we say so before filling another. */
function folderToCheckIn(beside: string): string {
  try {
    return mkdtempSync(join(beside, checkMark))
  } catch (error) {
    if (isFullError(error)) throw explainFullDisk(error, beside)
    removeAbandonedChecks(tmpdir())
    return mkdtempSync(join(tmpdir(), strangeCheckMark))
  }
}

/** An earlier version put checks under the prefix of unfinished files. Matches names `mkdtemp` makes; other folders aren't ours. */
const checkNames = /^(\.(partial-)?|alliance-)verify-[A-Za-z0-9]{6}$/

/** Call it while making a backup there and holding its lease. */
export function removePartial(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry
    const path = join(folder, name)
    const isOurs = entry.isDirectory() ? checkNames.test(name) : true
    const isElsewhere = name.startsWith(machineMark) && !name.startsWith(ownMark()) && isYoung(path)
    if (isOurs && name.startsWith(partialMark) && !isElsewhere) rmSync(path, { recursive: true, force: true })
  }
}

/** Null if no backup is being written there, as far as we can tell. Its marker protects media it hasn't listed yet. */
export function findUnderway(folder: string): string | null {
  const paths = readdirSync(folder)
    .filter((name) => name.startsWith(partialMark))
    .map((name) => join(folder, name))
  return paths.find(isYoung) ?? null
}

export function removeAbandonedChecks(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const isCheck = name.startsWith(checkMark) || name.startsWith(strangeCheckMark)
    if (isCheck && checkNames.test(name) && isAbandoned(path)) removeWhereAllowed(path)
  }
}

/** A read-only disk or another user's files must not stop the run. */
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
    // It's only just starting or finishing, or was interrupted before it recorded its process.
    return false
  }
}
