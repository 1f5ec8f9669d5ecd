import { expect, test } from 'vitest'
import { sandboxSecretKey } from '#api/sandbox/server.ts'
import { createWorld, type World } from '#api/sandbox/testing/world.ts'

function post({ sandbox }: World, path: string, body: string, key: string): Promise<Response> {
  return fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${sandboxSecretKey}`,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Idempotency-Key': key,
    },
    body,
  })
}

test('the same parameters in another order are the same request, and the response names the first one', async () => {
  const world = await createWorld()
  const first = await post(world, '/v1/customers', 'name=Jo&phone=1', 'k')
  const second = await post(world, '/v1/customers', 'phone=1&name=Jo', 'k')
  expect(await second.text()).toBe(await first.text())
  expect(first.headers.get('idempotency-key')).toBe('k')
  expect(first.headers.get('original-request')).toBeNull()
  expect(second.headers.get('original-request')).toBe(first.headers.get('request-id'))
  expect((await post(world, '/v1/customers', 'name=Jo', 'x'.repeat(256))).status).toBe(400)
})

test.each([
  ['GET', '/v1/invoices/upcoming'],
  ['GET', '/v1/credit_notes/preview'],
  ['GET', '/v1/charges/search'],
  ['GET', '/v1/subscriptions/search'],
  ['GET', '/v1/prices/'],
])('%s %s is not supported: 404', async (method, path) => {
  const { sandbox } = await createWorld()
  const headers = { Authorization: `Bearer ${sandboxSecretKey}` }
  const response = await fetch(`${sandbox.url}${path}`, { method, headers })
  expect(response.status).toBe(404)
  expect((await response.json()).error.message).toMatch(/^Unrecognized request URL/)
})

test('customers are found by text, time, negation and alternatives', async () => {
  const { stripe } = await createWorld()
  const names = ['Ann', 'Ben', "Con O'Neill"]
  for (const name of names) {
    await stripe.customers.create({
      name,
      email: `${name[0]}@x.test`,
      phone: '1',
      metadata: name === 'Ben' ? { trade: 'tiler' } : {},
    })
  }
  const found = async (query: string) => (await stripe.customers.search({ query })).data.map(({ name }) => name).sort()
  expect(await found("email:'a@x.test' OR email:'b@x.test'")).toEqual(['Ann', 'Ben'])
  expect(await found(`phone:"1" AND -name:"ben"`)).toEqual(['Ann', "Con O'Neill"])
  expect(await found(`name~"o'nei"`)).toEqual(["Con O'Neill"])
  expect(await found(`-metadata["trade"]:null`)).toEqual(['Ben'])
  expect(await found('created>=0')).toEqual(names)
  expect(await found('created<1')).toEqual([])
  for (const query of ['garbage', 'name:1', `name:"a" AND name:"b" OR name:"c"`, 'created~5']) {
    await expect(stripe.customers.search({ query })).rejects.toMatchObject({ param: 'query', statusCode: 400 })
  }
})

test('a customer has a shipping address, a footer and fields for invoices, and a valid email address', async () => {
  const { stripe } = await createWorld()
  const customer = await stripe.customers.create({
    shipping: { name: 'Jo', address: { line1: '1 High Street' } },
    invoice_settings: { footer: 'Thank you', custom_fields: [{ name: 'PO', value: '7' }] },
  })
  expect(customer).toMatchObject({
    shipping: { name: 'Jo', address: { line1: '1 High Street' } },
    invoice_settings: { footer: 'Thank you', custom_fields: [{ name: 'PO', value: '7' }] },
  })
  await expect(stripe.customers.create({ email: 'nobody' })).rejects.toMatchObject({
    code: 'email_invalid',
    param: 'email',
  })
})

test('events can be listed by a wildcard type, and by either type or types', async () => {
  const { stripe } = await createWorld()
  const customer = await stripe.customers.create()
  await stripe.customers.update(customer.id, { name: 'Jo' })
  await stripe.products.create({ name: 'XL' })
  const { data } = await stripe.events.list({ type: 'customer.*' })
  expect(data.map(({ type }) => type)).toEqual(['customer.updated', 'customer.created'])
  await expect(stripe.events.list({ type: 'customer.*', types: ['customer.created'] })).rejects.toMatchObject({
    statusCode: 400,
  })
})

test('metadata keys may be numbers, and there are at most fifty', async () => {
  const { stripe } = await createWorld()
  expect((await stripe.customers.create({ metadata: { 7: 'seven' } })).metadata).toEqual({ 7: 'seven' })
  const many = Object.fromEntries(Array.from({ length: 51 }, (_each, index) => [`n${index}`, 'x']))
  await expect(stripe.customers.create({ metadata: many })).rejects.toMatchObject({ param: 'metadata' })
})

test.each([
  ['/v1/customers', 'address[town]=Hull', 'address[town]', 'Received unknown parameter: address[town]'],
  ['/v1/customers', 'address=Hull', 'address', 'Invalid object'],
  ['/v1/customers', 'preferred_locales=en', 'preferred_locales', 'Invalid array'],
  ['/v1/customers', 'tax_exempt=a', 'tax_exempt', 'Invalid tax_exempt: must be one of none, exempt, or reverse'],
  ['/v1/products', 'name=x&active=maybe', 'active', 'Invalid boolean: maybe'],
  ['/v1/payment_methods', 'card[number]=4', 'card[exp_month]', 'Missing required param: card[exp_month].'],
])('%s %s: %s, %s', async (path, body, param, message) => {
  const world = await createWorld()
  const response = await post(world, path, body, 'k')
  expect({ status: response.status, body: await response.json() }).toMatchObject({
    status: 400,
    body: { error: { type: 'invalid_request_error', param, message } },
  })
})

test.each([
  ['2024-06-20', 200],
  ['2026-09-30.endive', 200],
  ['yesterday', 400],
])('version %s: %i', async (version, status) => {
  const { sandbox } = await createWorld()
  const headers = { Authorization: `Bearer ${sandboxSecretKey}`, 'Stripe-Version': version }
  const response = await fetch(`${sandbox.url}/v1/customers`, { headers })
  expect([response.status, response.headers.get('stripe-version')]).toEqual([status, '2026-10-28.endive'])
})
