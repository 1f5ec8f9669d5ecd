import { readdirSync, readFileSync } from 'node:fs'

/** The processes that this one started, with those that they started. */
export function startedBy(parent: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const above = parentOf(name)
    children.set(above, [...(children.get(above) ?? []), Number(name)])
  }
  const below = (pid: number): number[] => (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)])
  return below(parent)
}

function parentOf(pid: string): number {
  try {
    // The name before it may hold spaces and brackets.
    return Number(/.*\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    // It has just ended.
    return 0
  }
}

export const isRunning = (pid: number) => parentOf(String(pid)) !== 0

export function signalTo(pids: readonly number[], signal: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has just ended.
    }
  }
}
