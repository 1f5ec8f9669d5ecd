import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openStore } from '#api/sandbox/store/store.ts'
import { createCatalogue, createWorld, subscribeAndPay, typesOf } from '#api/sandbox/testing/world.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  folders.push(folder)
  return join(folder, 'sandbox.db')
}

test('a failed delivery is repeated until it is accepted', async () => {
  const world = await createWorld()
  world.statuses.push(500, 302)
  const customer = await world.stripe.customers.create()
  await world.sandbox.settle()
  expect(world.events).toEqual([])
  expect(await world.control('webhooks', {}, 'GET')).toMatchObject({ pending: [{ attempts: 1 }] })
  const waiting = async () => (await world.stripe.events.list()).data.map((event) => event.pending_webhooks)
  expect(await waiting()).toEqual([1])
  expect(await world.control('webhooks/release')).toMatchObject({ pending: [{ attempts: 2 }] })
  await world.control('webhooks/release')
  expect(world.events).toMatchObject([{ type: 'customer.created', data: { object: { id: customer.id } } }])
  expect(await world.control('webhooks', {}, 'GET')).toEqual({ pending: [] })
  expect(await waiting()).toEqual([0])
})

test('deliveries can be held, duplicated and reversed', async () => {
  const world = await createWorld()
  await world.control('settings', { webhooks: { hold: true, copies: 2, order: 'reversed' } })
  const customer = await world.stripe.customers.create()
  await world.stripe.customers.update(customer.id, { name: 'Jo' })
  await world.sandbox.settle()
  expect(world.events).toEqual([])
  await world.control('webhooks/release')
  expect(typesOf(world.events)).toEqual([
    'customer.updated',
    'customer.updated',
    'customer.created',
    'customer.created',
  ])
  expect(world.events[0]?.id).toBe(world.events[1]?.id)
  expect(world.events[0]?.data.previous_attributes).toEqual({ name: null })
})

test('a shuffle depends on its seed alone, and leaves nothing out', { tags: ['full'] }, async () => {
  const orders: string[] = []
  for (const seed of [1, 1, 2]) {
    const world = await createWorld()
    await world.control('settings', { webhooks: { hold: true, copies: 2, order: 'shuffled', seed } })
    const customer = await world.stripe.customers.create()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await world.stripe.customers.update(customer.id, { name })
    await world.control('webhooks/release')
    const names = world.events.map(({ data }) => ('name' in data.object ? data.object.name : '') ?? 'made')
    expect(names.toSorted()).toEqual(['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd', 'e', 'e', 'made', 'made'])
    orders.push(names.join(' '))
  }
  expect(orders[0]).toBe(orders[1])
  expect(orders[2]).not.toBe(orders[0])
  expect(orders[0]).not.toBe('made made a a b b c c d d e e')
})

test('events can be listed and retrieved', async () => {
  const world = await createWorld()
  const customer = await world.stripe.customers.create({}, { idempotencyKey: 'made' })
  const list = await world.stripe.events.list({ types: ['customer.created'] })
  expect(list.data).toMatchObject([{ data: { object: { id: customer.id } }, request: { idempotency_key: 'made' } }])
  expect(await world.stripe.events.retrieve(list.data[0]?.id ?? '')).toMatchObject({ type: 'customer.created' })
})

