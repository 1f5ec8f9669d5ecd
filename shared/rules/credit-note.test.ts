import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Amounts, creditNoteAmounts, remainingAmounts } from './credit-note.ts'
import { withVat } from './money.ts'

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
