import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { createAppRouter } from '#pwa/router.tsx'
import { siteContent } from '#pwa/testing/public-data.ts'
import { countedPage } from '#shared/rules/visit-source.ts'
import { createQueryClient } from './query-client.ts'

test('NAV-16 every page of the site is counted under its own name, and the owners’ are not', () => {
  const router = createAppRouter({ queryClient: createQueryClient(), content: siteContent }, createMemoryHistory())
  const paths = Object.keys(router.routesByPath).map((path) => path.replace(/(.)\/$/, '$1'))
  expect(paths.length).toBeGreaterThan(30)
  for (const path of paths) {
    const counted = countedPage(path.replace(/\$\w+/, 'x'), (slug) => slug === 'x')
    const isOwners = /^\/(admin|view-member)\b/.test(path)
    const name = path.startsWith('/members/videos/') ? '/members/videos' : path.replace(/^\/members\/.*/, '/members')
    expect([path, counted]).toEqual([path, isOwners ? null : name.replace('$slug', 'x')])
  }
  expect(countedPage('/wp-login.php', () => false)).toBe('other')
  expect(countedPage('/blog/nothing', () => false)).toBe('other')
})
