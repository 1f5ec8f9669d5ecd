import { expect, test } from 'vitest'
import { formatShare } from './month-figures.ts'

test('a share has a decimal at most, and a dash where there is none', () => {
  expect([0, 0.0416, 1, null].map(formatShare)).toEqual(['0%', '4.2%', '100%', '–'])
})
