import { beforeEach, expect, test } from 'vitest'
import { persistPublicResponses } from './cached-responses.ts'
import { cachedResponsesKey, clearPersonalResponses, createQueryClient } from './query-client.ts'

beforeEach(() => window.localStorage.clear())

const isCached = () => expect.poll(() => window.localStorage.getItem(cachedResponsesKey) ?? '').toContain('lite')

test('public responses outlive the page, all others do not', async () => {
  const before = createQueryClient()
  await persistPublicResponses(before)
  before.setQueryData(['auth', 'user'], { email: 'danny@example.com' })
  before.setQueryData(['membership-tiers'], [{ slug: 'lite' }])
  await isCached()
  expect(JSON.stringify(window.localStorage)).not.toContain('danny')
  const after = createQueryClient()
  await persistPublicResponses(after)
  expect(after.getQueryData(['membership-tiers'])).toEqual([{ slug: 'lite' }])
  expect(after.getQueryData(['auth', 'user'])).toBeUndefined()
})

test('TIER-15 an empty list does not outlive the page, a full one does', async () => {
  const before = createQueryClient()
  await persistPublicResponses(before)
  before.setQueryData(['membership-tiers'], [])
  before.setQueryData(['site-content', 'home'], { slug: 'lite' })
  await isCached()
  const after = createQueryClient()
  await persistPublicResponses(after)
  expect(after.getQueryData(['membership-tiers'])).toBeUndefined()
  expect(after.getQueryData(['site-content', 'home'])).toEqual({ slug: 'lite' })
})

test('clearing leaves nothing of the person, and nothing on the device; public requests continue', async () => {
  const queryClient = createQueryClient()
  const stop = await persistPublicResponses(queryClient)
  queryClient.setQueryData(['auth', 'user'], { email: 'danny@example.com' })
  queryClient.setQueryData(['membership-tiers'], [{ slug: 'lite' }])
  await isCached()
  stop()
  const { promise, resolve } = Promise.withResolvers<string>()
  const loading = queryClient.ensureQueryData({ queryKey: ['site-content', 'home'], queryFn: () => promise })
  clearPersonalResponses(queryClient)
  resolve('words')
  expect(await loading).toBe('words')
  expect(queryClient.getQueryCache().find({ queryKey: ['auth', 'user'] })).toBeUndefined()
  expect(window.localStorage).toHaveLength(0)
})

test('what cannot be read is dropped', async () => {
  window.localStorage.setItem(cachedResponsesKey, '{broken')
  const queryClient = createQueryClient()
  await persistPublicResponses(queryClient)
  expect(queryClient.getQueryCache().getAll()).toEqual([])
})
