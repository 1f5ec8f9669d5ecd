import type { DexieOptions } from 'dexie'

/** Why a queue checks whether there is something to send. */
export type WakeReason = 'start' | 'online' | 'visible' | 'manual' | 'write' | 'timer'

/** The part of Web Locks that the engine uses: one holder per name, across tabs and the service worker. */
export type Locks = {
  request(name: string, options: { signal: AbortSignal }, run: () => Promise<void>): Promise<void>
}

/** Everything that the engine takes from the browser it runs in, so that tests can supply their own. */
export type Platform = {
  fetch(path: string, init: RequestInit): Promise<Response>
  /** The device's clock, ms since 1970; may be wrong, and may jump. */
  wall(): number
  /** Ms that only ever grow while this page lives. */
  monotonic(): number
  /** From 0 up to 1, for jitter. */
  random(): number
  randomBytes(count: number): Uint8Array
  /** Runs `run` once after `ms`; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void
  /** Null where the browser has none: a lease row replaces them. */
  locks: Locks | null
  isOnline(): boolean
  /** Calls back when the network returns or the page becomes visible; returns a function that unsubscribes. */
  onWake(wake: (reason: 'online' | 'visible') => void): () => void
  /** Requests that the browser wakes the service worker once there is signal, where it can. */
  requestBackgroundSync(): void
  /** Counts a video that was completed, once the server has the tick. */
  countCompletion(title: string): void
  /** Receives errors of background work that no caller awaits. */
  report(error: unknown): void
  /** Null outside https and localhost, where browsers do not provide it. */
  subtle: SubtleCrypto | null
  database: DexieOptions
}
