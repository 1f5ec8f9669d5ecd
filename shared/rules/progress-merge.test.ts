import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  aheadLimitMs,
  clampAhead,
  compareStamps,
  completedAt,
  correctedNow,
  isLaterPosition,
  isNewerStamp,
  nextPositionAt,
  nextSeen,
  overlayPending,
  type Stamp,
  seenAfter,
  serverStamp,
  storedAsOf,
} from './progress-merge.ts'

const noon = Date.parse('2026-07-12T12:00:00.000Z')
const year = 365 * 24 * 60 * 60 * 1000
const stamp = (over: Partial<Stamp> = {}): Stamp => ({ at: noon, counter: 1, deviceId: 'a', changeId: 'a', ...over })

const anyStamp = fc.record({
  at: fc.integer({ min: 0, max: 5 }),
  counter: fc.integer({ min: 0, max: 5 }),
  deviceId: fc.constantFrom('A', 'a', 'b', 'server'),
  changeId: fc.constantFrom('1', '2', '3'),
})

test('PROG-01 a stamp is compared by time, then counter, then device, then change', () => {
  const rising = [
    stamp({ at: noon - 1, counter: 9, deviceId: 'z', changeId: 'z' }),
    stamp({ deviceId: 'a', changeId: 'z' }),
    stamp({ deviceId: 'b', changeId: 'a' }),
    stamp({ deviceId: 'b', changeId: 'b' }),
    stamp({ counter: 2 }),
  ]
  for (const [index, one] of rising.entries()) {
    for (const [other, two] of rising.entries())
      expect(Math.sign(compareStamps(one, two))).toBe(Math.sign(index - other))
  }
})

test('PROG-01 the winner does not depend on the order of arrival', () => {
  fc.assert(
    fc.property(fc.array(anyStamp, { minLength: 1 }), fc.infiniteStream(fc.nat()), (stamps, random) => {
      const shuffled = stamps.map((one) => ({ one, key: random.next().value })).sort((a, b) => a.key - b.key)
      const winner = (list: readonly Stamp[]) =>
        list.reduce<Stamp | null>((stored, next) => (isNewerStamp(next, stored) ? next : stored), null)
      expect(winner(shuffled.map(({ one }) => one))).toEqual(winner(stamps))
    }),
  )
})

test('a stored change does not beat itself', () => {
  expect(isNewerStamp(stamp(), stamp())).toBe(false)
  expect(isNewerStamp(stamp(), null)).toBe(true)
})

test('a phone never goes back, whatever its clock does', () => {
  const first = nextSeen({ at: 0, counter: 0 }, noon)
  const second = nextSeen(first, noon - year)
  expect([first, second]).toEqual([
    { at: noon, counter: 1 },
    { at: noon, counter: 2 },
  ])
})

test('a clock beyond the year 9999, or before 1970, still makes times that can be read', () => {
  expect(new Date(nextSeen({ at: 0, counter: 0 }, 9e15).at).toISOString()).toBe('9999-12-31T23:59:59.999Z')
  expect(nextSeen({ at: 0, counter: 0 }, -noon).at).toBe(0)
})

test('a used-up counter stays a whole number, and the next stamp is still the greater', () => {
  const spent = stamp({ counter: Number.MAX_SAFE_INTEGER, deviceId: 'z' })
  expect(nextSeen(spent, 0)).toEqual({ at: noon + 1, counter: spent.counter })
  expect(isNewerStamp({ ...stamp(), ...nextSeen(spent, 0) }, spent)).toBe(true)
  expect(isNewerStamp(serverStamp(noon, spent, 'b'), spent)).toBe(true)
  for (const { counter } of [nextSeen(spent, 0), serverStamp(noon, spent, 'b')])
    expect(Number.isSafeInteger(counter)).toBe(true)
})

test('offline, the clock runs on from the last response even when it is set back or the phone was asleep', () => {
  const anchor = { serverTime: noon, monotonic: 1_000 }
  const reading = { offset: 2 * 60 * 60 * 1000, anchor }
  const hoursBehind = noon - reading.offset
  expect(correctedNow({ ...reading, wall: hoursBehind, monotonic: 1_000 })).toBe(noon)
  expect(correctedNow({ ...reading, wall: 0, monotonic: 61_000 })).toBe(noon + 60_000)
  expect(correctedNow({ ...reading, wall: hoursBehind + 60_000, monotonic: 1_000 })).toBe(noon + 60_000)
  expect(correctedNow({ ...reading, wall: hoursBehind + 5, monotonic: 0, anchor: null })).toBe(noon + 5)
})

