import { expect, test } from 'vitest'
import { readingMinutes } from './reading-time.ts'

const words = (count: number) => 'word '.repeat(count)

test('BLOG-5 reading takes a minute for 220 words, and one at least', () => {
  expect([0, 1, 329, 330, 550, 2200].map((count) => readingMinutes(words(count)))).toEqual([1, 1, 1, 2, 3, 10])
})

test('BLOG-5 tags, their attributes and lone signs are no words; words apart by a tag alone are two', () => {
  expect(readingMinutes(`<p class="a b c d">${words(329)}</p><hr>${' – '.repeat(400)}`)).toBe(1)
  expect(readingMinutes('<li>One</li><li>two</li>'.repeat(165))).toBe(2)
})

test('signs that begin no tag take no longer than others', () => {
  const before = performance.now()
  expect(readingMinutes('<'.repeat(200_000))).toBe(1)
  expect(performance.now() - before).toBeLessThan(2_000)
})
