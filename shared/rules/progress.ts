/** How far ahead of the server a stamp may be; anything further is clamped to this. */
export const aheadLimitMs = 5 * 60 * 1000

/** The device of changes that the server itself stamps. */
const serverDevice = 'server'

/** Last instant that ISO-8601 writes with a four-digit year, so that a phone set beyond it makes no unreadable times. */
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/** When a change was made, in an order that all devices agree on. `at` is ms since 1970. */
export type Stamp = { at: number; counter: number; deviceId: string; changeId: string }

/** What a phone remembers so that its next stamp is greater than every one it has made or received. */
export type Seen = { at: number; counter: number }

/** Compares (`at`, `counter`, `deviceId`, `changeId`) in that order: above 0 where `one` is the later. */
export function compareStamps(one: Stamp, other: Stamp): number {
  return (
    one.at - other.at ||
    one.counter - other.counter ||
    compareText(one.deviceId, other.deviceId) ||
    compareText(one.changeId, other.changeId)
  )
}

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** The greatest stamp wins, per video; a change that is already stored stays. */
export const beats = (incoming: Stamp, stored: Stamp | null): boolean =>
  stored === null || compareStamps(incoming, stored) > 0

/** A phone's clock as it counts towards stamps. All in ms; `anchor` is absent after a restart. */
export type ClockReading = {
  wall: number
  /** Server time minus wall at the last response. */
  offset: number
  monotonic: number
  anchor: { serverTime: number; monotonic: number } | null
}

/**
 * The server's time as the phone can know it while offline. A device clock that was set back is corrected by
 * the monotonic one, a monotonic clock that slept with the phone by the device's.
 */
export function correctedNow({ wall, offset, monotonic, anchor }: ClockReading): number {
  const byWall = wall + offset
  return anchor === null ? byWall : Math.max(byWall, anchor.serverTime + monotonic - anchor.monotonic)
}

/** The next stamp's `at` and `counter`, which are also what the phone has seen from then on. Never below what it saw. */
export function nextSeen(seen: Seen, now: number): Seen {
  const next = above(seen)
  return { at: Math.min(Math.max(Math.trunc(now), next.at), lastInstant), counter: next.counter }
}

/** One higher. A counter stops at the largest whole number that JSON carries; from there on the time is increased. */
const above = ({ at, counter }: Seen): Seen =>
  counter < Number.MAX_SAFE_INTEGER ? { at, counter: counter + 1 } : { at: at + 1, counter }

/** No stamp may be further ahead than the limit, neither stored nor pending. */
export const clampAhead = (at: number, serverTime: number): number => Math.min(at, serverTime + aheadLimitMs)

/** What a phone has seen after a response: its own and the received stamps, none further ahead than the limit. */
export function seenAfter(seen: Seen, received: readonly Seen[], serverTime: number): Seen {
  const greatest = received.reduce(
    (most, item) => ({ at: Math.max(most.at, item.at), counter: Math.max(most.counter, item.counter) }),
    seen,
  )
  return { at: clampAhead(greatest.at, serverTime), counter: greatest.counter }
}

/** The stamp of a change that the server makes itself: later than what is stored at that moment. */
export function serverStamp(received: number, stored: Stamp | null, changeId: string): Stamp {
  const next = above(stored ?? { at: received, counter: 0 })
  return { at: Math.max(received, next.at), counter: next.counter, deviceId: serverDevice, changeId }
}

/** When a video counts as completed: never later than the server received the change. */
export const completedAt = (completed: boolean, at: number, received: number): number | null =>
  completed ? Math.min(at, received) : null

/**
 * What a phone shows: the server's row of every video, replaced by the last change that is still pending here.
 * `pending` is in the order made.
 */
export function overlayPending<Row extends { videoId: string }, Entry extends { videoId: string }>(
  rows: readonly Row[],
  pending: readonly Entry[],
): Map<string, Row | Entry> {
  const shown = new Map<string, Row | Entry>(rows.map((row) => [row.videoId, row]))
  for (const entry of pending) shown.set(entry.videoId, entry)
  return shown
}
