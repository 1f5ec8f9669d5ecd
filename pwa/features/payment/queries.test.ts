import { expect, test } from 'vitest'
import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import { waitUntilActive } from './queries.ts'

/** The responses in order; the last one repeats. An Error is thrown. */
function poll(responses: readonly (SubscriptionStatus | Error)[]) {
  const waits: number[] = []
  let requests = 0
  const result = waitUntilActive({
    wait: async (ms) => {
      waits.push(ms)
    },
    fetchStatus: async () => {
      const response = responses[Math.min(requests++, responses.length - 1)]
      if (response === undefined || response instanceof Error) throw response
      return response
    },
  })
  return { result, waits, countRequests: () => requests }
}

test('PAY-05 PAY-06 looks first after 2 s, then every 1 s, until the subscription is active', async () => {
  const polled = poll(['incomplete', 'incomplete', 'active'])
  expect(await polled.result).toBe('active')
  expect(polled.waits).toEqual([2000, 1000, 1000])
})

test('PAY-07 gives up after 30 looks', async () => {
  const polled = poll(['incomplete'])
  expect(await polled.result).toBe('slow')
  expect(polled.countRequests()).toBe(30)
  expect(polled.waits).toHaveLength(30)
})

test('PAY-05 a look that fails counts as one and does not end the waiting', async () => {
  const polled = poll([new Error('No signal'), 'none', 'active'])
  expect(await polled.result).toBe('active')
  expect(polled.countRequests()).toBe(3)
  const failing = poll([new Error('No signal')])
  expect(await failing.result).toBe('slow')
  expect(failing.countRequests()).toBe(30)
})

test('PAY-05 only active counts: a trial is not a payment', async () => {
  expect(await poll(['trialing', 'past_due']).result).toBe('slow')
})

test('nobody waits any more: the waiting ends', async () => {
  const left = new Error('The page was left')
  const result = waitUntilActive({ wait: () => Promise.reject(left), fetchStatus: async () => 'active' })
  await expect(result).rejects.toBe(left)
})
