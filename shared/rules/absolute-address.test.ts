import { expect, test } from 'vitest'
import { absoluteAddress } from './absolute-address.ts'

test('a path gets the site before it, with or without its slash; a whole address stays', () => {
  const whole = (address: string) => absoluteAddress(address, 'https://site.test')
  expect(whole('/social/blog.png')).toBe('https://site.test/social/blog.png')
  expect(whole('pictures/x.png')).toBe('https://site.test/pictures/x.png')
  expect(whole('https://other.test/a.png')).toBe('https://other.test/a.png')
  expect(whole('https://[')).toBe('https://site.test')
})
