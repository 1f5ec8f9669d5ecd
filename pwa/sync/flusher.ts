import { waitLeft } from './back-off.ts'
import { coalesce } from './coalesce.ts'
import { changeFlush, type MemberStore, readFlush } from './db.ts'
import { type Drained, drain } from './drain.ts'
import type { PhoneClock } from './phone-clock.ts'
import { alone, leaseMs } from './single.ts'
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
  let cancelTimer = () => {}
  const isOver = () => stopping.aborted || !store.dexie.isOpen()
  const run = async (reason: WakeReason): Promise<Flushed> => {
    if (stopping.aborted) return 'stopped'
    cancelTimer()
    let delay = pullEveryMs
    try {
      const result = await flushOnce(parts, reason)
      delay = await nextDelay(parts)
      return result
    } catch (error) {
      // A store that was wiped under a drain ends it; anything else is a fault.
      if (isOver()) return 'stopped'
      throw error
    } finally {
      if (!isOver()) cancelTimer = around.after(delay, () => wakeUp('timer'))
    }
  }
  const { ask, settled } = coalesce(run, (one, other) => (isPersonal(one) ? one : other))
  const wakeUp = (reason: WakeReason) => {
    ask(reason).catch(around.report)
  }
  stopping.addEventListener('abort', () => cancelTimer())
  return { flush: ask, wakeUp, settled }
}

/** Somebody is looking, or signal has just come back: worth a try even while paused or backing off. */
const isPersonal = (reason: WakeReason) => reason !== 'write' && reason !== 'timer'

async function flushOnce(parts: FlusherParts, reason: WakeReason): Promise<Flushed> {
  const { store, around, clock, holder, stopping: signal } = parts
  let result: Flushed = 'waiting'
  const wasAlone = await alone({ store, around, signal, holder }, async (mayGoOn) => {
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
  const lease = await store.meta.get('lease')
  const isTaken = lease?.key === 'lease' && lease.holder !== holder
  return isTaken ? Math.min(Math.max(lease.until - around.wall(), 1_000), leaseMs) : pullEveryMs
}
