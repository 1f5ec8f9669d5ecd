import { beforeEach, expect, test, vi } from 'vitest'
import { keepPublicAnswers } from './kept-answers.ts'
import { createQueryClient, forgetAnswers, keptAnswersKey } from './query-client.ts'

beforeEach(() => window.localStorage.clear())

const isKept = () => vi.waitUntil(() => window.localStorage.getItem(keptAnswersKey)?.includes('lite'))

test('public answers outlive the page, all others do not', async () => {
  const before = createQueryClient()
  await keepPublicAnswers(before)
  before.setQueryData(['auth', 'user'], { email: 'danny@example.com' })
  before.setQueryData(['membership-tiers'], [{ slug: 'lite' }])
  await isKept()
  expect(JSON.stringify(window.localStorage)).not.toContain('danny')
  const after = createQueryClient()
  await keepPublicAnswers(after)
  expect(after.getQueryData(['membership-tiers'])).toEqual([{ slug: 'lite' }])
  expect(after.getQueryData(['auth', 'user'])).toBeUndefined()
})

test('forgetting leaves nothing of the person, and nothing on the device; what everybody may read goes on loading', async () => {
  const queryClient = createQueryClient()
  const stop = await keepPublicAnswers(queryClient)
  queryClient.setQueryData(['auth', 'user'], { email: 'danny@example.com' })
  queryClient.setQueryData(['membership-tiers'], [{ slug: 'lite' }])
  await isKept()
  stop()
  const { promise, resolve } = Promise.withResolvers<string>()
  const loading = queryClient.ensureQueryData({ queryKey: ['site-content', 'home'], queryFn: () => promise })
  forgetAnswers(queryClient)
  resolve('words')
  expect(await loading).toBe('words')
  expect(queryClient.getQueryCache().find({ queryKey: ['auth', 'user'] })).toBeUndefined()
  expect(window.localStorage).toHaveLength(0)
})

test('what cannot be read is dropped', async () => {
  window.localStorage.setItem(keptAnswersKey, '{broken')
  const queryClient = createQueryClient()
  await keepPublicAnswers(queryClient)
  expect(queryClient.getQueryCache().getAll()).toEqual([])
})
