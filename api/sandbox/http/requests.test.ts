// @module-tag full
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { sandboxSecretKey, startSandbox } from '#api/sandbox/server.ts'
import {
  cardFields,
  createCatalogue,
  createClock,
  createWorld,
  invoiceOf,
  subscribe,
  subscribeAndPay,
} from '#api/sandbox/testing/world.ts'

test('the account is returned, and missing or wrong API keys are rejected', async () => {
  const world = await createWorld()
  expect(await world.stripe.accounts.retrieveCurrent()).toMatchObject({ id: 'acct_sandbox' })
  await expect(world.clientFor('sk_test_other').customers.list()).rejects.toMatchObject({
    type: 'StripeAuthenticationError',
    statusCode: 401,
  })
  expect((await fetch(`${world.sandbox.url}/v1/account`)).status).toBe(401)
  const posted = await fetch(`${world.sandbox.url}/v1/customers`, {
    method: 'POST',
    body: new URLSearchParams({ key: sandboxSecretKey }),
  })
  expect(posted.status).toBe(401)
  expect((await fetch(`${world.sandbox.url}/_sandbox/webhooks`)).status).toBe(401)
})

test('unknown paths, objects, parameters and expansions are rejected as Stripe does', async () => {
  const { stripe } = await createWorld()
  await expect(stripe.transfers.list()).rejects.toMatchObject({ statusCode: 404, type: 'StripeInvalidRequestError' })
  await expect(stripe.customers.retrieve('cus_none')).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    message: "No such customer: 'cus_none'",
    requestId: expect.stringMatching(/^req_/),
  })
  await expect(
    stripe.subscriptions.create({ customer: 'cus_none', items: [{ price: 'price_none' }] }),
  ).rejects.toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'customer' })
  await expect(stripe.customers.create({ validate: true })).rejects.toMatchObject({
    code: 'parameter_unknown',
    param: 'validate',
  })
  const missing = stripe.rawRequest('POST', '/v1/prices', { currency: 'gbp', recurring: { interval: 'month' } })
  await expect(missing).rejects.toMatchObject({ code: 'parameter_missing', param: 'unit_amount' })
  await expect(stripe.customers.create({ expand: ['metadata.x'] })).rejects.toMatchObject({ param: 'expand' })
})

test('the same key gets the same response for the same request, and an error for another one', async () => {
  const { stripe } = await createWorld()
  const first = await stripe.customers.create({ email: 'a@example.test' }, { idempotencyKey: 'one' })
  const second = await stripe.customers.create({ email: 'a@example.test' }, { idempotencyKey: 'one' })
  expect(second.id).toBe(first.id)
  expect((await stripe.customers.list()).data).toHaveLength(1)
  const other = stripe.customers.create({ email: 'b@example.test' }, { idempotencyKey: 'one' })
  await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 })
})

test('a decline is replayed under its key, without a second attempt', async () => {
  const world = await createWorld()
  const { intent } = await subscribe(world, await createCatalogue(world))
  const pay = () =>
    world.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_chargeDeclined' }, { idempotencyKey: 'two' })
  await expect(pay()).rejects.toMatchObject({ statusCode: 402 })
  await expect(pay()).rejects.toMatchObject({ statusCode: 402 })
  expect((await world.stripe.charges.list({ payment_intent: intent })).data).toHaveLength(1)
})

test('after a lost response the request has run, and its key gets the same response', { tags: ['full'] }, async () => {
  const world = await createWorld()
  const { price } = await createCatalogue(world)
  const customer = await world.stripe.customers.create()
  await world.control('faults', { kind: 'lost', path: '/v1/subscriptions', times: 2 })
  const create = () =>
    world.stripe.subscriptions.create(
      { customer: customer.id, items: [{ price: price.id }], payment_behavior: 'default_incomplete' },
      { idempotencyKey: 'attempt' },
    )
  await expect(create()).rejects.toMatchObject({ type: 'StripeConnectionError' })
  await world.control('faults', undefined, 'DELETE')
  const subscription = await create()
  const all = await world.stripe.subscriptions.list({ customer: customer.id, status: 'all' })
  expect(all.data.map(({ id }) => id)).toEqual([subscription.id])
})

