import type { MemberStore } from './db.ts'
import { requestTimeoutMs } from './send.ts'
import type { Surroundings } from './surroundings.ts'

/** Longer than any request, so that a lease ends only with its holder. */
export const leaseMs = 2 * requestTimeoutMs

export type Alone = {
  store: MemberStore
  around: Surroundings
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
  const { around, store, signal } = who
  if (around.locks !== null) {
    await around.locks.request(`alliance-sync-${store.memberId}`, { signal }, () => run(async () => true))
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

/** Takes or renews. A lease that ends later than one could have been taken for means that the clock was put back. */
async function takeLease({ store, around, holder }: Alone): Promise<boolean> {
  return store.dexie.transaction('rw', store.meta, async () => {
    const row = await store.meta.get('lease')
    const left = row?.key === 'lease' && row.holder !== holder ? row.until - around.wall() : 0
    if (left > 0 && left <= leaseMs) return false
    await store.meta.put({ key: 'lease', holder, until: around.wall() + leaseMs })
    return true
  })
}

async function dropLease({ store, holder }: Alone): Promise<void> {
  await store.dexie.transaction('rw', store.meta, async () => {
    const row = await store.meta.get('lease')
    if (row?.key === 'lease' && row.holder === holder) await store.meta.delete('lease')
  })
}
