import { expect, test } from 'vitest'
import { priceMentions, unknownPriceMentions } from './price-mentions.ts'

const content = {
  prices: { lowest: 'from £147 + VAT per month', programme: '£2,497' },
  faq: [{ answer: 'Alliance is £250 + VAT/month, Mastermind £1,997.50 + VAT a month.' }],
}

test('finds each monthly price in the words, and its place', () => {
  expect(priceMentions(content)).toEqual([
    { place: 'prices.lowest', words: '£147 + VAT per month', price: 14_700 },
    { place: 'faq.0.answer', words: '£250 + VAT/month', price: 25_000 },
    { place: 'faq.0.answer', words: '£1,997.50 + VAT a month', price: 199_750 },
  ])
})

test('however it is put', () => {
  const forms = [
    ...['£147/month + VAT', '£147 plus VAT a month', '£147 + VAT monthly', '£147 a month plus VAT', '£147 pcm + VAT'],
    ...['£147 (excl. VAT) per month', '£ 147 + VAT / month', '£147.00+VAT each month', 'monthly price: £147 + VAT'],
  ]
  for (const form of forms) {
    expect(priceMentions(`Join for ${form}. Then £997 once.`)).toEqual([{ place: '', words: form, price: 14_700 }])
  }
})

test('a price that is paid once is none', () => {
  const once = [
    ...[
      '£1,497 + VAT',
      '£2,497 or 3 payments of £899',
      '£499 + VAT, live in a month',
      '£899 + VAT. Call us each month',
    ],
    ...['£1,299 + VAT one-off, and hosting each and every month from another firm', 'saves £400 a month'],
  ]
  for (const words of once) expect([words, priceMentions(words)]).toEqual([words, []])
  expect(priceMentions('£30/month + VAT and £1,497 + VAT for the set-up').map(({ price }) => price)).toEqual([3_000])
})

test('names those that no tier has', () => {
  const stray = unknownPriceMentions(content, [{ price: 12_500 }, { price: 25_000 }])
  expect(stray.map(({ price }) => price)).toEqual([14_700, 199_750])
})
