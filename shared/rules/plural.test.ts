import { expect, test } from 'vitest'
import { plural } from './plural.ts'

test('one is singular, nought and more aren’t', () => {
  expect([0, 1, 2].map((count) => plural(count, 'reply', 'replies'))).toEqual(['0 replies', '1 reply', '2 replies'])
  expect([plural(1, 'call'), plural(3, 'call')]).toEqual(['1 call', '3 calls'])
})