test('faults return an error before or after the request runs, both stored under its key, or delay it', async () => {
  const world = await createWorld()
  await world.control('faults', { kind: 'error', method: 'POST' })
  const make = (idempotencyKey: string) => world.stripe.customers.create({}, { idempotencyKey })
  await expect(make('five')).rejects.toMatchObject({ type: 'StripeAPIError', statusCode: 500 })
  await expect(make('five')).rejects.toMatchObject({ statusCode: 500 })
  expect((await world.stripe.customers.list()).data).toHaveLength(0)
  await world.control('faults', { kind: 'error_after', method: 'POST' })
  await expect(make('six')).rejects.toMatchObject({ statusCode: 500 })
  await world.control('faults', { kind: 'delay', ms: 5 })
  await expect(make('six')).rejects.toMatchObject({ statusCode: 500 })
  expect((await world.stripe.customers.list()).data).toHaveLength(1)
  await make('seven')
  expect((await world.stripe.customers.list()).data).toHaveLength(2)
})

test("a second request with the key of one in progress is rejected, and later gets the first one's response", {
  tags: ['full'],
}, async () => {
  const world = await createWorld()
  await world.control('faults', { kind: 'delay', method: 'POST', ms: 700 })
  const make = (maxNetworkRetries: number) =>
    world.clientFor(sandboxSecretKey, { maxNetworkRetries }).customers.create({}, { idempotencyKey: 'seven' })
  const both = await Promise.allSettled([make(0), make(0)])
  const refused = both.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  expect(refused).toMatchObject([{ code: 'idempotency_key_in_use', statusCode: 409 }])
  await world.control('faults', { kind: 'delay', method: 'POST', ms: 100 })
  const patient = await Promise.all([make(2), make(2)])
  expect(new Set(patient.map(({ id }) => id)).size).toBe(1)
  expect((await world.stripe.customers.list()).data).toHaveLength(1)
})

test.each([
  ['hang', 0],
  ['hang_after', 1],
])('%s: there is no response until the client gives up', async (kind, made) => {
  const world = await createWorld()
  const impatient = world.clientFor(sandboxSecretKey, { timeout: 100 })
  await world.control('faults', { kind, method: 'POST', times: 2 })
  const create = (client: Stripe) => client.customers.create({}, { idempotencyKey: 'six' })
  await expect(create(impatient)).rejects.toMatchObject({ type: 'StripeConnectionError' })
  await world.control('faults', undefined, 'DELETE')
  expect((await world.stripe.customers.list()).data).toHaveLength(made)
  await create(world.stripe)
  expect((await world.stripe.customers.list()).data).toHaveLength(1)
})

test('lists page both ways and filter', async () => {
  const { stripe, advanceDays, clock } = await createWorld()
  const made: string[] = []
  for (const email of ['a', 'b', 'c', 'd', 'e']) {
    made.unshift((await stripe.customers.create({ email: `${email}@example.test` })).id)
    await advanceDays(1)
  }
  const all = await stripe.customers.list({ limit: 2 }).autoPagingToArray({ limit: 10 })
  expect(all.map(({ id }) => id)).toEqual(made)
  const page = await stripe.customers.list({ limit: 2, starting_after: made[0] ?? '' })
  expect(page).toMatchObject({ object: 'list', has_more: true, url: '/v1/customers' })
  expect(page.data.map(({ id }) => id)).toEqual(made.slice(1, 3))
  const before = await stripe.customers.list({ limit: 2, ending_before: made[3] ?? '' })
  expect(before.data.map(({ id }) => id)).toEqual(made.slice(1, 3))
  expect((await stripe.customers.list({ email: 'c@example.test' })).data.map(({ id }) => id)).toEqual([made[2]])
  const since = Math.floor(clock.now().getTime() / 1000) - 2 * 86_400
  expect((await stripe.customers.list({ created: { gte: since } })).data).toHaveLength(2)
  await expect(stripe.customers.list({ starting_after: 'cus_none' })).rejects.toMatchObject({ param: 'starting_after' })
})

