import type Dexie from 'dexie'
import type { Platform } from './platform.ts'
import { requestTimeoutMs } from './transport.ts'

/** Longer than any request, so that a lease ends only with its holder. */
export const leaseMs = 2 * requestTimeoutMs

export type LeaseRow = { key: 'lease'; holder: string; until: number }

export type Alone = {
  /** Names what only one tab may do at a time. */
  lock: string
  /** Its table `meta`, keyed by `key`, holds the lease where there are no Web Locks. */
  dexie: Dexie
  platform: Platform
  signal: AbortSignal
  /** Names this tab, at random. */
  holder: string
}

/**
 * Runs `run` in one tab at a time. With Web Locks it waits its turn; the browser frees the lock of a tab that dies.
 * Nothing but other drains ever waits for it: ticks and reads do not. Without Web Locks a lease row decides, and
 * false is returned at once while another tab holds it.
 */
export async function alone(who: Alone, run: (isStillMine: () => Promise<boolean>) => Promise<void>): Promise<boolean> {
  const { platform, lock, signal } = who
  if (platform.locks !== null) {
    await platform.locks.request(lock, { signal }, () => run(async () => true))
    return true
  }
  if (!(await takeLease(who))) return false
  try {
    await run(() => takeLease(who))
  } finally {
    if (!signal.aborted) await dropLease(who)
  }
  return true
}

const leases = (dexie: Dexie) => dexie.table<LeaseRow, 'lease'>('meta')

/** Takes or renews. A lease that ends later than one could have been taken for means that the clock was put back. */
async function takeLease({ dexie, platform, holder }: Alone): Promise<boolean> {
  return dexie.transaction('rw', leases(dexie), async () => {
    if ((await leaseLeft({ dexie, platform, holder })) > 0) return false
    await leases(dexie).put({ key: 'lease', holder, until: platform.wall() + leaseMs })
    return true
  })
}

/** Ms for which another tab still holds the lease; 0 where none does. */
export async function leaseLeft({
  dexie,
  platform,
  holder,
}: Pick<Alone, 'dexie' | 'platform' | 'holder'>): Promise<number> {
  const row = await leases(dexie).get('lease')
  const left = row && row.holder !== holder ? row.until - platform.wall() : 0
  return left > leaseMs ? 0 : Math.max(0, left)
}

async function dropLease({ dexie, holder }: Alone): Promise<void> {
  await dexie.transaction('rw', leases(dexie), async () => {
    if ((await leases(dexie).get('lease'))?.holder === holder) await leases(dexie).delete('lease')
  })
}
