import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Movement, reducedLines, setOffs, toName } from './credit.ts'

const line = fc.record({
  net: fc.integer({ min: 0, max: 90_000 }),
  rate: fc.constantFrom(0, 5, 12.5, 20),
  isCredit: fc.boolean(),
})

test('what is taken off the lines is taken off their sum, to the penny, and no line is asked for more than it had', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.integer({ min: 0, max: 100 }), (drawn, percent) => {
      const lines = drawn.map(({ net, rate }) => ({ net, rate, vat: Math.round((net * rate) / 100) }))
      const gross = lines.reduce((sum, { net, vat }) => sum + net + vat, 0)
      const off = Math.floor((gross * percent) / 100)
      const reduced = reducedLines(lines, off)
      expect(reduced.reduce((sum, { net, vat }) => sum + net + vat, 0)).toBe(gross - off)
      for (const [at, { net, vat }] of reduced.entries()) {
        expect(net + vat).toBeGreaterThanOrEqual(0)
        expect(net + vat).toBeLessThanOrEqual((lines[at]?.net ?? 0) + (lines[at]?.vat ?? 0))
      }
    }),
  )
})

const move = (type: string, amount: number, invoice: string | null = null): Movement => ({
  id: `${type}:${amount}`,
  type,
  amount,
  invoice,
})
const used = (movements: Movement[], answers: [string, 'money' | 'goodwill'][] = []) =>
  Object.fromEntries(setOffs(movements, new Map(answers)))

test('the type decides, the oldest credit goes first, and an owner’s answer wins', () => {
  const movements = [
    move('credit_note', -5_000, 'in_0'),
    move('adjustment', -4_000),
    move('applied_to_invoice', 7_000, 'in_1'),
    move('applied_to_invoice', 2_000, 'in_2'),
  ]
  expect(used(movements)).toEqual({
    in_1: { money: 5_000, goodwill: 2_000, debt: 0 },
    in_2: { money: 0, goodwill: 2_000, debt: 0 },
  })
  expect(used(movements, [['adjustment:-4000', 'money']]).in_2).toEqual({ money: 2_000, goodwill: 0, debt: 0 })
})

test('what no type tells counts as money, a debt is told apart, and a void invoice gives back what it took', () => {
  expect(used([move('migration', -900), move('applied_to_invoice', 900, 'in_1')]).in_1?.money).toBe(900)
  expect(used([move('adjustment', 500), move('applied_to_invoice', -500, 'in_1')]).in_1).toEqual({
    money: 0,
    goodwill: 0,
    debt: 500,
  })
  const undone = [
    move('adjustment', -900),
    move('applied_to_invoice', 900, 'in_1'),
    move('unapplied_from_invoice', -900, 'in_1'),
    move('applied_to_invoice', 900, 'in_2'),
  ]
  expect(used(undone)).toEqual({ in_2: { money: 0, goodwill: 900, debt: 0 } })
})

const named = (movements: Movement[]) =>
  toName(movements, new Map()).map(({ id, amount, counts, takenBy }) => [id, amount, counts, takenBy])

test('owners are asked about credit no type tells, less what they undid, and read of debits taken with an invoice', () => {
  expect(named([move('adjustment', -900), move('adjustment', 900)])).toEqual([])
  expect(named([move('adjustment', -900), move('adjustment', 200), move('credit_note', -50, 'in_0')])).toEqual([
    ['adjustment:-900', 700, 'goodwill', null],
  ])
  expect(named([move('migration', -900), move('applied_to_invoice', 900, 'in_1')])).toEqual([
    ['migration:-900', 900, 'money', 'in_1'],
  ])
  expect(named([move('applied_to_invoice', -800, 'in_1')])).toEqual([['applied_to_invoice:-800', 800, 'money', null]])
  expect(named([move('adjustment', 500)])).toEqual([])
  expect(named([move('adjustment', 500), move('applied_to_invoice', -500, 'in_1')])).toEqual([
    ['adjustment:500', 500, 'debit', 'in_1'],
  ])
})
