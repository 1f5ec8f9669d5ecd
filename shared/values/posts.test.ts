import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readingMinutes, slugOf } from './posts.ts'

test('BLOG-9 a slug is the title in lower case, without signs, spaces as single hyphens', () => {
  const cases: Record<string, string> = {
    'Getting Paid On Time': 'getting-paid-on-time',
    "What's your hour worth? £45!": 'whats-your-hour-worth-45',
    'Vans  &  vans': 'vans-vans',
    'Day-rate -- or price': 'day-rate-or-price',
    '  A tidy yard\t ': 'a-tidy-yard',
    'Café Prices': 'caf-prices',
    'Cafe\u0301 Prices': 'caf-prices',
    'Zoë’s ﬁve': 'zos-ve',
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

const words = (count: number) => 'word '.repeat(count)

test('BLOG-5 reading takes a minute for 220 words, and one at least', () => {
  expect([0, 1, 329, 330, 550, 2200].map((count) => readingMinutes(words(count)))).toEqual([1, 1, 1, 2, 3, 10])
})

test('BLOG-5 tags, their attributes and lone signs are no words; words apart by a tag alone are two', () => {
  expect(readingMinutes(`<p class="a b c d">${words(329)}</p><hr>${' – '.repeat(400)}`)).toBe(1)
  expect(readingMinutes('<li>One</li><li>two</li>'.repeat(165))).toBe(2)
})

test('signs that begin no tag take no longer than others', () => {
  // CPU time, since the machine may be busy with other work.
  const before = process.cpuUsage()
  expect(readingMinutes('<'.repeat(200_000))).toBe(1)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(2_000)
})
