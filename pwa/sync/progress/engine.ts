import type { Platform, WakeReason } from '#pwa/sync/platform.ts'
import { createScheduler, isQueueDue, mayReachServer, waitLeftMs } from '#pwa/sync/scheduler.ts'
import { hasEnded } from '#pwa/sync/transactions.ts'
import type { FollowingQueue, QueueRun } from './following.ts'
import { forgetSettledNotes, recordWithNote } from './jotted.ts'
import { createServerClock, discardChanges, discardEverything, type ServerClock } from './outbox.ts'
import { entriesIn, type FlushRow, type MemberStore, readFlush } from './store.ts'
import { type SendOutcome, sendPendingTicks } from './transport.ts'

/** `skipped`: not tried, without signal or because it isn't time yet. */
type FlushOutcome = SendOutcome | 'stopped'

/** One member's queue on one device. Every promise rejects only if the store itself fails. */
export type Engine = {
  store: MemberStore
  platform: Platform
  /** Aborts once it ends. */
  signal: AbortSignal
  /** For viewing another member's area: writes nothing. */
  isReadOnly: boolean
  /** Starts sending and pulling automatically, and does both once now. */
  start(): void
  /** Ends for good, and aborts the current request. */
  stop(): void
  /** Writes the tick to this device and resolves; sends it as soon as it can. */
  toggle(videoId: string, completed: boolean): Promise<void>
  /**
   * Writes to this device where the member stopped. If `isLeaving` we tell the server straight away, else with the next request: a
   * playing video would send one every few seconds.
   */
  savePosition(videoId: string, seconds: number, isLeaving: boolean): Promise<void>
  /** Writes to this device for another queue, and sends it as soon as it can. */
  record(write: (clock: ServerClock, platform: Platform) => Promise<void>): Promise<void>
  syncNow(): Promise<FlushOutcome>
  /** Sends what waits, since something larger is about to go. A wait that the server asked for isn't over. */
  sendWaiting(): Promise<FlushOutcome>
  /** Makes a new change from a refused one. `id` is the refused change's. */
  retryRefused(id: string): Promise<void>
  /** Discards a change that's waiting or was refused; without an id, everything unsent. */
  discard(id?: string): Promise<void>
  settled(): Promise<void>
}

/** `following`: the queues that send after the ticks. */
export type EngineParts = {
  store: MemberStore
  platform: Platform
  following: readonly FollowingQueue[]
  isReadOnly?: boolean
}

/** How often an open page asks for other devices' changes. */
const pullEveryMs = 5 * 60_000

/** The store must have been prepared for its member. */
export function createEngine({ store, platform, following, isReadOnly = false }: EngineParts): Engine {
  const clock = createServerClock(platform)
  const stopping = new AbortController()
  const parts: FlushParts = { store, platform, clock, following, signal: stopping.signal }
  const { flush, wakeUp, settled } = createScheduler<FlushOutcome>({
    platform,
    stopping: stopping.signal,
    stopped: 'stopped',
    isOpen: () => !hasEnded(store.dexie),
    run: (reason) => flushOnce(parts, reason),
    nextDelay: (outcome) => nextDelay(parts, outcome),
    usualDelayMs: pullEveryMs,
  })
  const toggle = async (videoId: string, completed: boolean) => {
    if (isReadOnly) throw new Error('Nothing can be ticked while looking at someone else’s account.')
    await recordWithNote({ store, platform, clock }, { videoId, value: completed })
    platform.requestBackgroundSync()
    wakeUp('write')
  }
  return {
    store,
    platform,
    signal: stopping.signal,
    isReadOnly,
    start: () => {
      stopping.signal.addEventListener('abort', platform.onWake(wakeUp))
      wakeUp('start')
    },
    stop: () => stopping.abort(),
    toggle,
    savePosition: async (videoId, seconds, isLeaving) => {
      if (isReadOnly) return
      await recordWithNote({ store, platform, clock }, { videoId, value: seconds })
      if (isLeaving) wakeUp('write')
    },
    record: async (write) => {
      if (isReadOnly) throw new Error('Nothing can be changed while looking at someone else’s account.')
      await write(clock, platform)
      platform.requestBackgroundSync()
      wakeUp('write')
    },
    syncNow: () => flush('manual'),
    sendWaiting: () => flush('ahead'),
    retryRefused: (id) => retryRefused(store, id, toggle),
    discard: (id) => discard(parts, id),
    settled,
  }
}

async function discard(parts: Pick<EngineParts, 'store' | 'platform'>, id: string | undefined): Promise<void> {
  await (id === undefined ? discardEverything(parts.store) : discardChanges(parts.store, [id]))
  await forgetSettledNotes(parts)
}

async function retryRefused(store: MemberStore, id: string, toggle: Engine['toggle']): Promise<void> {
  const refused = (await entriesIn(store, 'refused').toArray()).find((entry) => entry.id === id)
  if (refused) await toggle(refused.videoId, refused.completed)
}

type FlushParts = {
  store: MemberStore
  platform: Platform
  clock: ServerClock
  following: readonly FollowingQueue[]
  signal: AbortSignal
}

async function flushOnce(parts: FlushParts, reason: WakeReason): Promise<FlushOutcome> {
  const { store, platform, signal } = parts
  let outcome: FlushOutcome = 'skipped'
  // Only other senders wait for this lock, not ticks or reads.
  await platform.locks.request(`alliance-sync-${store.memberId}`, { signal }, async (lost) => {
    const run = { ...parts, reason, lost }
    outcome = await sendTicks(run, reason !== 'write' && reason !== 'ahead')
    if (outcome === 'done') outcome = await sendFollowing(parts, run)
  })
  return outcome
}

async function sendTicks(run: QueueRun, mustPull: boolean): Promise<SendOutcome> {
  const { platform, reason } = run
  // Each opening asks whether there's access again. We send what's waiting after that response.
  const isDue = (flush: FlushRow) =>
    !(reason === 'start' && flush.paused === 'access') &&
    mayReachServer(platform, reason) &&
    isQueueDue(flush, reason, platform.wall())
  const outcome = await sendPendingTicks(run, { ...run, mustPull, isDue })
  await forgetSettledNotes(run)
  return outcome
}

/** The other queues in their order. A tick made meanwhile goes before the next request of one that asks for more. */
async function sendFollowing({ following }: FlushParts, run: QueueRun): Promise<SendOutcome> {
  let worst: SendOutcome = 'done'
  for (const queue of following) {
    let outcome = await queue.send(run)
    while (outcome === 'again') {
      const before = await sendTicks(run, false)
      if (before !== 'done') return before
      for (const earlier of following.slice(0, following.indexOf(queue))) await earlier.send(run)
      outcome = await queue.send(run)
    }
    if (outcome === 'paused') return outcome
    if (outcome === 'later') worst = outcome
  }
  return worst
}

/** None of them is sent before the ticks are. */
async function nextDelay({ store, platform, following }: FlushParts, outcome: FlushOutcome): Promise<number> {
  const wall = platform.wall()
  const ticks = outcome === 'done' ? 0 : waitLeftMs((await readFlush(store)).retryAt, wall)
  const others = await Promise.all(following.map(({ waitMs }) => waitMs(store, wall)))
  const waits = others.flatMap((wait) => (wait === null || wait === 0 ? [] : wait))
  return ticks || Math.min(pullEveryMs, ...waits)
}
