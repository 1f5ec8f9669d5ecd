import { waitLeft } from './back-off.ts'
import { changeFlush, type MemberStore, readFlush } from './db.ts'
import { type Drained, drain } from './drain.ts'
import type { PhoneClock } from './phone-clock.ts'
import { createSchedule, isPersonal } from './schedule.ts'
import { alone, leaseLeft } from './single.ts'
import type { Surroundings, WakeReason } from './surroundings.ts'

/** How often an open page asks for what other devices did. */
export const pullEveryMs = 5 * 60_000

/** `busy`: another tab is at it. `waiting`: not tried, for want of signal or because it is not time yet. */
export type Flushed = Drained | 'busy' | 'waiting' | 'stopped'

export type FlusherParts = {
  store: MemberStore
  around: Surroundings
  clock: PhoneClock
  /** Names this tab, at random. */
  holder: string
  stopping: AbortSignal
}

/** Decides when the queue is drained: one drain at a time in this tab, each followed by the time of the next. */
export function createFlusher(parts: FlusherParts) {
  const { around, store, stopping } = parts
  return createSchedule<Flushed>({
    around,
    stopping,
    stopped: 'stopped',
    isOpen: () => store.dexie.isOpen(),
    run: (reason) => flushOnce(parts, reason),
    nextDelay: () => nextDelay(parts),
    usualDelayMs: pullEveryMs,
  })
}

async function flushOnce(parts: FlusherParts, reason: WakeReason): Promise<Flushed> {
  const { store, around, clock, holder, stopping: signal } = parts
  const { dexie } = store
  const lock = `alliance-sync-${store.memberId}`
  let result: Flushed = 'waiting'
  const wasAlone = await alone({ lock, dexie, around, signal, holder }, async (mayGoOn) => {
    // A tab that was killed while sending has left this behind.
    if ((await readFlush(store)).isSending) await changeFlush(store, { isSending: false })
    if (!(await mayTry(parts, reason))) return
    result = await drain({ store, around, signal }, { clock, mustPull: reason !== 'write', mayGoOn })
  })
  return wasAlone ? result : 'busy'
}

async function mayTry({ store, around }: FlusherParts, reason: WakeReason): Promise<boolean> {
  if (!around.isOnline() && reason !== 'manual') return false
  const { paused, retryAt, isWaitAsked } = await readFlush(store)
  const mustWait = waitLeft(retryAt, around.wall()) > 0
  if (isPersonal(reason)) return !(mustWait && isWaitAsked)
  return paused === null && !mustWait
}

async function nextDelay({ store, around, holder }: FlusherParts): Promise<number> {
  const left = waitLeft((await readFlush(store)).retryAt, around.wall())
  if (left > 0) return left
  const taken = await leaseLeft({ dexie: store.dexie, around, holder })
  return taken > 0 ? Math.max(taken, 1_000) : pullEveryMs
}