test('after a response nothing is further ahead than five minutes, and counters only grow', () => {
  const seen = seenAfter({ at: noon + 10 * year, counter: 7 }, [{ at: noon - 5, counter: 12 }], noon)
  expect(seen).toEqual({ at: noon + aheadLimitMs, counter: 12 })
  expect(seenAfter({ at: noon - 9, counter: 7 }, [{ at: noon - 5, counter: 3 }], noon)).toEqual({
    at: noon - 5,
    counter: 7,
  })
  expect(clampAhead(noon - year, noon)).toBe(noon - year)
  expect(clampAhead(noon + year, noon)).toBe(noon + 5 * 60 * 1000)
})

test('a change made after seeing another beats it, once both are clamped', () => {
  fc.assert(
    fc.property(anyStamp, fc.integer({ min: -year, max: 10 * year }), fc.nat(1_000), (other, skew, later) => {
      const stored = { ...other, at: clampAhead(noon + other.at, noon) }
      const seen = seenAfter({ at: noon + skew, counter: 0 }, [stored], noon)
      const made = nextSeen(seen, noon + skew)
      expect(
        isNewerStamp({ ...stamp({ deviceId: '0' }), ...made, at: clampAhead(made.at, noon + later) }, stored),
      ).toBe(true)
    }),
  )
})

test('API-11 a change stamped by the server wins over what is stored then', () => {
  fc.assert(
    fc.property(anyStamp, fc.nat(10), (stored, received) => {
      expect(isNewerStamp(serverStamp(received, stored, '0'), stored)).toBe(true)
    }),
  )
  expect(serverStamp(noon, null, 'x')).toEqual({ at: noon, counter: 1, deviceId: 'server', changeId: 'x' })
})

test('a video is completed at its stamp, at the latest when the server received it, and not at all when incomplete', () => {
  expect(completedAt(true, noon - 5, noon)).toBe(noon - 5)
  expect(completedAt(true, noon + 5, noon)).toBe(noon)
  expect(completedAt(false, noon, noon)).toBeNull()
})

test('PROG-02 a phone shows every row of the server, under the last of its own pending changes', () => {
  const rows = [
    { videoId: 'v1', completed: true },
    { videoId: 'v2', completed: true },
  ]
  const pending = [
    { videoId: 'v2', completed: true },
    { videoId: 'v2', completed: false },
    { videoId: 'v3', completed: true },
  ]
  expect(
    [...overlayPending(rows, pending).values()].map(({ videoId, completed }) => `${videoId} ${completed}`),
  ).toEqual(['v1 true', 'v2 false', 'v3 true'])
})

test('what’s stored further ahead than we’d ever store it gives way: the server’s clock was set back since', () => {
  const [limit, beyond] = [stamp({ at: noon + aheadLimitMs }), stamp({ at: noon + aheadLimitMs + 1, counter: 7 })]
  expect(storedAsOf(limit, noon, noon)).toEqual(limit)
  expect(storedAsOf(beyond, noon - 5, noon)).toEqual({ ...beyond, at: noon - 5 })
  const position = (at: number, more = {}) => ({ seconds: 30, at, deviceId: 'a', ...more })
  expect(isLaterPosition(position(noon), position(noon + aheadLimitMs), noon)).toBe(false)
  expect(isLaterPosition(position(noon), position(noon + aheadLimitMs + 1), noon)).toBe(true)
})

test('the later position wins, then the device, then the place; a new one is later than any the phone has seen', () => {
  const position = (at: number, more = {}) => ({ seconds: 30, at, deviceId: 'a', ...more })
  const wins = (one: ReturnType<typeof position>, other: typeof one | null) => isLaterPosition(one, other, noon)
  expect([wins(position(1), null), wins(position(2), position(1)), wins(position(1), position(2))]).toEqual([
    ...[true, true, false],
  ])
  expect(wins(position(1, { deviceId: 'b' }), position(1))).toBe(true)
  expect([wins(position(1, { seconds: 100 }), position(1)), wins(position(1), position(1))]).toEqual([true, false])
  expect([nextPositionAt(null, noon), nextPositionAt(noon, noon - 9), nextPositionAt(noon - 9, noon)]).toEqual([
    ...[noon, noon + 1, noon],
  ])
  expect(nextPositionAt(null, -5)).toBe(0)
})
