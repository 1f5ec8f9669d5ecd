import type { Platform } from './platform.ts'

/** The longest we wait for a tab that may never run again. */
const sessionLockTimeoutMs = 10_000

/**
 * Only one tab at a time logs in or out: a slow tab still wiping after a logout mustn't meet the next login. A tab the browser froze
 * in between blocks the others for 10 seconds at most.
 */
export async function withSessionLock<Result>(platform: Platform, work: () => Promise<Result>): Promise<Result> {
  const { locks } = platform
  const waiting = new AbortController()
  const cancel = platform.after(sessionLockTimeoutMs, () => waiting.abort())
  let begun: Promise<Result> | null = null
  const begin = () => {
    begun ??= work()
    return begun
  }
  try {
    await locks.request('alliance-session', { signal: waiting.signal }, async () => {
      cancel()
      await begin()
    })
  } catch (error) {
    if (!waiting.signal.aborted) throw error
  }
  return begin()
}

export type RunExclusive = <Result>(work: () => Promise<Result>) => Promise<Result>

/**
 * Runs one piece of work at a time in this tab, in the order of the calls, even after a failure. Weighed: `async-mutex` (0.9 kB
 * more for every member) and `p-queue` (4 kB) do no more here than these lines.
 */
export function createMutex(): RunExclusive {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const current = last.then(work, work)
    last = current.catch(() => {})
    return current
  }
}
