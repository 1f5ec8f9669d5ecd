import { afterEach, expect, test, vi } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { createPhone } from '#pwa/sync/testing/phone.ts'
import { createTraceWiper, personalCacheName } from './wipe.ts'

afterEach(() => vi.unstubAllGlobals())

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

test('MEMB-10 logging out leaves nothing personal in local storage, cached responses and caches', async () => {
  const caches = createCaches({
    [personalCacheName]: ['/api/profile'],
    pages: ['/', '/about', '/api/auth/user'],
  })
  vi.stubGlobal('caches', caches)
  localStorage.setItem('theme', 'dark')
  localStorage.setItem('queries', '{"email":"danny@alliance.test"}')
  sessionStorage.setItem('application', 'Danny')
  let isMemoryCleared = false
  const clearMemory = async () => {
    isMemoryCleared = true
  }
  await createTraceWiper({
    isKeyRetained: (key) => key === 'theme',
    clearMemory,
    platform: createPhone(startWorld()).platform,
  })()
  expect([isMemoryCleared, { ...localStorage }, sessionStorage.length]).toEqual([true, { theme: 'dark' }, 0])
  expect([...caches.stored]).toEqual([['pages', ['/', '/about']]])
})
