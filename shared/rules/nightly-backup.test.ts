import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, londonDay } from './london.ts'
import { type Nightly, nightlyMissingSince, nightToMake } from './nightly-backup.ts'

const minute = 60_000
const two = (number: number) => String(number).padStart(2, '0')

test('looked at every ten minutes, each night of any hour has one, and none is missed, whatever the clocks do', () => {
  // A week around each change, and one without.
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
      let nightly: Nightly = { at, since: new Date(first - minute).toISOString(), last: null }
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
