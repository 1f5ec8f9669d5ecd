import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCatalogue, createWorld, typesOf, type World } from '#api/sandbox/testing/world.ts'

const frozenTime = Date.parse('2030-01-31T10:00:00Z') / 1000
const secondsPerDay = 86_400

async function waitUntilReady({ stripe }: World, id: string) {
  for (;;) {
    const clock = await stripe.testHelpers.testClocks.retrieve(id)
    if (clock.status !== 'advancing') return clock
  }
}

async function start() {
  const world = await createWorld()
  const { price, vat } = await createCatalogue(world)
  const clock = await world.stripe.testHelpers.testClocks.create({ frozen_time: frozenTime, name: 'A year' })
  const customer = await world.stripe.customers.create({ test_clock: clock.id, email: 'jo@example.test' })
  const card = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const subscription = await world.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    default_tax_rates: [vat.id],
    default_payment_method: card.id,
  })
  return { world, price, clock, customer, subscription }
}

test('a customer on a test clock follows that clock and no other', async () => {
  const { world, clock, customer, subscription } = await start()
  const { stripe } = world
  expect(clock).toMatchObject({ status: 'ready', frozen_time: frozenTime, name: 'A year' })
  expect([customer.test_clock, subscription.test_clock]).toEqual([clock.id, clock.id])
  expect([customer.created, subscription.created]).toEqual([frozenTime, frozenTime])
  await world.advanceDays(4 * 365)
  expect((await stripe.invoices.list({ customer: customer.id })).data).toHaveLength(1)
  const underWay = await stripe.testHelpers.testClocks.advance(clock.id, {
    frozen_time: frozenTime + 59 * secondsPerDay,
  })
  expect(underWay).toMatchObject({
    status: 'advancing',
    status_details: { advancing: { target_frozen_time: frozenTime + 59 * secondsPerDay } },
  })
  expect(await waitUntilReady(world, clock.id)).toMatchObject({
    status: 'ready',
    frozen_time: frozenTime + 59 * secondsPerDay,
  })
  const invoices = await stripe.invoices.list({ customer: customer.id })
  expect(invoices.data.map(({ created, status, test_clock }) => [created, status, test_clock])).toEqual([
    [Date.parse('2030-03-31T10:00:00Z') / 1000, 'paid', clock.id],
    [Date.parse('2030-02-28T10:00:00Z') / 1000, 'paid', clock.id],
    [frozenTime, 'paid', clock.id],
  ])
  await world.sandbox.settle()
  const clocks = typesOf(world.events).filter((type) => type.startsWith('test_helpers.'))
  expect(clocks).toEqual([
    'test_helpers.test_clock.created',
    'test_helpers.test_clock.advancing',
    'test_helpers.test_clock.ready',
  ])
})

test('objects of a test clock are listed only when the request names it', async () => {
  const { world, clock, customer, subscription } = await start()
  const { stripe } = world
  const other = await stripe.customers.create({ email: 'jo@example.test' })
  expect((await stripe.customers.list({ email: 'jo@example.test' })).data.map(({ id }) => id)).toEqual([other.id])
  expect((await stripe.customers.list({ test_clock: clock.id })).data.map(({ id }) => id)).toEqual([customer.id])
  expect((await stripe.subscriptions.list()).data).toEqual([])
  expect((await stripe.subscriptions.list({ test_clock: clock.id })).data).toMatchObject([{ id: subscription.id }])
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toHaveLength(1)
  expect((await stripe.testHelpers.testClocks.list()).data).toMatchObject([{ id: clock.id }])
})

test('a test clock moves forwards by at most two intervals, and is deleted with its customers', async () => {
  const { world, clock, customer, subscription } = await start()
  const { testClocks } = world.stripe.testHelpers
  for (const frozen_time of [frozenTime, frozenTime + 70 * secondsPerDay]) {
    await expect(testClocks.advance(clock.id, { frozen_time })).rejects.toMatchObject({ param: 'frozen_time' })
  }
  await expect(world.stripe.customers.create({ test_clock: 'clock_none' })).rejects.toMatchObject({
    param: 'test_clock',
  })
  expect(await testClocks.del(clock.id)).toMatchObject({ deleted: true })
  expect((await world.stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled')
  expect(await world.stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true })
})

test('an advance that a restart interrupted is completed', { tags: ['full'] }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const file = join(folder, 'sandbox.db')
  const deaf = { url: () => 'http://receiver.test/', secret: 's', deliver: () => new Promise<Response>(() => {}) }
  const first = await createWorld({ file, webhook: deaf })
  const clock = await first.stripe.testHelpers.testClocks.create({ frozen_time: frozenTime })
  await first.stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: frozenTime + secondsPerDay })
  await first.sandbox.stop()
  const second = await createWorld({ file, clock: first.clock })
  expect(await waitUntilReady(second, clock.id)).toMatchObject({
    status: 'ready',
    frozen_time: frozenTime + secondsPerDay,
  })
  await second.sandbox.stop()
  rmSync(folder, { recursive: true })
})

test('trials end and failed payments are retried by the test clock', async () => {
  const { world, price, clock, customer } = await start()
  const { stripe } = world
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
  const trial = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    trial_period_days: 7,
    default_payment_method: card.id,
  })
  expect(trial.trial_end).toBe(frozenTime + 7 * secondsPerDay)
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: frozenTime + 8 * secondsPerDay })
  await waitUntilReady(world, clock.id)
  expect((await stripe.subscriptions.retrieve(trial.id)).status).toBe('past_due')
  const [open] = (await stripe.invoices.list({ subscription: trial.id, status: 'open' })).data
  expect(open?.next_payment_attempt).toBe(frozenTime + 10 * secondsPerDay)
  await fetch(open?.hosted_invoice_url ?? '', {
    method: 'POST',
    body: new URLSearchParams({ number: '4242424242424242', expiry: '12/40', cvc: '123' }),
  })
  const paid = await stripe.invoices.retrieve(open?.id ?? '')
  expect(paid).toMatchObject({ status: 'paid', status_transitions: { paid_at: frozenTime + 8 * secondsPerDay } })
})
