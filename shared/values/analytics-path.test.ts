import { expect, test } from 'vitest'
import { analyticsPath } from './analytics-path.ts'

test('ANLT-05 NAV-16 a path is counted without query, fragment and whatever points at a person', () => {
  const cases: Record<string, string> = {
    '/': '/',
    '/blog/what-your-hour-really-costs': '/blog/what-your-hour-really-costs',
    '/reset-password?token=secret': '/reset-password',
    '/reactivate-delayed?name=Sam&signature=x#top': '/reactivate-delayed',
    '/contact#sam@example.com': '/contact',
    '/blog/': '/blog',
    '/view-member/0190163d-8694-7e3b-8c7d-1f2b3c4d5e6f': '/view-member/:id',
    '/view-member/0190163D-8694-7E3B-8C7D-1F2B3C4D5E6F/edit': '/view-member/:id/edit',
    '/unknown/sam@example.com': '/unknown/:id',
    '/unknown/sam%40example.com/x': '/unknown/:id/x',
    '/call/07700900123': '/call/:id',
    '/a?b\n#c\nd': '/a',
  }
  expect(Object.fromEntries(Object.keys(cases).map((path) => [path, analyticsPath(path)]))).toEqual(cases)
})
