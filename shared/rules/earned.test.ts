import { expect, test } from 'vitest'
import { balanceSentence, bridgeLines, sumOfEarned, timingNotes, whatsLeft } from './earned.ts'

const bridge = {
  before: 100,
  taken: 60_000,
  refunded: 5_000,
  fees: 900,
  disputes: -200,
  other: 0,
  paidOut: 50_000,
  after: 4_000,
}
const known = { taken: 60_000, refunded: 5_000, vat: 9_000, commission: 4_000 }
const month = {
  period: '2026-05',
  ...known,
  ...whatsLeft(known, bridge),
  offInvoices: 0,
  offCredits: 0,
  forLater: 0,
  bridge,
}

test('what’s left is what was taken less all that goes', () => {
  expect(whatsLeft(known, bridge)).toEqual({ fees: 900, left: 41_100 })
  expect(whatsLeft(known, null)).toEqual({ fees: null, left: null })
})

test('months are added up, from the balance before the first to the one after the last', () => {
  const next = {
    ...month,
    period: '2026-06',
    offInvoices: 70,
    offCredits: -30,
    bridge: { ...bridge, before: 4_000, after: 8_000, other: 5 },
  }
  expect(sumOfEarned('2026', [month, next], 500)).toEqual({
    period: '2026',
    taken: 120_000,
    refunded: 10_000,
    vat: 18_000,
    commission: 8_000,
    fees: 1_800,
    left: 82_200,
    offInvoices: 70,
    offCredits: -30,
    forLater: 500,
    bridge: {
      before: 100,
      taken: 120_000,
      refunded: 10_000,
      fees: 1_800,
      disputes: -400,
      other: 5,
      paidOut: 100_000,
      after: 8_000,
    },
  })
})

test('what isn’t known of one month isn’t known of all, and nothing is known of none', () => {
  const unknown = { ...month, fees: null, left: null, bridge: null }
  expect(sumOfEarned('2026', [month, unknown])).toMatchObject({ taken: 120_000, fees: null, left: null, bridge: null })
  expect(sumOfEarned('2026', [])).toMatchObject({ taken: 0, left: null, bridge: null })
})

test('the bridge’s lines add up to the balance after, and corrections show only if there were any', () => {
  const sum = (lines: { amount: number }[]) => lines.reduce((total, { amount }) => total + amount, 0)
  expect(bridgeLines(bridge).map(({ amount }) => amount)).toEqual([100, 60_000, -5_000, -900, -200, -50_000])
  expect(sum(bridgeLines(bridge))).toBe(bridge.after)
  expect(bridgeLines({ ...bridge, other: -1 }).map(({ amount }) => amount)).toContain(-1)
})

test('a note says which way cash and tax point differ', () => {
  const notes = (offInvoices: number, offCredits: number) => timingNotes({ ...month, offInvoices, offCredits })
  expect(notes(0, 0)).toEqual([])
  const all = [...notes(1, 1), ...notes(-1, -1)]
  expect([all.length, new Set(all).size, all.every((note) => note.startsWith('£0.01 '))]).toEqual([4, 4, true])
  expect([notes(1, 0), notes(0, 1), notes(-1, 0), notes(0, -1)]).toEqual(all.map((note) => [note]))
})

test('a note says what was paid ahead', () => {
  expect(timingNotes({ ...month, forLater: 229_167 })).toEqual([
    '£2,291.67 of what you took, without VAT, is for later months.',
  ])
})

test('our sum is Stripe’s balance, or it’s said by how much it isn’t', () => {
  const sentenceOf = (ours: number, stripe: number) =>
    balanceSentence({ lines: [], from: null, balance: { at: '2026-06-01T04:00:00.000Z', ours, stripe } })
  expect(sentenceOf(4_000, 4_000)).toEqual({ isEqual: true, text: 'Stripe says £40.00 too.' })
  expect(sentenceOf(4_000, 4_150)).toEqual({ isEqual: false, text: 'Stripe says £41.50. That’s £1.50 different.' })
  expect(balanceSentence({ lines: [], from: null, balance: null }).isEqual).toBe(true)
})
