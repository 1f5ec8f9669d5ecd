import { expect, test } from 'vitest'
import { priceReadings, strayReadings } from './price-readings.ts'

const content = {
  prices: { lowest: 'from £147 + VAT per month', programme: '£2,497' },
  faq: [{ answer: 'Alliance is £250 + VAT/month, Mastermind £1,997.50 + VAT a month.' }],
}

test('CONST-11 finds each monthly price in the words, and where it stands', () => {
  expect(priceReadings(content)).toEqual([
    { place: 'prices.lowest', words: '£147 + VAT per month', price: 14_700 },
    { place: 'faq.0.answer', words: '£250 + VAT/month', price: 25_000 },
    { place: 'faq.0.answer', words: '£1,997.50 + VAT a month', price: 199_750 },
  ])
})

test('CONST-11 names those that no tier has', () => {
  const stray = strayReadings(content, [{ price: 12_500 }, { price: 25_000 }])
  expect(stray.map(({ price }) => price)).toEqual([14_700, 199_750])
})
