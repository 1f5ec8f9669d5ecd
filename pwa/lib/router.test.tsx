import { expect, test } from 'vitest'
import { siteContent } from '#pwa/testing/public-data.ts'
import { createQueryClient } from './query-client.ts'
import { requireQuery } from './router.tsx'

const words = (answer: () => Promise<string>) => ({ queryKey: ['site-content', 'about'], queryFn: answer })

const contextWith = (known?: string) => {
  const queryClient = createQueryClient()
  if (known) queryClient.setQueryData(['site-content', 'about'], known)
  return { queryClient, content: siteContent }
}

test('what came with the page is not asked for again', async () => {
  expect(
    await requireQuery(
      contextWith('old'),
      words(() => Promise.reject(new Error('asked'))),
    ),
  ).toBe('old')
})

test('once the server has something newer it is asked for, and without signal the old one stays', async () => {
  const context = contextWith('old')
  const overtake = () => context.queryClient.invalidateQueries({ refetchType: 'none' })
  await overtake()
  expect(
    await requireQuery(
      context,
      words(() => Promise.reject(new Error('no signal'))),
    ),
  ).toBe('old')
  expect(
    await requireQuery(
      context,
      words(() => Promise.resolve('new')),
    ),
  ).toBe('new')
})

test('an answer kept for long is shown, and renewed behind it', async () => {
  const context = contextWith()
  context.queryClient.setQueryData(['site-content', 'about'], 'old', { updatedAt: Date.now() - 60 * 60_000 })
  expect(
    await requireQuery(
      context,
      words(() => Promise.resolve('new')),
    ),
  ).toBe('old')
  await expect.poll(() => context.queryClient.getQueryData(['site-content', 'about'])).toBe('new')
})

test('on the server nothing is asked for: what the page was not given is an error', async () => {
  const context = { ...contextWith(), needed: [] }
  await expect(
    requireQuery(
      context,
      words(() => Promise.resolve('asked')),
    ),
  ).rejects.toThrow('was not given')
})
