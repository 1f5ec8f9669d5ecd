import type { DexieOptions } from 'dexie'

/** Why the engine looks whether there is something to do. */
export type WakeReason = 'start' | 'online' | 'visible' | 'manual' | 'write' | 'timer'

/** The part of Web Locks that is used: one holder per name, across tabs and the service worker. */
export type Locks = {
  request(name: string, options: { signal: AbortSignal }, run: () => Promise<void>): Promise<void>
}

/** All that the engine takes from the machine it runs on, so that tests can bring their own. */
export type Platform = {
  fetch(path: string, init: RequestInit): Promise<Response>
  /** The device's clock, ms since 1970; may be wrong, and may jump. */
  wall(): number
  /** Ms that only ever grow while this page lives. */
  monotonic(): number
  /** From 0 up to 1, for jitter. */
  random(): number
  randomBytes(count: number): Uint8Array
  /** Runs `run` once after `ms`; returns its cancellation. */
  after(ms: number, run: () => void): () => void
  /** Null where the browser has none: a lease row takes their place. */
  locks: Locks | null
  isOnline(): boolean
  /** Calls back when the network returns or the page is looked at again; returns the end of it. */
  onWake(wake: (reason: 'online' | 'visible') => void): () => void
  /** Asks the browser to wake the service worker once there is signal, where it can. */
  requestBackgroundSync(): void
  /** A fault in work that nobody waits for. */
  report(error: unknown): void
  /** Null outside https and localhost, where browsers give none. */
  subtle: SubtleCrypto | null
  database: DexieOptions
}
