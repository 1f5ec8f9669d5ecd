import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { freeSlots, isFree, isWithinHours, type SlotRequest } from './call-slots.ts'
import { addDays, weekdayName } from './london.ts'

const everyDay = (windows: { opens: string; closes: string }[]) =>
  [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, windows }))

const request = (more: Partial<SlotRequest>): SlotRequest => ({
  firstDay: '2026-06-15',
  lastDay: '2026-06-15',
  exceptions: [],
  busy: [],
  earliest: new Date(0),
  hours: everyDay([{ opens: '09:00', closes: '11:00' }]),
  rules: { minutes: 30, everyMinutes: 30, bufferMinutes: 0 },
  ...more,
})

const starts = (more: Partial<SlotRequest>) => freeSlots(request(more)).map((at) => at.toISOString().slice(0, 16))
function busyFrom(from: string, minutes: number, buffer = 0) {
  const at = Date.parse(from)
  return { from: at, to: at + minutes * 60_000, buffer: buffer * 60_000 }
}

describe('the times at which a coach is free', () => {
  test('are those of London’s clocks, in summer and in winter', () => {
    expect(starts({})).toEqual(['2026-06-15T08:00', '2026-06-15T08:30', '2026-06-15T09:00', '2026-06-15T09:30'])
    expect(starts({ firstDay: '2026-12-01', lastDay: '2026-12-01' })[0]).toBe('2026-12-01T09:00')
  })

  test('lie within the hours, whole, and keep their distance from other calls', () => {
    expect(starts({ rules: { minutes: 60, everyMinutes: 30, bufferMinutes: 0 } }).at(-1)).toBe('2026-06-15T09:00')
    const busy = [busyFrom('2026-06-15T08:30:00Z', 30)]
    expect(starts({ busy })).toEqual(['2026-06-15T08:00', '2026-06-15T09:00', '2026-06-15T09:30'])
    expect(starts({ busy, rules: { minutes: 30, everyMinutes: 30, bufferMinutes: 15 } })).toEqual(['2026-06-15T09:30'])
    expect(starts({ busy: [busyFrom('2026-06-15T08:30:00Z', 30, 45)] })).toEqual([])
    const long = { minutes: 30, everyMinutes: 30, bufferMinutes: 30 }
    expect(starts({ busy: [busyFrom('2026-06-15T08:00:00Z', 20)], rules: long })).toEqual([
      ...['2026-06-15T09:00', '2026-06-15T09:30'],
    ])
  })

  test('begin after the lead time; a holiday has none, and other hours outrank the week’s', () => {
    expect(starts({ earliest: new Date('2026-06-15T08:45:00Z') })).toEqual(['2026-06-15T09:00', '2026-06-15T09:30'])
    const days = { firstDay: '2026-06-14', lastDay: '2026-06-16' }
    const evening = { ...days, windows: [{ opens: '18:00', closes: '18:30' }] }
    expect(starts({ exceptions: [evening] })).toEqual(['2026-06-15T17:00'])
    expect(starts({ exceptions: [evening, { ...days, windows: [] }] })).toEqual([])
  })
})

describe('where the clocks change', () => {
  const night = everyDay([{ opens: '00:00', closes: '04:00' }])

  test('in March an hour is missing, in October there is one more; every call keeps its length', () => {
    const spring = starts({ firstDay: '2026-03-29', lastDay: '2026-03-29', hours: night })
    const autumn = starts({ firstDay: '2026-10-25', lastDay: '2026-10-25', hours: night })
    expect([spring.length, spring[0], spring.at(-1)]).toEqual([6, '2026-03-29T00:00', '2026-03-29T02:30'])
    expect([autumn.length, autumn[0], autumn.at(-1)]).toEqual([10, '2026-10-24T23:00', '2026-10-25T03:30'])
  })

  test('hours that begin or end in the missing or doubled hour are as long as the clocks run meanwhile', () => {
    const hours = everyDay([{ opens: '01:30', closes: '02:30' }])
    expect(starts({ firstDay: '2026-03-29', lastDay: '2026-03-29', hours })).toEqual([])
    expect(starts({ firstDay: '2026-10-25', lastDay: '2026-10-25', hours })).toEqual(
      ['00:30', '01:00', '01:30', '02:00'].map((time) => `2026-10-25T${time}`),
    )
  })
})

