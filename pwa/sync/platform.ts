import type { SafeStorage } from '#pwa/lib/storage.ts'
import type { DatabaseOptions } from './spare.ts'

/** `ahead`: something larger is about to be sent. */
export type WakeReason = 'start' | 'online' | 'visible' | 'manual' | 'write' | 'timer' | 'ahead'

/**
 * The part of Web Locks the engine uses: one holder per name, across tabs and the service worker. `lost` aborts once this page has
 * let go of it before `run` was over.
 */
export type Locks = {
  request(name: string, options: { signal: AbortSignal }, run: (lost: AbortSignal) => Promise<void>): Promise<void>
}

/** Everything the engine takes from its browser, so that tests can supply their own. */
export type Platform = {
  fetch(path: string, init: RequestInit): Promise<Response>
  /** The device's clock, ms since 1970. It may be wrong, and may jump. */
  wall(): number
  monotonic(): number
  /** From 0 up to 1, for jitter. */
  random(): number
  randomBytes(count: number): Uint8Array
  /** Runs `run` once after `ms`; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void
  locks: Locks
  isOnline(): boolean
  /** Calls back when the network returns or the page becomes visible; returns a function that unsubscribes. */
  onWake(wake: (reason: 'online' | 'visible') => void): () => void
  /** Asks the browser to wake the service worker once there's signal, if it can. */
  requestBackgroundSync(): void
  /** Counts a completed video, once the server has the tick. */
  countCompletion(title: string): void
  /** Receives errors of background work no caller awaits. */
  report(error: unknown): void
  /** Null outside https and localhost, where browsers don't provide it. */
  subtle: SubtleCrypto | null
  database: DatabaseOptions
  /** Takes a note at once, where the database may be too late: the page is being left. */
  storage: Pick<SafeStorage, 'getItem' | 'setItem' | 'removeItem' | 'keys'>
  /** False if no tab can have logged out without the server's knowing since the device's store was last read here. */
  mayOweLogout(): boolean
}

/** Whether a database is in memory: what it holds goes with this page. */
export const isInMemory = (platform: Pick<Platform, 'database'>, { dexie }: { dexie: { name: string } }): boolean =>
  platform.database.spare?.has(dexie.name) === true
