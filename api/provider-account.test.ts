// @module-tag full
import { afterEach, expect, test } from 'vitest'
import { assertProviderAccount } from './provider-account.ts'
import { type PaymentWorld, startPaymentWorld } from './testing/payments.ts'

let world: PaymentWorld | undefined
afterEach(() => world?.stop())

test('a provider that says nothing holds no start up for longer than a few seconds', async () => {
  world = await startPaymentWorld()
  const ctx = { ...world.ctx, settings: { ...world.ctx.settings, isSandbox: false } }
  await world.control('faults', { kind: 'hang', path: '/v1/account', times: 10 })
  const from = performance.now()
  await assertProviderAccount(ctx)
  expect(performance.now() - from).toBeLessThan(10_000)
  expect(world.logged.join()).toContain('account not checked')
})
