import { describe, expect, test } from 'vitest'
import { type About, cardFacts, namingSentences, ownWords, untrueSentences } from './tier-sentences.ts'

const four = { cards: 4, hasMonth: true, hasYear: true }
const isNamed = (text: string, about?: About, facts = four) => untrueSentences(text, facts, about).length > 0

describe('a sentence that counts the tiers', () => {
  test.each([
    'Three tiers, one crew',
    '3 tiers. Pick the one that fits your business now.',
    'All three tiers have the videos.',
    'We’ve got 3 membership tiers.',
    'Choose from three simple tiers.',
    'Our three-tier membership',
    'Two memberships, one price list.',
    'Twelve tiers',
    'There are three membership options.',
    'Three levels of membership',
    'Five ways to join',
  ])('is named where it’s wrong: %s', (text) => {
    expect(isNamed(text)).toBe(true)
  })

  test.each([
    'Four tiers, one crew',
    '4 membership tiers',
    'Three options, one page',
    'Write three options, put the one you’d choose in the middle, and ring two days later.',
    'Your three-year plan',
    'A three year plan, a five year plan',
    'Good, better, best: three levels of finish.',
    'The top two tiers have calls.',
    'XL is two tiers up.',
    'Members have two options when a customer won’t pay.',
    'Two years membership free',
    'Every tier has the videos.',
    'Two kinds of customer',
    'It costs £3 tiers or not.',
    'Three ways to price a job',
  ])('isn’t otherwise: %s', (text) => {
    expect(isNamed(text)).toBe(false)
  })

  test('in a text about the tiers, options and levels are tiers', () => {
    expect([isNamed('Three options, one crew', 'tiers'), isNamed('Pick from 3 levels', 'tiers')]).toEqual([true, true])
  })
})

describe('a sentence that says everybody pays by the month', () => {
  const texts = [
    'Coaching for tradesmen, paid by the month.',
    'You pay by the month, so cancelling stops the next payment.',
    'It’s billed monthly.',
    'You pay us once a month. No contract.',
    'What’s in each tier, what it costs a month, and how to join.',
    'Your monthly membership starts today.',
    'A rolling monthly contract',
    'Membership runs month to month.',
    'You pay through Stripe: the first month when you join, then on the same day each month.',
    'You keep it to the end of the month you’ve paid for.',
  ]
  test.each(texts)('is named once there’s a year: %s', (text) => {
    expect([isNamed(text), isNamed(text, undefined, { ...four, hasYear: false })]).toEqual([true, false])
  })

  test.each([
    'A call each month, and your coach in your pocket.',
    'fifteen minutes between the monthly calls',
    'A bookkeeper for a few hours a month costs less than your evenings.',
    'Pay yourself every month.',
    'Paid by the month or by the year.',
    'from £147 + VAT per month',
    'Monthly reports',
    'Compare your figures month to month.',
    'Prices change every month.',
    'It costs a month of sleep.',
    'Your membership ended a month ago.',
  ])('isn’t otherwise: %s', (text) => {
    expect(isNamed(text)).toBe(false)
  })

  test('in a post it has to be about membership', () => {
    expect(isNamed('Your lads are paid monthly.', 'post')).toBe(false)
    expect(isNamed('Membership is paid monthly.', 'post')).toBe(true)
  })

  test('a sum a month is untrue only where nothing is sold by the month', () => {
    const texts = ['from £147 + VAT per month', '£997 + VAT/month']
    expect(texts.map((text) => isNamed(text))).toEqual([false, false])
    expect(texts.map((text) => isNamed(text, 'anything', { ...four, hasMonth: false }))).toEqual([true, true])
  })
})

test('only the sentence is given back', () => {
  expect(untrueSentences('Three tiers. Pick one.\nPaid monthly!', four)).toEqual(['Three tiers.', 'Paid monthly!'])
})

test('a tier is named by the words that tell it from the others, and no part of another word', () => {
  const others = ['Alliance', 'Alliance Lite']
  expect(ownWords('Alliance XL', others)).toBe('XL')
  expect(ownWords('Alliance', ['Alliance XL'])).toBeNull()
  expect(ownWords('Crew (5+)', others)).toBe('Crew (5+)')
  expect(namingSentences('Outgrown XL? Ask us. XLs and crews don’t count.', 'XL')).toEqual(['Outgrown XL?'])
  expect(namingSentences('Join Crew (5+) today.', 'Crew (5+)')).toHaveLength(1)
})

test('what there will be is counted from the cards and the tier that’s about to change', () => {
  const price = { id: 'p', net: 1, nextPrice: null, members: 0, moving: 0, isOffered: true }
  const month = { ...price, every: 'month' } as const
  const card = (slug: string, more: object = {}) => ({ slug, isActive: true, isShown: true, prices: [month], ...more })
  const tiers = [card('lite'), card('xl'), card('old', { isActive: false }), card('asked', { isShown: false })]
  const facts = (cards: number, hasYear: boolean, hasMonth = true) => ({ cards, hasMonth, hasYear })
  expect(cardFacts(tiers, { slug: null, isCard: true, every: ['year'] })).toEqual(facts(3, true))
  expect(cardFacts(tiers, { slug: 'xl', isCard: false, every: ['month', 'year'] })).toEqual(facts(1, false))
  expect(cardFacts(tiers, { slug: 'asked', every: ['month', 'year'] })).toEqual(facts(2, false))
  expect(cardFacts(tiers, { slug: 'xl', every: ['year'] })).toEqual(facts(2, true))
  expect(cardFacts([card('xl')], { slug: 'xl', every: ['year'] })).toEqual(facts(1, true, false))
})
