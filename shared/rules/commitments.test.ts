import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CommitmentState } from '#shared/contract/commitments.ts'
import {
  agreedLines,
  compareDue,
  dayNamed,
  idOfLine,
  isNewerState,
  keptShares,
  lastShares,
  openOnes,
  proposedOnes,
  type StampedState,
  settledOnes,
  weekOf,
} from './commitments.ts'
import { isUuidV7 } from './id.ts'
import { isNewerStamp } from './progress-merge.ts'

const states = ['proposed', 'open', 'done', 'dropped'] as const satisfies readonly CommitmentState[]

const anyState = fc.record({
  state: fc.constantFrom(...states),
  stamp: fc.record({
    at: fc.integer({ min: 0, max: 2 }),
    counter: fc.integer({ min: 0, max: 2 }),
    deviceId: fc.constantFrom('a', 'b', 'c'),
    changeId: fc.constantFrom('1', '2', '3'),
  }),
})

const stated = (state: CommitmentState, deviceId: string, over = {}): StampedState => ({
  state,
  stamp: { at: 5, counter: 1, deviceId, changeId: deviceId, ...over },
})

test('the state that wins does not depend on the order of arrival', () => {
  fc.assert(
    fc.property(fc.array(anyState, { minLength: 1 }), fc.infiniteStream(fc.nat()), (all, random) => {
      const shuffled = all.map((one) => ({ one, key: random.next().value })).sort((a, b) => a.key - b.key)
      const winner = (list: readonly StampedState[]) =>
        list.reduce<StampedState | null>((stored, next) => (isNewerState(next, stored) ? next : stored), null)
      expect(winner(shuffled.map(({ one }) => one))).toEqual(winner(all))
    }),
  )
})

test('at equal stamps done beats dropped, whichever comes first and whichever phone it is from', () => {
  const orders = [
    [stated('done', 'a'), stated('dropped', 'z')],
    [stated('done', 'z'), stated('dropped', 'a')],
  ] as const
  for (const [done, dropped] of orders) {
    expect(isNewerState(done, dropped)).toBe(true)
    expect(isNewerState(dropped, done)).toBe(false)
  }
})

test('a later change wins whatever it says, and the same change does not beat itself', () => {
  fc.assert(
    fc.property(anyState, anyState, (one, other) => {
      if (one.stamp.at !== other.stamp.at || one.stamp.counter !== other.stamp.counter)
        expect(isNewerState(one, other)).toBe(isNewerStamp(one.stamp, other.stamp))
      expect(isNewerState(one, one)).toBe(false)
    }),
  )
})

const row = (id: string, day: string, state: CommitmentState = 'open', doneOn: string | null = null) => ({
  id,
  day,
  state,
  doneOn,
  createdAt: `2026-06-01T08:00:0${id.length}.000Z`,
})

test('the next comes first, and of one day’s the one made first', () => {
  const rows = [row('ccc', '2026-06-12'), row('b', '2026-06-12'), row('a', '2026-06-30'), row('d', '2026-06-01')]
  expect(openOnes(rows).map(({ id }) => id)).toEqual(['d', 'b', 'ccc', 'a'])
  expect(compareDue(row('x', '2026-06-12'), row('y', '2026-06-12'))).toBeLessThan(0)
})

test('lists hold what belongs in them, and what is over comes latest first', () => {
  const rows = [
    row('a', '2026-06-12'),
    row('b', '2026-06-13', 'proposed'),
    row('c', '2026-06-14', 'done', '2026-06-14'),
    row('d', '2026-06-15', 'dropped'),
  ]
  expect(openOnes(rows).map(({ id }) => id)).toEqual(['a'])
  expect(proposedOnes(rows).map(({ id }) => id)).toEqual(['b'])
  expect(settledOnes(rows).map(({ id }) => id)).toEqual(['d', 'c'])
})

test('kept means done by the last agreed day, counted in the month of that day', () => {
  const rows = [
    row('on the day', '2026-06-12', 'done', '2026-06-12'),
    row('a day late', '2026-06-12', 'done', '2026-06-13'),
    row('early, due in July', '2026-07-03', 'done', '2026-06-30'),
    row('never done', '2026-06-20'),
    row('dropped', '2026-06-20', 'dropped'),
    row('not accepted', '2026-06-20', 'proposed'),
    row('today', '2026-07-10'),
    row('to come', '2026-07-30'),
  ]
  expect(keptShares(rows, '2026-07-10')).toEqual([
    { month: '2026-07', due: 1, kept: 1 },
    { month: '2026-06', due: 3, kept: 1 },
  ])
})

