import type { Platform } from '#pwa/sync/platform.ts'
import { createFlusher, type Flushed } from './flusher.ts'
import { recordTick } from './outbox.ts'
import { createPhoneClock } from './phone-clock.ts'
import { entriesIn, type MemberStore } from './store.ts'

/** One member's queue on one device. Every promise rejects only where the store itself fails. */
export type Engine = {
  store: MemberStore
  /** Shows what another member's session may look at, and writes nothing. */
  isReadOnly: boolean
  /** Begins to send and pull by itself, and once now. */
  start(): void
  /** Ends for good, and gives up the request that is under way. */
  stop(): void
  /** Writes the tick to this device, then sends it when it can; resolves as soon as it is written. */
  toggle(videoId: string, completed: boolean): Promise<void>
  syncNow(): Promise<Flushed>
  /** Makes a new change out of a refused one. `id` is the refused change's. */
  retryRefused(id: string): Promise<void>
  /** Resolves once nothing is under way. */
  settled(): Promise<void>
}

export type EngineParts = { store: MemberStore; platform: Platform; isReadOnly?: boolean }

/** The store must have been prepared for its member. */
export function createEngine({ store, platform, isReadOnly = false }: EngineParts): Engine {
  const clock = createPhoneClock(platform)
  const holder = platform.randomBytes(8).join('.')
  const stopping = new AbortController()
  const flusher = createFlusher({ store, platform, clock, holder, stopping: stopping.signal })

  const toggle = async (videoId: string, completed: boolean) => {
    if (isReadOnly) throw new Error('Nothing can be ticked while looking at somebody else’s account.')
    await recordTick(store, clock, platform.randomBytes, { videoId, completed })
    platform.requestBackgroundSync()
    flusher.wakeUp('write')
  }
  return {
    store,
    isReadOnly,
    start: () => {
      stopping.signal.addEventListener('abort', platform.onWake(flusher.wakeUp))
      flusher.wakeUp('start')
    },
    stop: () => stopping.abort(),
    toggle,
    syncNow: () => flusher.flush('manual'),
    retryRefused: async (id) => {
      const refused = (await entriesIn(store, 'refused').toArray()).find((entry) => entry.id === id)
      if (refused) await toggle(refused.videoId, refused.completed)
    },
    settled: flusher.settled,
  }
}
