import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noteByRate, vatByRate } from './vat-by-rate.ts'

const line = fc
  .record({ net: fc.integer({ min: 0, max: 90_000 }), rate: fc.constantFrom(0, 5, 12.5, 20) })
  .map(({ net, rate }) => ({ net, rate, vat: Math.round((net * rate) / 100) }))
const total = (parts: readonly { net: number; vat: number }[]) => ({
  net: parts.reduce((sum, { net }) => sum + net, 0),
  vat: parts.reduce((sum, { vat }) => sum + vat, 0),
})

test('a document has one sum for each rate, and a credit note of any size adds up to the penny', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.integer({ min: 0, max: 100 }), (lines, percent) => {
      const whole = total(lines)
      expect(total(vatByRate(lines))).toEqual(whole)
      const note = { net: Math.floor((whole.net * percent) / 100), vat: Math.floor((whole.vat * percent) / 100) }
      expect(total(noteByRate(lines, note))).toEqual(note)
    }),
  )
})
