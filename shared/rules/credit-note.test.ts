import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Amounts,
  creditNoteAmounts,
  leftByRate,
  type Note,
  noteOn,
  remainingAmounts,
  together,
} from './credit-note.ts'
import { withVat } from './money.ts'
import { vatByRate } from './vat-by-rate.ts'

const none: Amounts = { net: 0, vat: 0, gross: 0 }
const sum = (notes: readonly Amounts[]): Amounts =>
  notes.reduce(
    (total, { net, vat, gross }) => ({ net: total.net + net, vat: total.vat + vat, gross: total.gross + gross }),
    none,
  )
function invoiceOf(price: number): Amounts {
  const { net, vat, total } = withVat(price)
  return { net, vat, gross: total }
}

test('a part takes its share of net and VAT, and the last part the rest', () => {
  const invoice = invoiceOf(25_000)
  const first = creditNoteAmounts(invoice, none, 10_000)
  expect(first).toEqual({ net: 8_333, vat: 1_667, gross: 10_000 })
  const second = creditNoteAmounts(invoice, first, 20_000)
  expect(second).toEqual({ net: 16_667, vat: 3_333, gross: 20_000 })
  expect(remainingAmounts(invoice, sum([first, second]))).toEqual(none)
})

test('nothing takes more than is left', () => {
  const invoice = invoiceOf(12_500)
  expect(creditNoteAmounts(invoice, none, 99_999)).toEqual(invoice)
  expect(creditNoteAmounts(invoice, invoice, 1)).toEqual(none)
})

test('whatever the parts, they add up to the invoice to the penny, and no part is below nought', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200_000 }), parts, (net, amounts) => {
      const invoice = invoiceOf(net)
      const notes: Amounts[] = []
      for (const amount of [...amounts, invoice.gross]) notes.push(creditNoteAmounts(invoice, sum(notes), amount))
      for (const note of notes) {
        expect(note.net + note.vat).toBe(note.gross)
        expect(Math.min(note.net, note.vat, note.gross)).toBeGreaterThanOrEqual(0)
      }
      expect(sum(notes)).toEqual(invoice)
    }),
  )
})

const line = (rate: number, net: number) => ({
  description: `At ${rate}%`,
  rate,
  net,
  vat: Math.round((net * rate) / 100),
})
type Lines = ReturnType<typeof line>[]
const billed = (lines: Lines) => {
  const [net, vat] = [lines.reduce((all, one) => all + one.net, 0), lines.reduce((all, one) => all + one.vat, 0)]
  return { net, vat, gross: net + vat, lines }
}

test('what a rate has left is the most that a line named takes of it, and other rates give the rest', () => {
  const invoice = billed([line(20, 25_000), line(0, 4_000)])
  const plain = noteOn(invoice, [], { amount: 17_000, lines: null })
  expect(plain).toEqual({ net: 14_500, vat: 2_500, gross: 17_000, lines: null })
  const named = noteOn(invoice, [plain], { amount: 4_000, lines: [line(0, 4_000)] })
  expect(leftByRate(invoice, [plain, named])).toEqual([{ description: 'At 20%', rate: 20, net: 10_833, vat: 2_167 }])
  // A line of the note’s own, at a rate that the invoice hasn’t.
  expect(noteOn(invoice, [], { amount: 1_050, lines: [line(5, 1_000)] })).toMatchObject({ gross: 1_050, vat: 154 })
})

test('whatever is refunded, with or without lines, no rate gives back more than it took, and the sum is exact', () => {
  const amount = fc.integer({ min: 1, max: 40_000 })
  const lines = fc.array(fc.tuple(fc.constantFrom(0, 5, 20), amount), { minLength: 1, maxLength: 4 })
  const made = ([rate, net]: [number, number]) => line(rate, net)
  const refunds = fc.array(fc.tuple(amount, fc.option(lines)), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(lines, refunds, (ofInvoice, history) => {
      const invoice = billed(ofInvoice.map(made))
      const notes: Note[] = []
      for (const [asked, named] of [...history, [invoice.gross, null] as const]) {
        const left = invoice.gross - sum(notes).gross
        const note = noteOn(invoice, notes, { amount: asked, lines: named?.map(made) ?? null })
        notes.push(note)
        expect([note.gross, note.net + note.vat]).toEqual([Math.min(asked, left), note.gross])
        for (const { net, vat } of leftByRate(invoice, notes)) expect(Math.min(net, vat)).toBeGreaterThanOrEqual(0)
        const parts = vatByRate(together(invoice, [note]).lines ?? [])
        for (const { net, vat } of parts) expect(Math.min(net, vat)).toBeGreaterThanOrEqual(0)
      }
      expect([leftByRate(invoice, notes), sum(notes).gross]).toEqual([[], invoice.gross])
    }),
    { numRuns: 2_000, seed: 71 },
  )
})