test('the share of a month never holds more kept than due, and each one that counts is in one month', () => {
  const days = fc
    .integer({ min: 0, max: 90 })
    .map((day) => new Date(Date.UTC(2026, 4, 1 + day)).toISOString().slice(0, 10))
  const anyRow = fc.record({ day: days, state: fc.constantFrom(...states), doneOn: fc.option(days) })
  fc.assert(
    fc.property(fc.array(anyRow), days, (rows, today) => {
      const shares = keptShares(rows, today)
      for (const { due, kept } of shares) expect(kept).toBeLessThanOrEqual(due)
      const counted = rows.filter(({ state, day }) => state === 'done' || (state === 'open' && day < today))
      expect(shares.reduce((sum, { due }) => sum + due, 0)).toBe(counted.length)
      expect(shares.map(({ month }) => month)).toEqual(
        shares
          .map(({ month }) => month)
          .toSorted()
          .toReversed(),
      )
    }),
  )
})

test('of all months, this one and the one before are the last shares', () => {
  const shares = ['2026-02', '2026-01', '2025-12'].map((month) => ({ month, due: 1, kept: 1 }))
  expect(lastShares(shares, '2026-01-15').map(({ month }) => month)).toEqual(['2026-01', '2025-12'])
})

test('a week runs from Monday to Sunday, over the end of a year too', () => {
  expect(weekOf('2026-06-12')).toEqual({ from: '2026-06-08', to: '2026-06-14' })
  expect(weekOf('2026-06-08')).toEqual({ from: '2026-06-08', to: '2026-06-14' })
  expect(weekOf('2027-01-01')).toEqual({ from: '2026-12-28', to: '2027-01-03' })
})

const textsOf = (note: string | null) => agreedLines(note, 200).flatMap(({ text }) => (text === null ? [] : [text]))

test('a note’s lines lose their bullets, empty ones and doubles are none, and long ones end at a word', () => {
  expect(textsOf('- Day rate up by Friday\n\n• Ring three builders\n2) Ring three builders\n---')).toEqual([
    'Day rate up by Friday',
    'Ring three builders',
  ])
  expect(textsOf(null)).toEqual([])
  const [long = ''] = textsOf('word '.repeat(60))
  expect(long.length).toBeLessThanOrEqual(200)
  expect(long).toMatch(/word…$/)
})

test('every line of any note is there as written, and as a commitment it fits and holds no half of a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), (note) => {
      expect(
        agreedLines(note, 200)
          .map(({ line }) => line)
          .join('\n'),
      ).toBe(note)
      for (const text of textsOf(note)) {
        expect(text.length).toBeLessThanOrEqual(200)
        expect(text.isWellFormed()).toBe(true)
      }
    }),
  )
})

test.each([
  ['Day rate up by Friday', '2026-06-12'],
  ['Ring the builder on Wednesday', '2026-06-17'],
  ['Ring him tomorrow', '2026-06-11'],
  ['Send it today', '2026-06-10'],
  ['Do the books every Sunday', '2026-06-17'],
  ['Put my day rate up', '2026-06-17'],
])('“%s”, said on Wednesday 10 June, is for %s', (text, day) => {
  expect(dayNamed(text, '2026-06-10')).toBe(day)
})

test('a line of a call has one id, whoever presses it, and another line or call has another', () => {
  const call = { id: '01890000-0000-7000-8000-000000000001', startsAt: '2026-06-10T09:00:00.000Z' }
  const id = idOfLine(call, 'Day rate up by Friday')
  expect(isUuidV7(id)).toBe(true)
  expect(idOfLine(call, ' day rate  up by friday ')).toBe(id)
  const calls = Array.from({ length: 200 }, (_, index) => ({ ...call, id: `${call.id}${index}` }))
  const ids = calls.flatMap((one) =>
    ['Day rate up', 'Day rate upp', 'Ring three builders'].map((text) => idOfLine(one, text)),
  )
  expect(new Set(ids).size).toBe(600)
})
