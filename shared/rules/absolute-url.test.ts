import { expect, test } from 'vitest'
import { absoluteUrl } from './absolute-url.ts'

test('a path gets the site before it, with or without its slash; a whole address stays', () => {
  const whole = (address: string) => absoluteUrl(address, 'https://site.test')
  expect(whole('/social/blog.png')).toBe('https://site.test/social/blog.png')
  expect(whole('pictures/x.png')).toBe('https://site.test/pictures/x.png')
  expect(whole('https://other.test/a.png')).toBe('https://other.test/a.png')
  expect(whole('https://[')).toBe('https://site.test')
})
