import { expect, test } from 'vitest'
import { siteContent } from '#pwa/testing/public-data.ts'
import { requireQuery } from './loader-data.ts'
import { createQueryClient } from './query-client.ts'

const textQuery = (queryFn: () => Promise<string>) => ({ queryKey: ['site-content', 'about'], queryFn })

function contextWith(known?: string) {
  const queryClient = createQueryClient()
  if (known) queryClient.setQueryData(['site-content', 'about'], known)
  return { queryClient, content: siteContent }
}

test('what came with the page is not requested again', async () => {
  expect(
    await requireQuery(
      contextWith('old'),
      textQuery(() => Promise.reject(new Error('requested'))),
    ),
  ).toBe('old')
})

test('once the server has something newer it is requested, and without signal the old one stays', async () => {
  const context = contextWith('old')
  const invalidate = () => context.queryClient.invalidateQueries({ refetchType: 'none' })
  await invalidate()
  expect(
    await requireQuery(
      context,
      textQuery(() => Promise.reject(new Error('no signal'))),
    ),
  ).toBe('old')
  expect(
    await requireQuery(
      context,
      textQuery(() => Promise.resolve('new')),
    ),
  ).toBe('new')
})

test('a response cached for long is shown, and renewed behind it', async () => {
  const context = contextWith()
  context.queryClient.setQueryData(['site-content', 'about'], 'old', { updatedAt: Date.now() - 60 * 60_000 })
  expect(
    await requireQuery(
      context,
      textQuery(() => Promise.resolve('new')),
    ),
  ).toBe('old')
  await expect.poll(() => context.queryClient.getQueryData(['site-content', 'about'])).toBe('new')
})

test('on the server nothing is requested: data that the page was not given is an error', async () => {
  const context = { ...contextWith(), needed: [] }
  await expect(
    requireQuery(
      context,
      textQuery(() => Promise.resolve('requested')),
    ),
  ).rejects.toThrow('was not given')
})
