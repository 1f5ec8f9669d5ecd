import type Dexie from 'dexie'
import type { Platform } from './platform.ts'
import { requestTimeoutMs } from './transport.ts'

/** Longer than any request, so that a lease expires only after its holder has died. */
const leaseMs = 2 * requestTimeoutMs

export type LeaseRow = { key: 'lease'; holder: string; until: number }

export type SyncLock = {
  name: string
  /** Its table `meta`, keyed by `key`, stores the lease if there are no Web Locks. */
  dexie: Dexie
  platform: Platform
  signal: AbortSignal
  /** A random id for this tab. */
  holder: string
}

/** Call it before each request: false once another tab has taken over the lock. */
export type StillHoldsLock = () => Promise<boolean>

/**
 * Runs `run` in one tab at a time. With Web Locks it waits its turn; the browser releases a dead tab's lock. Only other senders
 * wait for this lock, not ticks or reads. Without Web Locks a lease row decides, and it returns false immediately while another tab
 * holds it.
 */
export async function withSyncLock(
  lock: SyncLock,
  run: (stillHoldsLock: StillHoldsLock) => Promise<void>,
): Promise<boolean> {
  const { platform, name, signal } = lock
  if (platform.locks !== null) {
    await platform.locks.request(name, { signal }, (lost) => run(async () => !lost.aborted))
    return true
  }
  if (!(await takeLease(lock))) return false
  try {
    await run(() => takeLease(lock))
  } finally {
    if (!signal.aborted) await releaseLease(lock)
  }
  return true
}

const leases = (dexie: Dexie) => dexie.table<LeaseRow, 'lease'>('meta')

/** Takes or renews the lease. If it ends later than any lease taken now could, the clock has been put back. */
async function takeLease({ dexie, platform, holder }: SyncLock): Promise<boolean> {
  return dexie.transaction('rw', leases(dexie), async () => {
    if ((await leaseLeftMs({ dexie, platform, holder })) > 0) return false
    await leases(dexie).put({ key: 'lease', holder, until: platform.wall() + leaseMs })
    return true
  })
}

/** How long another tab still holds the lease; 0 if none does. */
export async function leaseLeftMs({
  dexie,
  platform,
  holder,
}: Pick<SyncLock, 'dexie' | 'platform' | 'holder'>): Promise<number> {
  const row = await leases(dexie).get('lease')
  const left = row && row.holder !== holder ? row.until - platform.wall() : 0
  return left > leaseMs ? 0 : Math.max(0, left)
}

async function releaseLease({ dexie, holder }: SyncLock): Promise<void> {
  await dexie.transaction('rw', leases(dexie), async () => {
    if ((await leases(dexie).get('lease'))?.holder === holder) await leases(dexie).delete('lease')
  })
}

/** The longest we wait for a tab that may never run again. */
const sessionLockTimeoutMs = 10_000

/**
 * With Web Locks, only one tab at a time logs in or out: a slow tab still wiping after a logout mustn't meet the next login. A tab
 * the browser froze in between blocks the others for 10 seconds at most.
 */
export async function withSessionLock<Result>(platform: Platform, work: () => Promise<Result>): Promise<Result> {
  const { locks } = platform
  if (locks === null) return work()
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
