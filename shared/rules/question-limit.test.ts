import fc from 'fast-check'
import { expect, test } from 'vitest'
import { londonDay, londonMonth } from './london.ts'
import { placeOfQuestion, type QuestionLimits, questionAllowance, writtenAt } from './question-limit.ts'

const instant = (text: string) => new Date(text)

/** Counts as the server does: by the London day and month of each instant. */
const counterOf = (counted: readonly Date[]) => (when: Date) => ({
  onDay: counted.filter((one) => londonDay(one) === londonDay(when)).length,
  inMonth: counted.filter((one) => londonMonth(one) === londonMonth(when)).length,
})

const times = (count: number, at: string) => Array.from({ length: count }, () => instant(at))

const limits: QuestionLimits = { perDay: 20, perMonth: 3 }
const now = instant('2026-07-15T09:00:00Z')

test('a question counts when it was written while there’s room, and when it comes if there’s none', () => {
  const at = instant('2026-06-30T22:59:59Z')
  const place = (counted: readonly Date[]) => placeOfQuestion({ at, now, limits }, counterOf(counted))
  expect(place([])).toEqual({ countedAt: at })
  expect(place(times(3, '2026-06-02T09:00:00Z'))).toEqual({ countedAt: now })
  expect(place([...times(3, '2026-06-02T09:00:00Z'), ...times(3, '2026-07-01T09:00:00Z')])).toEqual({
    from: '2026-08-01',
  })
})

test('a month and a day end at midnight in London, in summer an hour before they do in UTC', () => {
  const june = times(3, '2026-06-10T09:00:00Z')
  const place = (at: string) => placeOfQuestion({ at: instant(at), now: instant(at), limits }, counterOf(june))
  expect(place('2026-06-30T22:59:59.999Z')).toEqual({ from: '2026-07-01' })
  expect(place('2026-06-30T23:00:00.000Z')).toEqual({ countedAt: instant('2026-06-30T23:00:00.000Z') })
  const december = times(3, '2026-12-10T09:00:00Z')
  const winter = (at: string) => placeOfQuestion({ at: instant(at), now: instant(at), limits }, counterOf(december))
  expect(winter('2026-12-31T23:59:59.999Z')).toEqual({ from: '2027-01-01' })
  expect(winter('2027-01-01T00:00:00.000Z')).toEqual({ countedAt: instant('2027-01-01T00:00:00.000Z') })
})

test('what’s above 20 on one day goes the next, also without a limit for the month', () => {
  const unlimited = { perDay: 20, perMonth: null }
  const counted = times(20, '2026-07-15T07:00:00Z')
  expect(placeOfQuestion({ at: now, now, limits: unlimited }, counterOf(counted))).toEqual({ from: '2026-07-16' })
  expect(questionAllowance(now, counterOf(counted)(now), unlimited)).toEqual({
    perMonth: null,
    leftThisMonth: null,
    leftToday: 0,
    from: '2026-07-16',
  })
})

test('a tier without questions never has room, and says no day', () => {
  const none = { perDay: 20, perMonth: 0 }
  expect(placeOfQuestion({ at: now, now, limits: none }, counterOf([]))).toEqual({ from: null })
  expect(questionAllowance(now, { onDay: 0, inMonth: 0 }, none)).toEqual({
    perMonth: 0,
    leftThisMonth: 0,
    leftToday: 0,
    from: null,
  })
})

test('what’s left today is never more than what’s left of the month', () => {
  expect(questionAllowance(now, { onDay: 0, inMonth: 2 }, limits)).toMatchObject({ leftThisMonth: 1, leftToday: 1 })
  expect(questionAllowance(now, { onDay: 3, inMonth: 3 }, limits)).toMatchObject({ leftToday: 0, from: '2026-08-01' })
  // A tier changed for a smaller one.
  expect(questionAllowance(now, { onDay: 5, inMonth: 9 }, limits)).toMatchObject({ leftThisMonth: 0, leftToday: 0 })
})

test('a stamp in the future or of a clock that was set wrong counts as now', () => {
  expect(writtenAt('2026-07-15T09:00:00.001Z', now)).toEqual(now)
  expect(writtenAt('1970-01-01T00:00:00Z', now)).toEqual(now)
  expect(writtenAt('2026-05-01T09:00:00Z', now)).toEqual(instant('2026-05-01T09:00:00Z'))
})

test('however questions come, no London day or month ever counts more than its limit, and one refused goes from the day that’s named', () => {
  const day = 86_400_000
  const arrivals = fc.array(
    fc.record({ wait: fc.integer({ min: 0, max: 2 * day }), age: fc.integer({ min: 0, max: 60 * day }) }),
    {
      maxLength: 60,
    },
  )
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 6 }), (all, perDay, perMonth) => {
      const counted: Date[] = []
      let clock = instant('2026-03-20T12:00:00Z').getTime()
      for (const { wait, age } of all) {
        clock += wait
        const received = new Date(clock)
        const question = { at: new Date(clock - age), now: received, limits: { perDay, perMonth } }
        const place = placeOfQuestion(question, counterOf(counted))
        if ('countedAt' in place) counted.push(place.countedAt)
        else {
          const later = new Date(`${place.from}T12:00:00Z`)
          expect(later > received).toBe(true)
          expect(placeOfQuestion({ ...question, now: later }, counterOf(counted))).toEqual({ countedAt: later })
        }
      }
      for (const one of counted) {
        const { onDay, inMonth } = counterOf(counted)(one)
        expect(onDay <= perDay && inMonth <= perMonth).toBe(true)
      }
    }),
  )
})
