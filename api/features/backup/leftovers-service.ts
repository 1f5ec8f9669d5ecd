import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasDied, newHolder } from '#api/jobs/holder.ts'

/** Begins the name of what is not finished: the next run deletes what a killed one left. */
export const partialMark = '.partial-'

/** Begins the name of a folder in which a backup is checked. It goes on beside a run that makes one, which leaves it alone. */
const checkMark = '.verify-'

/** In that folder: which process checks there. */
const makerFile = 'maker'

/** A check that takes longer is none that still runs: those of other machines, of which nobody here can tell, go by this. */
const longestCheckMs = 24 * 3_600_000

export function makeCheckFolder(beside: string): string {
  const folder = mkdtempSync(join(beside, checkMark))
  writeFileSync(join(folder, makerFile), newHolder(crypto.randomUUID()), { mode: 0o600 })
  return folder
}

/** An earlier version checked under the name of what is not finished. As `mkdtemp` makes them; another folder is not ours. */
const checkNames = /^\.(partial-)?verify-[A-Za-z0-9]{6}$/

/** To be called by who makes a backup there, and holds its lease. */
export function removePartial(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const isOurs = entry.isDirectory() ? checkNames.test(entry.name) : true
    if (isOurs && entry.name.startsWith(partialMark)) {
      rmSync(join(folder, entry.name), { recursive: true, force: true })
    }
  }
}

/** What checks have left that were cut off. */
export function removeAbandonedChecks(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (name.startsWith(checkMark) && checkNames.test(name) && isAbandoned(path))
      rmSync(path, { recursive: true, force: true })
  }
}

function isAbandoned(path: string): boolean {
  const begunAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
  if (Date.now() - begunAt > longestCheckMs) return true
  try {
    return hasDied(readFileSync(join(path, makerFile), 'utf8'))
  } catch {
    // It begins or ends just now, or was cut off before it had said whose it is.
    return false
  }
}