test('state, pending deliveries, idempotency keys and settings survive a restart', async () => {
  const file = newFile()
  const first = await createWorld({ file })
  const { subscription } = await subscribeAndPay(first, await createCatalogue(first))
  await first.control('settings', { webhooks: { hold: true }, retryDays: [1] })
  const customer = await first.stripe.customers.create({ email: 'k@example.test' }, { idempotencyKey: 'keep' })
  await first.sandbox.stop()

  const second = await createWorld({ file, clock: first.clock })
  expect((await second.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  const again = await second.stripe.customers.create({ email: 'k@example.test' }, { idempotencyKey: 'keep' })
  expect(again.id).toBe(customer.id)
  expect(await second.control('settings', {})).toMatchObject({ retryDays: [1], webhooks: { hold: true } })
  await second.control('webhooks/release')
  expect(second.events.at(-1)).toMatchObject({ type: 'customer.created', data: { object: { id: customer.id } } })
  await second.advanceDays(28)
  expect((await second.stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(2)
})

test('a file of an earlier version is migrated', async () => {
  const file = newFile()
  const first = await createWorld({ file })
  const customer = await first.stripe.customers.create()
  await first.control('settings', { retryDays: [2] })
  await first.sandbox.stop()
  const { db } = openStore(file)
  db.exec('ALTER TABLE deliveries DROP COLUMN endpoint; ALTER TABLE timers DROP COLUMN clock')
  db.exec("UPDATE settings SET value = json_remove(value, '$.webhooks.seed')")
  db.close()
  const second = await createWorld({ file, clock: first.clock })
  expect((await second.stripe.customers.update(customer.id, { name: 'Jo' })).name).toBe('Jo')
  expect(await second.control('settings', {})).toMatchObject({ retryDays: [2], webhooks: { seed: 0 } })
})

test('while another program holds the file, reads are answered and writes wait beside them', async () => {
  const file = newFile()
  const world = await createWorld({ file })
  const { db } = openStore(file)
  db.exec('BEGIN IMMEDIATE')
  const creating = world.stripe.customers.create({ email: 'k@example.test' })
  for (let times = 0; times < 5; times += 1) expect((await world.stripe.customers.list()).data).toEqual([])
  db.exec('ROLLBACK')
  expect(await creating).toMatchObject({ email: 'k@example.test' })
  db.close()
  await world.sandbox.settle()
  expect(typesOf(world.events)).toEqual(['customer.created'])
})

test('where the outcome of a delivery cannot be recorded, the sandbox goes on, and sends nothing twice', async () => {
  const file = newFile()
  const logged: string[] = []
  const world = await createWorld({ file, log: (message) => logged.push(message) })
  const { db } = openStore(file)
  db.exec("CREATE TRIGGER full BEFORE DELETE ON deliveries BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END")
  await world.stripe.customers.create({ email: 'k@example.test' })
  await world.sandbox.settle()
  const second = await world.stripe.customers.create({ email: 'l@example.test' })
  await world.sandbox.settle()
  expect(typesOf(world.events)).toEqual(['customer.created'])
  expect(await world.control('webhooks', {}, 'GET')).toMatchObject({ pending: [{ attempts: 0 }, { attempts: 0 }] })
  expect((await world.stripe.customers.retrieve(second.id)).id).toBe(second.id)
  expect(logged).toEqual(['webhooks wait for the file'])
  db.exec('DROP TRIGGER full')
  db.close()
  await world.sandbox.settle()
  expect(world.events.map(({ data }) => 'email' in data.object && data.object.email)).toEqual([
    'k@example.test',
    'l@example.test',
  ])
  expect(await world.control('webhooks', {}, 'GET')).toEqual({ pending: [] })
})

test('timers that fell due between requests have run, at their own time, by the next request', async () => {
  const world = await createWorld()
  const { subscription } = await subscribeAndPay(world, await createCatalogue(world))
  world.clock.moveTo(new Date('2027-03-05T00:00:00Z'))
  const [renewal] = (await world.stripe.invoices.list({ subscription: subscription.id })).data
  expect(renewal).toMatchObject({ status: 'paid', created: Date.parse('2027-02-28T10:00:00Z') / 1000 })
})

test('invalid bodies and unknown controls are rejected', async () => {
  const world = await createWorld()
  expect(await world.control('settings', { afterRetries: 'maybe' })).toHaveProperty('error')
  expect(await world.control('advance', { to: 'tomorrow' })).toHaveProperty('error')
  expect(await world.control('nothing')).toHaveProperty('error')
})

test('shuffled events of consecutive requests arrive out of order, and each one twice', async () => {
  const world = await createWorld()
  await world.control('settings', { webhooks: { copies: 2, order: 'shuffled', seed: 3 } })
  const made: string[] = []
  for (let turn = 0; turn < 8; turn += 1) made.push((await world.stripe.products.create({ name: 'X' })).id)
  await expect.poll(() => world.events.length).toBe(16)
  const received = world.events.map(({ data }) => ('id' in data.object ? String(data.object.id) : ''))
  expect(received.toSorted()).toEqual([...made, ...made].sort())
  expect([...new Set(received)]).not.toEqual(made)
})
