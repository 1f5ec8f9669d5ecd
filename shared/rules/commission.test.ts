import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  clawbackText,
  clawedBack,
  commissionDueOn,
  commissionOn,
  forecastCommission,
  type LedgerLine,
  liveEarnings,
  livePayments,
  unsettledLines,
} from './commission.ts'
import { guaranteeEnds } from './guarantee.ts'
import { addDays, londonDay } from './london.ts'

test.each([
  [25_000, 10, 2_500],
  [12_345, 10, 1_235],
  [12_344, 10, 1_234],
  [5, 10, 1],
  [4, 10, 0],
  [25_000, 0, 0],
  [25_000, 100, 25_000],
])('of %i pence at %i per cent it is %i, half a penny up', (net, rate, commission) => {
  expect(commissionOn(net, rate)).toBe(commission)
})

test('it is due on the day after the guarantee ends, by the calendar', () => {
  expect([commissionDueOn('2026-06-12'), commissionDueOn('2026-12-25'), commissionDueOn('2028-02-20')]).toEqual([
    ...['2026-06-27', '2027-01-09', '2028-03-06'],
  ])
  const paid = '2026-06-12T21:59:00Z'
  const lastDay = londonDay(guaranteeEnds(paid))
  expect(commissionDueOn(londonDay(new Date(paid)))).toBe(addDays(lastDay, 1))
})

const invoices = fc
  .record({ net: fc.integer({ min: 1, max: 200_000 }), rate: fc.integer({ min: 0, max: 100 }) })
  .map(({ net, rate }) => {
    const vat = Math.floor((net * 20 + 50) / 100)
    return { invoice: { net, vat, gross: net + vat }, commission: commissionOn(net, rate) }
  })

test('refunds in any parts claw back what one refund of their sum would; all of it, the whole commission', () => {
  fc.assert(
    fc.property(invoices, fc.array(fc.integer({ min: 1, max: 60_000 }), { maxLength: 6 }), (paid, parts) => {
      const { invoice, commission } = paid
      let refunded = 0
      let before = 0
      for (const part of parts) {
        refunded = Math.min(invoice.gross, refunded + part)
        const { amount } = clawedBack({ amount: commission, net: invoice.net }, invoice, refunded)
        // No part gives commission back, and none takes more than was left.
        expect(amount).toBeGreaterThanOrEqual(before)
        expect(amount).toBeLessThanOrEqual(commission)
        before = amount
      }
      const earned = { amount: commission, net: invoice.net }
      expect(clawedBack(earned, invoice, invoice.gross)).toEqual(earned)
      expect(clawedBack(earned, invoice, 0)).toEqual({ amount: 0, net: 0 })
    }),
  )
})

const line = (id: string, more: Partial<LedgerLine> = {}): LedgerLine => ({
  id,
  kind: 'invoice',
  reverses: null,
  amount: 2_500,
  dueOn: '2026-06-26',
  isSettlement: false,
  ...more,
})
const payment = (id: string, reverses: string, amount = -2_500) =>
  line(id, { kind: 'payment', reverses, amount, isSettlement: true })
const reversal = (id: string, reverses: string, amount: number, isSettlement = false) =>
  line(id, { kind: 'reversal', reverses, amount, isSettlement })
const ids = (lines: LedgerLine[]) => lines.map(({ id }) => id)

test('a line is open until it is paid, and again once that was taken back', () => {
  expect(ids(unsettledLines([line('a')]))).toEqual(['a'])
  expect(ids(unsettledLines([line('a'), payment('p', 'a')]))).toEqual([])
  const back = [line('a'), payment('p', 'a'), reversal('r', 'p', 2_500, true)]
  expect([ids(unsettledLines(back)), ids(livePayments(back))]).toEqual([['a'], []])
  expect(ids(unsettledLines([...back, payment('q', 'a')]))).toEqual([])
})

test('a line and its reversal that were both never paid owe nothing; of a paid one the reversal is owed back', () => {
  expect(ids(unsettledLines([line('a'), reversal('r', 'a', -2_500)]))).toEqual([])
  expect(ids(unsettledLines([line('a'), payment('p', 'a'), reversal('r', 'a', -2_500)]))).toEqual(['r'])
})

test('a claw-back of nothing owes nothing; what was reversed earns nothing', () => {
  expect(unsettledLines([line('c', { kind: 'clawback', amount: 0 })])).toEqual([])
  expect(ids(liveEarnings([line('a'), line('b'), reversal('r', 'a', -2_500), payment('p', 'b')]))).toEqual(['b'])
})

test('ENT-19 the partner’s forecast: each tier’s rate on its net, rounded once, and their sum', () => {
  const { total, breakdown } = forecastCommission([
    { slug: 'lite', name: 'Lite', count: 3, nextYearlyNet: 450_000, rate: 10 },
    { slug: 'standard', name: 'Alliance', count: 1, nextYearlyNet: 300_060, rate: 10 },
    { slug: 'xl', name: 'XL', count: 0, nextYearlyNet: 0, rate: 15 },
  ])
  expect(breakdown).toEqual([
    { name: 'Lite', count: 3, rate: 10, total: 3_750 },
    { name: 'Alliance', count: 1, rate: 10, total: 2_501 },
    { name: 'XL', count: 0, rate: 15, total: 0 },
  ])
  expect(total).toBe(6_251)
  expect(forecastCommission([])).toEqual({ total: 0, breakdown: [] })
})

test('a clawed-back month says what is owed back, or what was taken, once nothing is left to take', () => {
  const textOf = (outstanding: number, commissionPaid = false) =>
    clawbackText({ commissionPaid, clawback: { takenBack: 2_500, outstanding } })
  expect([textOf(-1_000), textOf(0), textOf(1), textOf(0, true)]).toEqual([
    ...['−£10.00 owed back', '£25.00 clawed back', null, null],
  ])
  expect(clawbackText({ commissionPaid: false, clawback: undefined })).toBeNull()
})

test('an invoice of nothing has nothing to claw back', () => {
  expect(clawedBack({ amount: 0, net: 0 }, { net: 0, vat: 0, gross: 0 }, 0)).toEqual({ amount: 0, net: 0 })
})
