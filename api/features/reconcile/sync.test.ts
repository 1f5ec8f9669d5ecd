import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginJoin, billingOf, countRows, onlyCustomer, providerSubscriptions } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { syncCustomer } from './service.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

test('an overtaken reading writes nothing', async () => {
  const { response } = await beginJoin(world.call)
  const customer = onlyCustomer(world)
  const early = slowReading()
  const overtaken = syncCustomer(early.ctx, customer)
  await early.hasRead
  await world.pay(response.clientSecret)
  await syncCustomer(world.ctx, customer)
  early.letGo()
  expect(await overtaken).toBe('overtaken')
  expect(countRows(world, 'subscriptions', `status = 'active'`)).toBe(1)
})

/** The same context, but the provider's subscription response is held back after it's read. */
function slowReading() {
  const held = Promise.withResolvers<void>()
  const read = Promise.withResolvers<void>()
  const { stripe } = world.ctx
  const subscriptions = Object.create(stripe.subscriptions)
  subscriptions.list = (...given: Parameters<typeof stripe.subscriptions.list>) => ({
    async autoPagingToArray(limit: { limit: number }) {
      const found = await stripe.subscriptions.list(...given).autoPagingToArray(limit)
      read.resolve()
      await held.promise
      return found
    },
  })
  const slow = Object.create(stripe, { subscriptions: { value: subscriptions } })
  return { ctx: { ...world.ctx, stripe: slow }, hasRead: read.promise, letGo: held.resolve }
}

test('of two live subscriptions at the provider the better one stays, the other is cancelled and refunded', async () => {
  const { call, response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  const { stripe } = world.ctx
  const [price] = (await stripe.prices.list({ lookup_keys: ['xl_45000', 'standard_25000'] })).data
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: onlyCustomer(world) })
  await stripe.subscriptions.create({
    customer: onlyCustomer(world),
    items: [{ price: price?.id ?? '' }],
    default_payment_method: card.id,
  })
  await syncCustomer(world.ctx, onlyCustomer(world))
  // A webhook's sync may have overtaken this one and cancelled the second subscription itself.
  await expect.poll(() => providerSubscriptions(world)).toEqual(['active', 'canceled'])
  expect((await billingOf(call)).status).toBe('active')
  const refunded = async () => (await stripe.refunds.list({})).data.map(({ amount }) => amount)
  await expect.poll(refunded).toEqual([25_000])
})

/** A member with a second live subscription at the provider, which the next sync must cancel. */
async function withDouble() {
  const { response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  const { stripe } = world.ctx
  const { data } = await stripe.prices.list({ lookup_keys: ['standard_25000'] })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: onlyCustomer(world) })
  await world.sandbox.settle()
  await world.control('settings', { webhooks: { hold: true } })
  await stripe.subscriptions.create({
    customer: onlyCustomer(world),
    items: [{ price: data[0]?.id ?? '' }],
    default_payment_method: card.id,
  })
}

test('a refund that fails is made by the next sync, and the owners can see that there was a duplicate', {
  tags: ['full'],
}, async () => {
  await withDouble()
  await world.control('faults', { kind: 'error', method: 'POST', path: '/v1/refunds', times: 3 })
  await expect(syncCustomer(world.ctx, onlyCustomer(world))).rejects.toThrow()
  expect(countRows(world, 'audit_entries', `action = 'subscription.double'`)).toBe(1)
  expect(await syncCustomer(world.ctx, onlyCustomer(world))).toBe('written')
  expect((await world.ctx.stripe.refunds.list({})).data.map(({ amount }) => amount)).toEqual([25_000])
  expect(await providerSubscriptions(world)).toEqual(['active', 'canceled'])
  expect(countRows(world, 'audit_entries', `action = 'subscription.double'`)).toBe(1)
})

test('a refund that is due, raced by six readings, is one refund at the provider', { tags: ['full'] }, async () => {
  await withDouble()
  await Promise.all(Array.from({ length: 6 }, () => syncCustomer(world.ctx, onlyCustomer(world))))
  expect((await world.ctx.stripe.refunds.list({})).data.map(({ amount }) => amount)).toEqual([25_000])
  expect(await providerSubscriptions(world)).toEqual(['active', 'canceled'])
})

test('a duplicate whose refund is refused charges no more, stays pending, and keeps nobody from the Billing tab', {
  tags: ['full'],
}, async () => {
  await withDouble()
  await world.control('faults', { kind: 'refuse', code: 'charge_disputed', method: 'POST', path: '/v1/refunds' })
  expect(await syncCustomer(world.ctx, onlyCustomer(world))).toBe('written')
  expect(await providerSubscriptions(world)).toEqual(['active', 'canceled'])
  expect(countRows(world, 'withdrawals', 'closedAt is null')).toBe(1)
  expect(world.logged.filter((line) => line.includes('charge_disputed'))).toHaveLength(1)
  await syncCustomer(world.ctx, onlyCustomer(world))
  expect(countRows(world, 'withdrawals', 'closedAt is null')).toBe(0)
  expect((await world.ctx.stripe.refunds.list({})).data.map(({ amount }) => amount)).toEqual([25_000])
})

test('the webhook refuses a wrong, an old and a future signature, and a changed body', async () => {
  const body = JSON.stringify({
    id: 'evt_1',
    object: 'event',
    type: 'customer.updated',
    data: { object: { object: 'customer', id: 'cus_1' } },
  })
  const { stripe, settings, now } = world.ctx
  const seconds = Math.floor(now().getTime() / 1000)
  const sign = (timestamp: number, secret = settings.stripe.webhookSecret) =>
    stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret, timestamp })
  const post = (signature: string, payload = body) =>
    world.handle(
      new Request('http://localhost/api/stripe/webhook', {
        method: 'POST',
        body: payload,
        headers: { 'stripe-signature': signature },
      }),
    )
  expect((await post(await sign(seconds))).status).toBe(200)
  expect((await post(await sign(seconds - 400))).status).toBe(400)
  expect((await post(await sign(seconds + 400))).status).toBe(400)
  expect((await post(await sign(seconds, 'whsec_other'))).status).toBe(400)
  expect((await post(await sign(seconds), `${body} `)).status).toBe(400)
  expect(
    (await world.handle(new Request('http://localhost/api/stripe/webhook', { method: 'POST', body }))).status,
  ).toBe(400)
  expect(countRows(world, 'provider_events')).toBe(1)
})
