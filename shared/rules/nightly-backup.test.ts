import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, londonDay } from './london.ts'
import { type Nightly, nightlyMissingSince, nightToMake } from './nightly-backup.ts'

const minute = 60_000
const two = (number: number) => String(number).padStart(2, '0')

test('looked at every ten minutes, each night of any hour has one, and none is missed, whatever the clocks do', {
  tags: ['full'],
}, () => {
  // A week around each clock change, and one without a change.
  const beginnings = ['2026-03-25T12:00:00.000Z', '2026-06-12T12:00:00.000Z', '2026-10-21T12:00:00.000Z']
  const looks = fc.record({
    from: fc.constantFrom(...beginnings),
    minuteOfDay: fc.nat(24 * 60 - 1),
    offset: fc.nat(9),
  })
  fc.assert(
    fc.property(looks, ({ from, minuteOfDay, offset }) => {
      const first = Date.parse(from) + offset * minute
      const at = `${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`
      let nightly: Nightly = { at, since: new Date(first - minute).toISOString(), last: null, backAt: null }
      const nights: string[] = []
      const missed: string[] = []
      for (let look = 0; look < 7 * 24 * 6; look += 1) {
        const now = new Date(first + look * 10 * minute)
        const night = nightToMake(nightly, now)
        if (nightlyMissingSince(nightly, now) !== null) missed.push(now.toISOString())
        if (night === null) continue
        nights.push(night)
        nightly = { ...nightly, last: { day: night, madeAt: now.toISOString() } }
      }
      expect(missed).toEqual([])
      const [firstNight = ''] = nights
      expect([londonDay(new Date(first)), addDays(londonDay(new Date(first)), 1)]).toContain(firstNight)
      expect(nights).toEqual(nights.map((_, index) => addDays(firstNight, index)))
      expect(nights.length).toBeGreaterThanOrEqual(7)
    }),
    { numRuns: 60 },
  )
})

test('whatever the hours that are set, and however long the machine is off, none is missed that is made as soon as it can be', {
  tags: ['full'],
}, () => {
  const startOf = Date.parse('2026-10-21T12:00:00.000Z')
  const days = 10 * 24 * 60
  const hours = fc.array(fc.record({ from: fc.nat(days), minuteOfDay: fc.nat(24 * 60 - 1) }), { maxLength: 4 })
  const offs = fc.array(fc.record({ from: fc.nat(days), minutes: fc.integer({ min: 61, max: 4 * 24 * 60 }) }), {
    maxLength: 3,
  })
  fc.assert(
    fc.property(fc.nat(24 * 60 - 1), hours, offs, (firstHour, changes, gaps) => {
      const clock = (minuteOfDay: number) => `${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`
      const instant = (at: number) => new Date(startOf + at * minute)
      let nightly: Nightly = { at: clock(firstHour), since: instant(-1).toISOString(), last: null, backAt: null }
      const missed: string[] = []
      let wasOff = false
      for (let at = 0; at < days; at += 1) {
        if (gaps.some(({ from, minutes }) => from <= at && at < from + minutes)) {
          wasOff = true
          continue
        }
        const now = instant(at)
        if (wasOff) nightly = { ...nightly, backAt: now.toISOString() }
        wasOff = false
        for (const { minuteOfDay } of changes.filter(({ from }) => from === at))
          nightly = { ...nightly, at: clock(minuteOfDay), since: now.toISOString() }
        if (nightlyMissingSince(nightly, now) !== null) missed.push(now.toISOString())
        const night = at % 10 === 0 ? nightToMake(nightly, now) : null
        if (night !== null) nightly = { ...nightly, last: { day: night, madeAt: now.toISOString() } }
      }
      expect(missed).toEqual([])
      // Three days later, with no look in between, one is missing.
      expect(nightlyMissingSince(nightly, instant(days + 3 * 24 * 60))).not.toBeNull()
    }),
    { numRuns: 25 },
  )
})

const set = { at: '03:00', since: '2026-06-01T12:00:00.000Z', last: null, backAt: null }
const at = (moment: string) => new Date(`2026-06-${moment}:00.000Z`)
const made = (day: string) => ({ day: `2026-06-${day}`, madeAt: `2026-06-${day}T02:05:00.000Z` })

test('today’s backup is due from its hour in London on, and yesterday’s before that', () => {
  const due = (moment: string, change: Partial<Nightly> = {}) => nightToMake({ ...set, ...change }, at(moment))
  expect([due('05T01:59'), due('05T02:00')]).toEqual(['2026-06-04', '2026-06-05'])
  expect(due('05T02:00', { last: made('05') })).toBeNull()
  expect(due('05T02:00', { last: made('04') })).toBe('2026-06-05')
  expect(due('05T01:59', { last: made('04') })).toBeNull()
  // A clock that was ahead made it.
  expect(due('05T02:00', { last: made('06') })).toBe('2026-06-05')
  // The hour was set after yesterday's had passed, or by a clock that was ahead.
  expect(due('02T01:59')).toBeNull()
  expect(due('02T02:00')).toBe('2026-06-02')
  expect(due('02T01:59', { since: '2026-06-09T12:00:00.000Z' })).toBe('2026-06-01')
})

test('a backup is missing once the last one is more than 36 hours old, unless one may be running', () => {
  const since = (moment: string, change: Partial<Nightly> = {}) =>
    nightlyMissingSince({ ...set, ...change }, at(moment))
  expect([since('03T00:00'), since('03T00:01')]).toEqual([null, set.since])
  expect(since('06T14:05', { last: made('05') })).toBeNull()
  expect(since('06T14:06', { last: made('05') })).toBe(made('05').madeAt)
  // One for that night was made late, and nothing is due again yet.
  expect(since('07T03:59', { last: { day: '2026-06-06', madeAt: '2026-06-05T02:05:00.000Z' } })).toBeNull()
  const back = (moment: string) => ({ last: made('05'), backAt: at(moment).toISOString() })
  expect(since('06T15:00', back('06T13:01'))).toBeNull()
  expect(since('06T15:00', back('06T13:00'))).toBe(made('05').madeAt)
  expect(since('06T15:00', back('09T13:00'))).toBe(made('05').madeAt)
})
