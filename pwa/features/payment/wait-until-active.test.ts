import { expect, test } from 'vitest'
import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import { waitUntilActive } from './wait-until-active.ts'

/** Answers in turn; the last one from then on. An Error is thrown. */
function watch(answers: readonly (SubscriptionStatus | Error)[]) {
  const waits: number[] = []
  let asked = 0
  const result = waitUntilActive({
    wait: async (ms) => {
      waits.push(ms)
    },
    askStatus: async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)]
      if (answer === undefined || answer instanceof Error) throw answer
      return answer
    },
  })
  return { result, waits, asked: () => asked }
}

test('PAY-05 PAY-06 looks first after 2 s, then every 1 s, until the subscription is active', async () => {
  const seen = watch(['incomplete', 'incomplete', 'active'])
  expect(await seen.result).toBe('active')
  expect(seen.waits).toEqual([2000, 1000, 1000])
})

test('PAY-07 gives up after 30 looks', async () => {
  const seen = watch(['incomplete'])
  expect(await seen.result).toBe('slow')
  expect(seen.asked()).toBe(30)
  expect(seen.waits).toHaveLength(30)
})

test('PAY-05 a look that fails counts as one and does not end the waiting', async () => {
  const seen = watch([new Error('No signal'), 'none', 'active'])
  expect(await seen.result).toBe('active')
  expect(seen.asked()).toBe(3)
  const failing = watch([new Error('No signal')])
  expect(await failing.result).toBe('slow')
  expect(failing.asked()).toBe(30)
})

test('PAY-05 only active counts: a trial is not a payment', async () => {
  expect(await watch(['trialing', 'past_due']).result).toBe('slow')
})

test('nobody waits any more: the waiting ends', async () => {
  const gone = new Error('The page was left')
  const result = waitUntilActive({ wait: () => Promise.reject(gone), askStatus: async () => 'active' })
  await expect(result).rejects.toBe(gone)
})