test('customers can be changed, searched and deleted', async () => {
  const world = await createWorld()
  const { stripe } = world
  const { customer, subscription } = await subscribeAndPay(world, await createCatalogue(world))
  const address = { line1: '1 High Street', city: 'Leeds', postal_code: 'LS1 1AA', country: 'GB' }
  await stripe.customers.update(customer.id, { address, metadata: { member: '7', other: 'x' }, phone: '0113' })
  const changed = await stripe.customers.update(customer.id, { metadata: { other: '' }, phone: '' })
  expect(changed).toMatchObject({ metadata: { member: '7' }, address: { line1: '1 High Street' }, phone: null })
  const found = await stripe.customers.search({ query: 'email:"jo@example.test" AND metadata["member"]:"7"' })
  expect(found.data.map(({ id }) => id)).toEqual([customer.id])
  expect((await stripe.customers.search({ query: 'email:"nobody@example.test"' })).data).toEqual([])
  expect(await stripe.customers.del(customer.id)).toMatchObject({ id: customer.id, deleted: true })
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true })
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('canceled')
})

test('expansions reach through lists and into includable fields', async () => {
  const world = await createWorld()
  const { customer, intent } = await subscribeAndPay(world, await createCatalogue(world))
  const list = await world.stripe.subscriptions.list({
    customer: customer.id,
    expand: ['data.latest_invoice.confirmation_secret', 'data.items.data.price.product'],
  })
  const [subscription] = list.data
  if (subscription === undefined) throw new Error('no subscription')
  expect(invoiceOf(subscription).confirmation_secret?.client_secret).toContain(intent)
  expect(subscription.items.data[0]?.price.product).toMatchObject({ name: 'XL' })
  const whole = await world.stripe.customers.retrieve(customer.id, { expand: ['subscriptions'] })
  expect(whole).toMatchObject({ subscriptions: { data: [{ id: subscription.id }] } })
  const plain = await world.stripe.invoices.retrieve(invoiceOf(subscription).id)
  expect(plain).not.toHaveProperty('payments')
  expect(plain).not.toHaveProperty('confirmation_secret')
})

test('a browser reaches only the object of its client secret', async () => {
  const world = await createWorld()
  const { intent, secret, customer } = await subscribe(world, await createCatalogue(world))
  const path = `/v1/payment_intents/${intent}`
  const { status, body } = await world.browser('GET', path, { client_secret: secret })
  expect(status).toBe(200)
  expect(Object.keys(body)).not.toContain('customer')
  expect((await world.browser('GET', path, { client_secret: `${secret}x` })).status).toBe(404)
  expect((await world.browser('GET', path, {})).status).toBe(404)
  expect((await world.browser('GET', `/v1/customers/${customer.id}`, {})).status).toBe(403)
  const made = await world.browser('POST', '/v1/payment_methods', {
    type: 'card',
    'card[number]': '4242424242424242',
    'card[exp_month]': '1',
    'card[exp_year]': '30',
    'card[cvc]': '123',
  })
  const declined = await world.browser('POST', `${path}/confirm`, {
    ...cardFields('4000000000000002'),
    client_secret: secret,
  })
  expect(declined).toMatchObject({ status: 402, body: { error: { decline_code: 'generic_decline' } } })
  expect(JSON.stringify(declined.body)).not.toContain(customer.id)
  const paid = await world.browser('POST', `${path}/confirm`, { client_secret: secret, payment_method: made.body.id })
  expect(paid.body.status).toBe('succeeded')
})

test.each([
  ['4242424242424241', {}, 'incorrect_number', 'number'],
  ['4111111111111111', {}, 'card_declined', 'number'],
  ['4242424242424242', { 'payment_method_data[card][exp_year]': '26' }, 'invalid_expiry_year', 'exp_year'],
  ['4242424242424242', { 'payment_method_data[card][exp_month]': '13' }, 'invalid_expiry_month', 'exp_month'],
  ['4242424242424242', { 'payment_method_data[card][cvc]': '12' }, 'invalid_cvc', 'cvc'],
])('card %s %o: %s', async (number, more, code, param) => {
  const world = await createWorld()
  const { intent, secret } = await subscribe(world, await createCatalogue(world))
  const fields = cardFields(number, { ...more, client_secret: secret })
  const { status, body } = await world.browser('POST', `/v1/payment_intents/${intent}/confirm`, fields)
  expect({ status, error: body.error }).toMatchObject({ status: 402, error: { type: 'card_error', code, param } })
})

test('a port that is in use is an error', async () => {
  const world = await createWorld()
  const second = startSandbox({
    file: ':memory:',
    port: world.sandbox.port,
    clock: createClock(),
    webhook: { url: () => 'http://receiver.test/', secret: 's' },
  })
  await expect(second).rejects.toThrow(`cannot listen on 127.0.0.1:${world.sandbox.port}`)
})
