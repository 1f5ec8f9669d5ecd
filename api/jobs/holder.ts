import { hostname } from 'node:os'

/** Tells this process from an earlier one that had the same number, as the first of a container always has. */
const thisProcess = crypto.randomUUID()

/** Names a run and the process that it is in. */
export const newHolder = (id: string): string => [hostname(), process.pid, thisProcess, id].join(' ')

/** Of another machine nobody can tell what lives. */
export const isOfThisMachine = (holder: string): boolean => holder.split(' ')[0] === hostname()

/**
 * Whether the process of a run has ended for certain: it was one of this machine, and its number is free or in use by another.
 * Where a stranger has taken the number over, or the machine is another one, only the lease's end tells.
 */
export function hasDied(holder: string): boolean {
  const [, pid, processId] = holder.split(' ')
  if (!isOfThisMachine(holder) || processId === thisProcess) return false
  return Number(pid) === process.pid || !isRunning(Number(pid))
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