const changes = ['2026-03-29', '2026-10-25', '2027-03-28', '2027-10-31', '2028-03-26', '2028-10-29']

test('whatever the hours are: no two calls of a coach meet, also across both changes of the clocks', () => {
  const clock = fc.integer({ min: 0, max: 95 }).map((quarter) => {
    const at = quarter * 15
    return `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
  })
  const window = fc
    .tuple(clock, clock)
    .filter(([opens, closes]) => opens < closes)
    .map(([opens, closes]) => ({ opens, closes }))
  const rules = fc.record({
    minutes: fc.constantFrom(15, 30, 45, 60),
    everyMinutes: fc.constantFrom(5, 15, 30, 60),
    bufferMinutes: fc.constantFrom(0, 5, 15, 60),
  })
  const input = fc.record({
    change: fc.constantFrom(...changes),
    windows: fc.array(window, { minLength: 1, maxLength: 3 }),
    rules,
    picks: fc.array(fc.nat(), { maxLength: 8 }),
  })
  const property = fc.property(input, ({ change, windows, rules, picks }) => {
    const days = { firstDay: addDays(change, -1), lastDay: addDays(change, 1), hours: everyDay(windows), rules }
    const busy: ReturnType<typeof busyFrom>[] = []
    for (const pick of picks) {
      const free = freeSlots(request({ ...days, busy }))
      expect(new Set(free.map(Number)).size).toBe(free.length)
      const chosen = free[pick % Math.max(1, free.length)]
      if (chosen === undefined) break
      const call = busyFrom(chosen.toISOString(), rules.minutes, rules.bufferMinutes)
      expect(isFree(call, busy)).toBe(true)
      expect(isWithinHours(call, { ...days, exceptions: [] })).toBe(true)
      busy.push(call)
    }
    const sorted = busy.toSorted((one, other) => one.from - other.from)
    for (const [index, call] of sorted.entries()) {
      expect(call.to - call.from).toBe(rules.minutes * 60_000)
      const next = sorted[index + 1]
      if (next) expect(next.from).toBeGreaterThanOrEqual(call.to + call.buffer)
    }
  })
  fc.assert(property, { numRuns: process.env.FULL ? 2_000 : 60 })
})

test('a booked call is outside the hours once they end before it does, or a day off falls on it', () => {
  const within = (call: ReturnType<typeof busyFrom>, more: Partial<SlotRequest> = {}) =>
    isWithinHours(call, request(more))
  const call = busyFrom('2026-06-15T09:30:00Z', 30)
  expect([within(call), within(busyFrom('2026-06-15T09:45:00Z', 30)), within(busyFrom('2026-06-15T07:30:00Z', 30))])
    // The hours are nine to eleven in London.
    .toEqual([true, false, false])
  expect(within(call, { hours: everyDay([{ opens: '09:00', closes: '10:45' }]) })).toBe(false)
  const days = { firstDay: '2026-06-14', lastDay: '2026-06-15' }
  expect(within(call, { exceptions: [{ ...days, windows: [] }] })).toBe(false)
  expect(within(call, { exceptions: [{ ...days, windows: [{ opens: '10:30', closes: '12:00' }] }] })).toBe(true)
  expect(within(call, { exceptions: [{ firstDay: '2026-06-16', lastDay: '2026-06-20', windows: [] }] })).toBe(true)
  // Until midnight, and the half hour before 1 am in winter time, which comes twice.
  const late = { hours: everyDay([{ opens: '22:00', closes: '24:00' }]) }
  expect([
    within(busyFrom('2026-06-15T22:30:00Z', 30), late),
    within(busyFrom('2026-06-15T22:45:00Z', 30), late),
  ]).toEqual([true, false])
})

test('a week begins on Monday', () => {
  expect(['2026-06-15', '2026-06-21'].map(weekdayName)).toEqual(['Monday', 'Sunday'])
})
