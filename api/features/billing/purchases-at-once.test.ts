// @module-tag full
import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginJoin, countRows, providerSubscriptions, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

test('someone logged in who sends ten requests together gets one subscription', async () => {
  const call = world.signIn(world.addUser({ email: 'new@example.com' }))
  const begun = await Promise.all(
    Array.from({ length: 10 }, () => beginJoin(call, { ...sam, email: 'new@example.com' })),
  )
  expect(new Set(begun.map(({ response }) => response.subscriptionId)).size).toBe(1)
  expect(countRows(world, 'customers')).toBe(1)
})

test('two tiers from six tabs, at a slow provider: all answered, one can be paid', async () => {
  const call = world.signIn(world.addUser({ email: sam.email }))
  await world.control('faults', { kind: 'delay', ms: 60, method: 'POST', path: '/v1/subscriptions', times: 3 })
  const tiers = ['lite', 'xl', 'lite', 'lite', 'xl', 'xl']
  const begun = await Promise.all(tiers.map((tierSlug) => beginJoin(call, { ...sam, tierSlug })))
  const paid = await Promise.all(
    [...new Set(begun.map(({ response }) => response.clientSecret))].map((at) => world.pay(at)),
  )
  expect(paid.filter(({ status }) => status === 200)).toHaveLength(1)
  await world.sandbox.settle()
  const kept = (await providerSubscriptions(world)).filter((status) => status !== 'incomplete_expired')
  expect(kept).toEqual(['active'])
})
