import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Tells this process from an earlier one with the same PID. In a container the first process always has the same. */
const thisProcess = crypto.randomUUID()

let ownBirth: string | undefined

export function newHolder(id: string): string {
  ownBirth ??= birthOf(process.pid)
  return [hostname(), process.pid, thisProcess, id, ownBirth].join(' ')
}

export const pidOf = (holder: string): number => Number(holder.split(' ')[1])

/** We can't check a process on another machine. */
export const isOfThisMachine = (holder: string): boolean => holder.split(' ')[0] === hostname()

/**
 * Whether a run's process has certainly ended: it was on this machine, and its PID is free or belongs to another process. If we
 * can't tell when the PID's process began, or it's another machine, we wait for the lease to expire.
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
    // EPERM: the process belongs to another user, but it exists.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** We can't tell for a holder written by an earlier version, or a process we aren't allowed to read. */
function isOfStranger(pid: number, birth: string): boolean {
  const now = birthOf(pid)
  return birth !== '' && now !== '' && birth !== now
}

/** When a process began, in ticks since boot, and the boot's id. Two processes never share both. Empty outside Linux. */
function birthOf(pid: number): string {
  try {
    const [boot, stat] = ['/proc/sys/kernel/random/boot_id', `/proc/${pid}/stat`].map((file) =>
      readFileSync(file, 'utf8').trim(),
    )
    // The second field is the program's name in brackets, which may contain spaces and brackets. The start time is the 22nd.
    const ticks = stat?.slice(stat.lastIndexOf(')')).split(' ')[20]
    return ticks === undefined ? '' : `${boot}/${ticks}`
  } catch {
    return ''
  }
}
