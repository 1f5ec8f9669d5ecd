/** How long to wait after failures in a row: doubling from `firstMs` up to `mostMs`, between half and all of it by chance. */
export type BackOff = { firstMs: number; mostMs: number }

export const queueBackOff: BackOff = { firstMs: 2_000, mostMs: 5 * 60_000 }

/** No wait is longer, whoever asked for it. */
export const longestWaitMs = 60 * 60_000

/** `random` from 0 up to 1: many phones that lost the same server must not all return at once. */
export function backOffMs({ firstMs, mostMs }: BackOff, attempts: number, random: number): number {
  const most = Math.min(mostMs, firstMs * 2 ** Math.min(attempts - 1, 30))
  return Math.round((most / 2) * (1 + random))
}

/** Ms that a `Retry-After` (seconds or a date, RFC 9110 §10.2.3) asks for; null where it says nothing readable. */
export function retryAfterMs(header: string | null, wall: number): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - wall : seconds * 1000
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), longestWaitMs)
}

/** Ms from now to `retryAt`; 0 where it has passed, or lies so far ahead that the device's clock must have been put back. */
export function waitLeft(retryAt: number | null, wall: number): number {
  const left = (retryAt ?? 0) - wall
  return left > longestWaitMs ? 0 : Math.max(0, left)
}
