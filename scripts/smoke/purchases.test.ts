import { afterEach, beforeEach, expect, test } from 'vitest'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { smokeJoin, smokeOrder } from './purchases.ts'

let world: PaymentWorld
const lines: string[] = []
beforeEach(async () => {
  lines.length = 0
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

test('what is tried at the provider itself holds at the sandbox, and leaves nobody there to be charged', {
  tags: ['full'],
}, async () => {
  const { ctx } = world
  const app = world.wholeApp()
  await smokeJoin({ ctx, app, report: (line) => lines.push(line) })
  await smokeOrder({ ctx, app, report: (line) => lines.push(line) })
  expect(lines).toContain('read back: the membership is active')
  expect(lines).toContain('with flexible billing, an upgrade leaves what’s waiting')
  expect(lines).toContain('a month booked after the year, from its end')
  expect(lines).toContainEqual(expect.stringMatching(/^put off 2: an invoice of 0,/))
  expect(lines.at(-1)).toBe('cleaned up: subscriptions ended, customer deleted')
  expect((await ctx.stripe.customers.list({})).data).toEqual([])
  expect((await ctx.stripe.subscriptions.list({ status: 'all' })).data.map(({ status }) => status)).toEqual([
    'canceled',
  ])
})

test('what does not hold is named, and cleaned up too', { tags: ['full'] }, async () => {
  await world.control('faults', { kind: 'error', method: 'POST', path: '/v1/payment_intents/', times: 3 })
  const failing = smokeJoin({ ctx: world.ctx, app: world.wholeApp(), report: (line) => lines.push(line) })
  await expect(failing).rejects.toThrow()
  expect(lines.at(-1)).toBe('cleaned up: subscriptions ended, customer deleted')
  expect((await world.ctx.stripe.customers.list({})).data).toEqual([])
})
