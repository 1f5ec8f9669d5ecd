import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Tells this process from an earlier one that had the same number, as the first of a container always has. */
const thisProcess = crypto.randomUUID()

let ownBirth: string | undefined

/** Names a run and the process that it is in. */
export function newHolder(id: string): string {
  ownBirth ??= birthOf(process.pid)
  return [hostname(), process.pid, thisProcess, id, ownBirth].join(' ')
}

/** The number of a holder's process. */
export const pidOf = (holder: string): number => Number(holder.split(' ')[1])

/** Of another machine nobody can tell what lives. */
export const isOfThisMachine = (holder: string): boolean => holder.split(' ')[0] === hostname()

/**
 * Whether the process of a run has ended for certain: it was one of this machine, and its number is free or in use by another.
 * Where a stranger has taken the number over and nobody can tell when it began, or the machine is another one, only the lease's
 * end tells.
 */
export function hasDied(holder: string): boolean {
  const [, , processId, , birth = ''] = holder.split(' ')
  const pid = pidOf(holder)
  if (!isOfThisMachine(holder) || processId === thisProcess) return false
  return pid === process.pid || !isRunning(pid) || isOfStranger(pid, birth)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** Nothing is said of a holder that an earlier version wrote, or of a process that may not be looked at. */
function isOfStranger(pid: number, birth: string): boolean {
  const now = birthOf(pid)
  return birth !== '' && now !== '' && birth !== now
}

/**
 * When a process began, in ticks since the machine was started, and which start that was: no two processes of one number have
 * the same. Linux alone tells; empty elsewhere.
 */
function birthOf(pid: number): string {
  try {
    const [boot, stat] = ['/proc/sys/kernel/random/boot_id', `/proc/${pid}/stat`].map((file) =>
      readFileSync(file, 'utf8').trim(),
    )
    // The second field is the program's name in brackets, which may hold any of these; the start is the 22nd.
    const ticks = stat?.slice(stat.lastIndexOf(')')).split(' ')[20]
    return ticks === undefined ? '' : `${boot}/${ticks}`
  } catch {
    return ''
  }
}
