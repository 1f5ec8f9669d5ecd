import { expect, test } from 'vitest'
import { excerptOf } from './excerpt.ts'

const talk =
  'Most firms drift because no one ever sat down and chose. An hour with a flask and a pad is enough: what came in, what went out. Turnover is vanity.'

test('a short text stays whole, a long one is cut between words around what was looked for', () => {
  expect(excerptOf('An hour is enough.', 60)).toBe('An hour is enough.')
  expect(excerptOf(talk, 60)).toBe('Most firms drift because no one ever sat down and chose. An …')
  expect(excerptOf(talk, 60, ['FLASK'])).toBe('… An hour with a flask and a pad is enough: what came in, …')
  expect(excerptOf(talk, 60, ['vanity'])).toBe('… out. Turnover is vanity.')
  expect(excerptOf(talk, 60, ['diesel'])).toBe(excerptOf(talk, 60))
})
