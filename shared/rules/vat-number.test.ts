import { expect, test } from 'vitest'
import { hasVatCheckDigits, isVatNumberShaped } from './vat-number.ts'

test('a VAT number has nine digits, or twelve, however they are spaced', () => {
  for (const right of ['GB 123 4567 89', 'GB123456789', '123456789', 'gb 123 4567 89 001', 'XI123456789']) {
    expect([right, isVatNumberShaped(right)]).toEqual([right, true])
  }
  for (const wrong of ['', 'TBC', 'GB12345678', 'GB1234567890', 'FR123456789', 'GB 123 4567 8O']) {
    expect([wrong, isVatNumberShaped(wrong)]).toEqual([wrong, false])
  }
})

test('its check digits are right by either way, and one wrong digit is seen', () => {
  // 8·1 + 7·2 + 6·3 + 5·4 + 4·5 + 3·6 + 2·7 = 112; 112 + 82 = 2 × 97, and 112 + 27 + 55 = 2 × 97.
  expect(['GB 123 4567 82', 'GB 123 4567 27', 'GB123456782001'].map(hasVatCheckDigits)).toEqual([true, true, true])
  expect(['GB 123 4567 83', 'GB 124 4567 82', 'TBC'].map(hasVatCheckDigits)).toEqual([false, false, false])
})
