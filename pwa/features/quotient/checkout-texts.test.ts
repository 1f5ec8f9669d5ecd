import { expect, test } from 'vitest'
import { quotientPrices } from '#shared/rules/quotient-setups.ts'
import { formatSetupPrice } from './checkout-texts.ts'

test('ENT-26 ENT-27 what a package says it costs is what is charged', () => {
  expect(formatSetupPrice(quotientPrices.professional)).toBe('£450 + VAT (£540 total)')
  expect(formatSetupPrice(quotientPrices.master)).toBe('£750 + VAT (£900 total)')
})
