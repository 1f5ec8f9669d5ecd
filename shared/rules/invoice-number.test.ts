import { expect, test } from 'vitest'
import { creditNoteNumber, invoiceNumber, sequenceOf } from './invoice-number.ts'

test('an invoice and a credit note are told apart by their numbers', () => {
  expect([invoiceNumber(42), creditNoteNumber(7)]).toEqual(['A-000042', 'C-000007'])
  expect(['A-000042', 'C-000007', 'A-1000000'].map(sequenceOf)).toEqual([
    { series: 'invoice', sequence: 42 },
    { series: 'credit_note', sequence: 7 },
    { series: 'invoice', sequence: 1_000_000 },
  ])
  expect(['B-000001', 'A-', 'A-1x'].map(sequenceOf)).toEqual([null, null, null])
})
