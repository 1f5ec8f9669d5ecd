import fc from 'fast-check'
import { expect, test } from 'vitest'
import { discountText, formatPounds, formatPoundsAndPence, vatOn, withVat } from './money.ts'

test('VAT is 20 %, to the nearest penny', () => {
  const lines: [net: number, vat: number][] = [
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 1],
    [7, 1],
    [8, 2],
    [12, 2],
    [13, 3],
    [12_500, 2_500],
    [25_000, 5_000],
    [45_000, 9_000],
    [14_999, 3_000],
  ]
  for (const [net, vat] of lines) expect([net, vatOn(net)]).toEqual([net, vat])
})

test('a total is its net and its VAT, for every amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (net) => {
      const { vat, total } = withVat(net)
      expect(total).toBe(net + vat)
      expect(Math.abs(vat * 5 - net)).toBeLessThanOrEqual(2)
      expect(Number.isInteger(vat)).toBe(true)
    }),
  )
})

test('anything but whole pence throws', () => {
  for (const amount of [0.5, 12.01, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    for (const use of [vatOn, withVat, formatPounds, formatPoundsAndPence]) {
      expect(() => use(amount)).toThrow(RangeError)
    }
  }
})

test('pounds for cards leave out noughts, for receipts never', () => {
  expect([0, 100, 129_900, 25_050, 5].map(formatPounds)).toEqual(['£0', '£1', '£1,299', '£250.50', '£0.05'])
  expect([0, 100, 129_900, 25_050].map(formatPoundsAndPence)).toEqual(['£0.00', '£1.00', '£1,299.00', '£250.50'])
  expect([-5, -45_000].map(formatPoundsAndPence)).toEqual(['−£0.05', '−£450.00'])
  expect([-25_000, -25_050].map(formatPounds)).toEqual(['−£250', '−£250.50'])
})

test('amounts are written as Britain writes them, at any size', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }), (amount) => {
      const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
      const pounds = (Math.abs(amount) / 100).toLocaleString('en-GB', digits)
      expect(formatPoundsAndPence(amount)).toBe(`${amount < 0 ? '−' : ''}£${pounds}`)
      const whole = Math.abs(amount).toLocaleString('en-GB')
      expect(formatPounds(amount * 100)).toBe(`${amount < 0 ? '−' : ''}£${whole}`)
    }),
  )
})

test('a discount is said by its rate, to two decimals, and its amount', () => {
  expect([discountText(25_000, 20_000), discountText(30_000, 20_000), discountText(1_000, 999)]).toEqual([
    ...['Discount 20%: £50.00 off', 'Discount 33.33%: £100.00 off', 'Discount 0.1%: £0.01 off'],
  ])
  expect([discountText(25_000, 25_000), discountText(0, 0), discountText(1, 2)]).toEqual([null, null, null])
})
