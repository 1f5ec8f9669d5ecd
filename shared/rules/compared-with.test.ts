import { expect, test } from 'vitest'
import { comparedWith } from './compared-with.ts'

test('a figure is compared with the one before', () => {
  const how = { when: 'last month', format: String, fewer: 'fewer' } as const
  expect([5, 3, 2].map((now) => comparedWith(now, 3, how))).toEqual([
    ...['2 more than last month', 'the same as last month', '1 fewer than last month'],
  ])
})
