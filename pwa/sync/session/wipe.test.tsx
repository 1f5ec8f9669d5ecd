import { afterEach, expect, test, vi } from 'vitest'
import { startWorld } from '#api/testing/world.ts'
import { answerVoiceCache } from '#pwa/lib/owner-work.ts'
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

test('MEMB-10 what a coach recorded and didn’t send goes with a logout, and stays while they view as a member', async () => {
  const caches = createCaches({ [answerVoiceCache]: ['/api/admin/question-files/kept/1/draft/0'] })
  vi.stubGlobal('caches', caches)
  const wipe = createTraceWiper({
    isKeyRetained: () => true,
    clearMemory: async () => {},
    platform: createPhone(startWorld()).platform,
  })
  await wipe({ isView: true })
  expect([...caches.stored.keys()]).toEqual([answerVoiceCache])
  await wipe()
  expect([...caches.stored]).toEqual([])
})
