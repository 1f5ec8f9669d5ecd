import { expect, test } from 'vitest'
import { linkTarget } from './link-target.ts'

test.each([
  ['www.example.com', 'https://www.example.com'],
  ['example.co.uk/offers?x=1', 'https://example.co.uk/offers?x=1'],
  [' https://example.com/a ', 'https://example.com/a'],
  ['HTTPS://example.com', 'HTTPS://example.com'],
  ['olive@example.com', 'mailto:olive@example.com'],
  ['mailto:olive@example.com', 'mailto:olive@example.com'],
  ['tel:07700900123', 'tel:07700900123'],
  ['/contact', '/contact'],
  ['/', '/'],
  ['https://', null],
  ['https:///x', null],
  ['//example.com', null],
  ['javascript:alert(1)', null],
  ['the blog', null],
  ['', null],
])('%s leads to %s', (typed, target) => {
  expect(linkTarget(typed)).toBe(target)
})
