import { waitLeft } from '#pwa/sync/back-off.ts'
import { alone, leaseLeft } from '#pwa/sync/locks.ts'
import type { Platform, WakeReason } from '#pwa/sync/platform.ts'
import { createSchedule, isPersonal } from '#pwa/sync/scheduler.ts'
import { type Drained, drain } from './drain.ts'
import type { PhoneClock } from './phone-clock.ts'
import { changeFlush, type MemberStore, readFlush } from './store.ts'

/** How often an open page asks for what other devices did. */
export const pullEveryMs = 5 * 60_000

/** `busy`: another tab is at it. `waiting`: not tried, for want of signal or because it is not time yet. */
export type Flushed = Drained | 'busy' | 'waiting' | 'stopped'

export type FlusherParts = {
  store: MemberStore
  platform: Platform
  clock: PhoneClock
  /** Names this tab, at random. */
  holder: string
  stopping: AbortSignal
}

/** Decides when the queue is drained: one drain at a time in this tab, each followed by the time of the next. */
export function createFlusher(parts: FlusherParts) {
  const { platform, store, stopping } = parts
  return createSchedule<Flushed>({
    platform,
    stopping,
    stopped: 'stopped',
    isOpen: () => store.dexie.isOpen(),
    run: (reason) => flushOnce(parts, reason),
    nextDelay: () => nextDelay(parts),
    usualDelayMs: pullEveryMs,
  })
}

async function flushOnce(parts: FlusherParts, reason: WakeReason): Promise<Flushed> {
  const { store, platform, clock, holder, stopping: signal } = parts
  const { dexie } = store
  const lock = `alliance-sync-${store.memberId}`
  let result: Flushed = 'waiting'
  const wasAlone = await alone({ lock, dexie, platform, signal, holder }, async (mayGoOn) => {
    // A tab that was killed while sending has left this behind.
    if ((await readFlush(store)).isSending) await changeFlush(store, { isSending: false })
    if (!(await mayTry(parts, reason))) return
    result = await drain({ store, platform, signal }, { clock, mustPull: reason !== 'write', mayGoOn })
  })
  return wasAlone ? result : 'busy'
}

async function mayTry({ store, platform }: FlusherParts, reason: WakeReason): Promise<boolean> {
  if (!platform.isOnline() && reason !== 'manual') return false
  const { paused, retryAt, isWaitAsked } = await readFlush(store)
  const mustWait = waitLeft(retryAt, platform.wall()) > 0
  if (isPersonal(reason)) return !(mustWait && isWaitAsked)
  return paused === null && !mustWait
}

async function nextDelay({ store, platform, holder }: FlusherParts): Promise<number> {
  const left = waitLeft((await readFlush(store)).retryAt, platform.wall())
  if (left > 0) return left
  const taken = await leaseLeft({ dexie: store.dexie, platform, holder })
  return taken > 0 ? Math.max(taken, 1_000) : pullEveryMs
}
