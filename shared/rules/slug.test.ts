import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slugOf } from './slug.ts'

test('BLOG-9 a slug is the title in lower case, without signs, spaces as single hyphens', () => {
  const cases: Record<string, string> = {
    'Getting Paid On Time': 'getting-paid-on-time',
    "What's your hour worth? £45!": 'whats-your-hour-worth-45',
    'Vans  &  vans': 'vans-vans',
    'Day-rate -- or price': 'day-rate-or-price',
    '  A tidy yard\t ': 'a-tidy-yard',
    'Zoë’s café': 'zoes-cafe',
    '…': '',
  }
  expect(Object.fromEntries(Object.keys(cases).map((title) => [title, slugOf(title)]))).toEqual(cases)
})

test('BLOG-9 whatever the title, a slug is fit for an address, and its own slug', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (title) => {
      const slug = slugOf(title)
      expect(slug).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/)
      expect(slugOf(slug)).toBe(slug)
    }),
  )
})
