import { afterEach, expect, test, vi } from 'vitest'
import { createBrowserPlatform, createTraceWiper, personalCacheName } from './browser-platform.ts'

afterEach(() => vi.unstubAllGlobals())

/** As much of Cache Storage as is used. */
function createCaches(content: Record<string, string[]>) {
  const stored = new Map(Object.entries(content))
  return {
    stored,
    delete: async (name: string) => stored.delete(name),
    keys: async () => [...stored.keys()],
    open: async (name: string) => ({
      keys: async () => (stored.get(name) ?? []).map((path) => ({ url: `https://alliance.test${path}` })),
      delete: async ({ url }: { url: string }) => {
        const rest = (stored.get(name) ?? []).filter((path) => !url.endsWith(path))
        stored.set(name, rest)
        return true
      },
    }),
  }
}

test('MEMB-10 logging out leaves nothing personal in local storage, kept answers and caches', async () => {
  const caches = createCaches({
    [personalCacheName]: ['/api/profile'],
    pages: ['/', '/about', '/api/auth/user'],
  })
  vi.stubGlobal('caches', caches)
  localStorage.setItem('theme', 'dark')
  localStorage.setItem('queries', '{"email":"danny@alliance.test"}')
  sessionStorage.setItem('application', 'Danny')
  let hasForgotten = false
  const forget = async () => {
    hasForgotten = true
  }
  await createTraceWiper({ keeps: (key) => key === 'theme', forget })()
  expect([hasForgotten, { ...localStorage }, sessionStorage.length]).toEqual([true, { theme: 'dark' }, 0])
  expect([...caches.stored]).toEqual([['pages', ['/', '/about']]])
})

test('the page wakes the engine when it is looked at and when the signal returns, until told otherwise', () => {
  const reasons: string[] = []
  const stop = createBrowserPlatform().onWake((reason) => reasons.push(reason))
  document.dispatchEvent(new Event('visibilitychange'))
  window.dispatchEvent(new Event('online'))
  stop()
  window.dispatchEvent(new Event('online'))
  expect(reasons).toEqual(['visible', 'online'])
})
