import { expect, test } from 'vitest'
import { findInvoiceProblems, saysItIsLate } from './invoice-problems.ts'

const line = { description: 'Membership', quantity: 1, unitPrice: 25_000, net: 25_000, rate: 20, vat: 5_000 }
const invoice = {
  number: 'A-000001',
  isRetroactive: false,
  replacesId: null,
  taxPoint: '2026-06-01',
  issuedOn: '2026-06-01',
  seller: { name: 'Alliance Ltd', address: '1 High Street', vatNumber: 'GB123456789' },
  customer: { name: 'Danny', address: '2 Low Road' },
  lines: [line],
  net: 25_000,
  vat: 5_000,
  gross: 30_000,
}
const payment = { status: 'paid', net: 25_000, vat: 5_000, total: 30_000, paidOn: '2026-06-01' }
const saidOf = (change: Partial<Parameters<typeof findInvoiceProblems>[0]>, paid: typeof payment | null = null) =>
  findInvoiceProblems({ ...invoice, ...change }, paid).map(({ says }) => says)

test('an invoice with all its particulars, paid in full on its day, has no problem', () => {
  expect(findInvoiceProblems(invoice, payment)).toEqual([])
  expect(findInvoiceProblems(invoice, null)).toEqual([])
})

test.each([
  ['The number is missing.', { number: '' }],
  ['The seller’s name is missing.', { seller: { ...invoice.seller, name: '' } }],
  ['The seller’s address is missing.', { seller: { ...invoice.seller, address: '' } }],
  ['The seller’s VAT number is missing.', { seller: { ...invoice.seller, vatNumber: '' } }],
  ['The customer’s name is missing.', { customer: { ...invoice.customer, name: '' } }],
  ['The customer’s address is missing.', { customer: { ...invoice.customer, address: null } }],
  ['A description is missing.', { lines: [{ ...line, description: '' }] }],
  ['A quantity is nought or less.', { lines: [{ ...line, quantity: 0 }] }],
  ['The lines don’t add up to the amount excluding VAT.', { net: 25_001, vat: 5_000, gross: 30_001 }],
  ['The lines don’t add up to the VAT.', { vat: 5_001, gross: 30_001 }],
  ['The amounts don’t add up to the total.', { gross: 30_001 }],
  ['A line’s VAT doesn’t match its rate.', { lines: [{ ...line, vat: 5_002 }], vat: 5_002, gross: 30_002 }],
  ['It was issued before the tax point.', { issuedOn: '2026-05-31' }],
])('%s', (says, change) => {
  expect(saidOf(change)).toEqual([says])
})

test('lines are summed, may be a penny out by rounding, and have to be there', () => {
  const two = { lines: [line, { ...line, net: 5, vat: 2 }], net: 25_005, vat: 5_002, gross: 30_007 }
  expect(saidOf(two)).toEqual([])
  expect(saidOf({ lines: [], net: 0, vat: 0, gross: 0 })).toEqual(['What was supplied is missing.'])
})

test('what a person has to give us is fixed, the rest is credited or only looked at', () => {
  const mendOf = (change: object) => findInvoiceProblems({ ...invoice, ...change }, null).map(({ mend }) => mend)
  expect(mendOf({ customer: { name: '', address: null } })).toEqual(['credit', 'fix'])
  expect(mendOf({ number: '', gross: 1 })).toEqual([null, 'credit'])
})

test('an invoice is late after 30 days, and says so if it’s a replacement or retroactive', () => {
  const late = { taxPoint: '2026-06-01', issuedOn: '2026-07-02' }
  expect(saidOf({ issuedOn: '2026-07-01' })).toEqual([])
  expect(saidOf(late)).toEqual(['It was issued more than 30 days after the tax point, and doesn’t say so.'])
  expect(saidOf({ ...late, replacesId: 'x' })).toEqual([])
  expect(saidOf({ ...late, isRetroactive: true })).toEqual([])
  const says = (change: object) => saysItIsLate({ ...invoice, ...change })
  expect([{ replacesId: 'x' }, late, { ...late, replacesId: 'x' }, { isRetroactive: true }].map(says)).toEqual([
    ...[false, false, true, true],
  ])
})

test('Stripe has to have the same amounts, status and day', () => {
  for (const change of [{ net: 1 }, { vat: 1 }, { total: 1 }])
    expect(saidOf({}, { ...payment, ...change })).toEqual(['Stripe’s amounts are different.'])
  expect(saidOf({}, { ...payment, status: 'refunded' })).toEqual(['Its payment is refunded in Stripe.'])
  expect(saidOf({}, { ...payment, paidOn: '2026-06-02' })).toEqual([
    'The tax point isn’t the day of the payment, 2026-06-02.',
  ])
})
