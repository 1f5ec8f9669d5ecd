import Stripe from 'stripe'
import { afterEach, expect, test } from 'vitest'
import { sandboxSecretKey } from '#api/sandbox/server.ts'
import { createWorld, typesOf } from '#api/sandbox/testing/world.ts'

const servers: Bun.Server<undefined>[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.stop(true)
})

type Taken = { body: string; signature: string }

function listen(): { url: string; taken: Taken[] } {
  const taken: Taken[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      taken.push({ body: await request.text(), signature: request.headers.get('stripe-signature') ?? '' })
      return new Response('ok')
    },
  })
  servers.push(server)
  return { url: `http://127.0.0.1:${server.port}/hook`, taken }
}

test('each endpoint gets the events it subscribes to, signed with its own secret', async () => {
  const world = await createWorld()
  const [all, some] = [listen(), listen()]
  const { webhookEndpoints } = world.stripe
  const first = await webhookEndpoints.create({ url: all.url, enabled_events: ['*'] })
  const second = await webhookEndpoints.create({ url: some.url, enabled_events: ['customer.updated'] })
  expect(first.secret).toMatch(/^whsec_/)
  expect(first.secret).not.toBe(second.secret)
  const customer = await world.stripe.customers.create()
  await world.stripe.customers.update(customer.id, { name: 'Jo' })
  await world.sandbox.settle()
  const verify = ({ body, signature }: Taken, secret = '') =>
    new Stripe(sandboxSecretKey).webhooks.constructEventAsync(body, signature, secret)
  const seen = await Promise.all(all.taken.map((each) => verify(each, first.secret)))
  expect(typesOf(seen)).toEqual(['customer.created', 'customer.updated'])
  expect(seen[1]?.pending_webhooks).toBe(3)
  expect(typesOf(await Promise.all(some.taken.map((each) => verify(each, second.secret))))).toEqual([
    'customer.updated',
  ])
  await expect(verify(some.taken[0] ?? { body: '', signature: '' }, first.secret)).rejects.toThrow('signature')
  expect(typesOf(world.events)).toEqual(['customer.created', 'customer.updated'])
})

test('an endpoint can be changed, disabled, listed and deleted, and shows its secret once', async () => {
  const world = await createWorld()
  const { webhookEndpoints } = world.stripe
  const { url, taken } = listen()
  const made = await webhookEndpoints.create({ url: 'http://127.0.0.1:1/', enabled_events: ['invoice.paid'] })
  expect(await webhookEndpoints.retrieve(made.id)).not.toHaveProperty('secret')
  await webhookEndpoints.update(made.id, { url, enabled_events: ['*'], metadata: { of: 'tests' } })
  await world.stripe.customers.create()
  await world.sandbox.settle()
  expect(taken).toHaveLength(1)
  expect((await webhookEndpoints.update(made.id, { disabled: true })).status).toBe('disabled')
  await world.stripe.customers.create()
  await world.sandbox.settle()
  expect(taken).toHaveLength(1)
  expect((await webhookEndpoints.list()).data).toMatchObject([{ id: made.id, url, metadata: { of: 'tests' } }])
  expect(await webhookEndpoints.del(made.id)).toMatchObject({ deleted: true })
  await expect(webhookEndpoints.retrieve(made.id)).rejects.toMatchObject({ statusCode: 404 })
})
