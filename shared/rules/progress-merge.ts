/** A stamp may be this far ahead of the server's time. We clamp any that's further. */
export const aheadLimitMs = 5 * 60 * 1000

const serverDevice = 'server'

/** The last instant with a four-digit year. A phone whose clock is later would make times we can't parse. */
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/** When a change was made, in an order all devices agree on. `at` is ms since 1970. */
export type Stamp = { at: number; counter: number; deviceId: string; changeId: string }

/** What a phone remembers, so that its next stamp is greater than any it has made or received. */
export type Seen = { at: number; counter: number }

/** Compares by `at`, `counter`, `deviceId` and `changeId`, in this order; positive if `one` is the later. */
export function compareStamps(one: Stamp, other: Stamp): number {
  return (
    one.at - other.at ||
    one.counter - other.counter ||
    compareText(one.deviceId, other.deviceId) ||
    compareText(one.changeId, other.changeId)
  )
}

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Whether the incoming stamp wins. For each video the greatest stamp wins; equal stamps are the same change. */
export const isNewerStamp = (incoming: Stamp, stored: Stamp | null): boolean =>
  stored === null || compareStamps(incoming, stored) > 0

/**
 * A stored stamp, ready to compare with a change made or received at `serverTime`. We never store one beyond the limit, so if one
 * is beyond, the server's clock has been set back. Its time then counts as the change's own: the counter decides, and a tick made
 * after seeing the row wins.
 */
export const storedAsOf = (stored: Stamp, at: number, serverTime: number): Stamp =>
  stored.at > serverTime + aheadLimitMs ? { ...stored, at } : stored

/** A phone's clocks, all in ms. `anchor` is null after a restart, because the monotonic clock starts again. */
export type ClockReading = {
  wall: number
  /** The server's time minus `wall`, at the last response. */
  offset: number
  monotonic: number
  anchor: { serverTime: number; monotonic: number } | null
}

/**
 * The phone's best estimate of the server's time while offline. Takes the later of two clocks: the wall clock may have been set
 * back, and the monotonic clock may have stopped while the phone slept.
 */
export function correctedNow({ wall, offset, monotonic, anchor }: ClockReading): number {
  const byWall = wall + offset
  return anchor === null ? byWall : Math.max(byWall, anchor.serverTime + monotonic - anchor.monotonic)
}

/** The next stamp's `at` and `counter`, for the phone to remember. They never go back. */
export function nextSeen(seen: Seen, now: number): Seen {
  const next = above(seen)
  return { at: Math.min(Math.max(Math.trunc(now), next.at), lastInstant), counter: next.counter }
}

/** The next greater value. When the counter reaches the largest integer JSON can carry, the time goes up instead. */
const above = ({ at, counter }: Seen): Seen =>
  counter < Number.MAX_SAFE_INTEGER ? { at, counter: counter + 1 } : { at: at + 1, counter }

export const clampAhead = (at: number, serverTime: number): number => Math.min(at, serverTime + aheadLimitMs)

export function seenAfter(seen: Seen, received: readonly Seen[], serverTime: number): Seen {
  const greatest = received.reduce(
    (most, item) => ({ at: Math.max(most.at, item.at), counter: Math.max(most.counter, item.counter) }),
    seen,
  )
  return { at: clampAhead(greatest.at, serverTime), counter: greatest.counter }
}

/** The stamp of a change the server makes itself: greater than the stored one. */
export function serverStamp(received: number, stored: Stamp | null, changeId: string): Stamp {
  const next = above(stored ?? { at: received, counter: 0 })
  return { at: Math.max(received, next.at), counter: next.counter, deviceId: serverDevice, changeId }
}

/** Where someone stopped in a video. `at` is ms since 1970. */
export type Position = { seconds: number; at: number; deviceId: string }

/** A position has no counter: the later one wins, then the device id. A device never makes two at the same time. */
const positionStamp = ({ seconds, at, deviceId }: Position): Stamp => ({
  at,
  counter: 0,
  deviceId,
  changeId: String(seconds).padStart(9, '0'),
})

/**
 * Whether the incoming position wins. It also wins over one further ahead than we could have stored: the server's clock has been
 * set back since.
 */
export const isLaterPosition = (incoming: Position, stored: Position | null, serverTime: number): boolean =>
  stored === null ||
  stored.at > serverTime + aheadLimitMs ||
  isNewerStamp(positionStamp(incoming), positionStamp(stored))

/** The time for a new position: later than the one the phone has seen, if any. */
export const nextPositionAt = (seen: number | null, now: number): number =>
  Math.min(Math.max(Math.trunc(now), (seen ?? -1) + 1), lastInstant)

/** When the video was completed, but never after the server received the change. */
export const completedAt = (completed: boolean, at: number, received: number): number | null =>
  completed ? Math.min(at, received) : null

/**
 * What a phone shows: the server's row for every video, with the phone's last pending change on top. `pending` is in the order the
 * changes were made.
 */
export function overlayPending<Row extends { videoId: string }, Entry extends { videoId: string }>(
  rows: readonly Row[],
  pending: readonly Entry[],
): Map<string, Row | Entry> {
  const shown = new Map<string, Row | Entry>(rows.map((row) => [row.videoId, row]))
  for (const entry of pending) shown.set(entry.videoId, entry)
  return shown
}
