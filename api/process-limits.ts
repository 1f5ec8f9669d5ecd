import { readFile } from 'node:fs/promises'

/** CPU time, so a busy machine rejects nothing. `waitMs` ends a process that hangs without working. */
export type ProcessLimits = { processorMs: number; waitMs: number; bytes: number }

export type Excess = 'time' | 'memory'
export type Spent = { processorMs: number; bytes: number }

const lookMs = 50

/** Kills a process that exceeds its limits. `excess` says which. What it had spent `before` doesn't count. */
export function watchLimits(child: Bun.Subprocess, limits: ProcessLimits, before: Spent | null) {
  let excess: Excess | null = null
  const beganAt = performance.now()
  async function look() {
    const spent = await spentBy(child.pid)
    const waited = performance.now() - beganAt
    // Outside Linux we only know the elapsed time.
    const worked = spent === null ? waited : spent.processorMs - (before?.processorMs ?? 0)
    const isSlow = worked > limits.processorMs || waited > limits.waitMs
    if (!isSlow && (spent?.bytes ?? 0) <= limits.bytes) return
    excess ??= isSlow ? 'time' : 'memory'
    child.kill('SIGKILL')
  }
  // At once too: a process that's asked for little each time must be caught all the same.
  void look()
  const timer = setInterval(look, lookMs)
  return { excess: () => excess, end: () => clearInterval(timer) }
}

/** One tick of Linux's CPU time counter: 10 ms on every machine. */
const tickMs = 10
const pageBytes = 4096

export async function spentBy(pid: number): Promise<Spent | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  // The second field is the program's name in brackets, so index 0 here is the third.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, pages = 0] = [fields[11], fields[12], fields[21]].map(Number)
  return { processorMs: (user + system) * tickMs, bytes: pages * pageBytes }
}
