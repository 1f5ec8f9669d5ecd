import type { Platform } from '#pwa/sync/platform.ts'
import { correctedNow } from '#shared/rules/progress.ts'

/** The server's time as this phone knows it. */
export type PhoneClock = {
  /** `offset` as last stored, ms. */
  now(offset: number): number
  /** Takes the server's time as of now, and returns the offset to store. */
  learn(serverTime: number): number
}

export function createPhoneClock({ wall, monotonic }: Pick<Platform, 'wall' | 'monotonic'>): PhoneClock {
  let anchor: { serverTime: number; monotonic: number } | null = null
  return {
    now: (offset) => correctedNow({ wall: wall(), offset, monotonic: monotonic(), anchor }),
    learn: (serverTime) => {
      anchor = { serverTime, monotonic: monotonic() }
      return serverTime - wall()
    },
  }
}
