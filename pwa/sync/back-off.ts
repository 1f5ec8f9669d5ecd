/** The longest wait, even if a server asks for a longer one. */
export const longestWaitMs = 60 * 60_000

/** The wait in a `Retry-After` (seconds or a date, RFC 9110 §10.2.3), in ms; null without a valid one. */
export function retryAfterMs(header: string | null, wall: number): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - wall : seconds * 1000
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), longestWaitMs)
}

const firstBackOffMs = 2_000
const longestBackOffMs = 5 * 60_000

/**
 * How long to wait after `failures` in a row: doubles from 2 seconds up to 5 minutes, of which jitter takes up to half. `random` is
 * from 0 up to 1. Without it, many phones that lost the same server would return at the same moment.
 */
export function backOffMs(failures: number, random: number): number {
  const most = Math.min(longestBackOffMs, firstBackOffMs * 2 ** Math.min(failures - 1, 30))
  return Math.round((most / 2) * (1 + random))
}
