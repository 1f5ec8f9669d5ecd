// @module-tag full
import { afterEach, beforeEach, expect, test } from 'vitest'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { act, acted, becomeMember, personCalled } from '#api/testing/billing.ts'
import { billingOf, countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { readError } from '#api/testing/world.ts'
import type { MrrDiff } from '#shared/contract/provider-comparison.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const readOne = { customers: 1, skipped: 0, unknown: 0 }
const nothing = { subscriptions: 0, invoices: 0, refunds: 0, cards: 0, users: 0 }
async function reconcile(how = {}) {
  const outcome = await runJob(world.ctx, 'reconcile', how)
  if (outcome.skipped) throw new Error('skipped')
  const { transactions: _, ...customers } = outcome.report
  return customers
}
const lastMended = () =>
  world.ctx.sqlite
    .prepare<[], { actor: string; targetId: string; detail: string }>(
      `select actor, targetId, detail from audit_entries where action = 'customer.mended' order by at desc, id desc`,
    )
    .get()

test('reconcile mends what drifted, says how many rows of which kind, and the second time nothing', async () => {
  const call = await becomeMember(world)
  expect(await reconcile()).toEqual({ ...readOne, failed: 0, mended: 0, ...nothing })
  const { sqlite } = world.ctx
  sqlite.exec(`update subscriptions set status = 'canceled', tierSlug = 'lite'`)
  sqlite.exec(`update provider_invoices set status = 'open', amountPaid = 0`)
  sqlite.exec(`delete from payment_methods`)
  sqlite.exec(`update users set isMember = 0 where isAdmin = 0`)
  expect((await billingOf(call)).hasAccess).toBe(false)
  const mended = { subscriptions: 1, invoices: 1, refunds: 0, cards: 1, users: 1 }
  expect(await reconcile()).toEqual({ ...readOne, failed: 0, mended: 1, ...mended })
  expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { slug: 'standard' }, hasAccess: true })
  const entry = lastMended()
  expect(entry).toMatchObject({ actor: 'system', targetId: personCalled(world, sam.email).id })
  expect(JSON.parse(entry?.detail ?? '')).toEqual(mended)
  expect(await reconcile()).toEqual({ ...readOne, failed: 0, mended: 0, ...nothing })
  expect(countRows(world, 'audit_entries', `action = 'customer.mended'`)).toBe(1)
})

test('a webhook that never arrived is drift too: a cancellation at the provider', async () => {
  const call = await becomeMember(world)
  await world.control('settings', { webhooks: { hold: true } })
  const [subscription] = (await world.ctx.stripe.subscriptions.list({})).data
  await world.ctx.stripe.subscriptions.cancel(subscription?.id ?? '')
  expect((await billingOf(call)).hasAccess).toBe(true)
  expect(await reconcile()).toMatchObject({ mended: 1, subscriptions: 1, users: 1 })
  expect((await billingOf(call)).hasAccess).toBe(false)
})

test('a customer that cannot be read is counted, keeps their access, and stops nobody else', async () => {
  const first = await becomeMember(world)
  const second = await becomeMember(world, undefined, { ...sam, email: 'kim@example.com' })
  world.ctx.sqlite.exec(`update subscriptions set tierSlug = 'lite'`)
  await world.control('faults', { kind: 'error', path: '/v1/customers', times: 3 })
  expect(await reconcile()).toMatchObject({ customers: 2, failed: 1, mended: 1, subscriptions: 1 })
  expect([(await billingOf(first)).hasAccess, (await billingOf(second)).hasAccess]).toEqual([true, true])
})

/** Creates customers at the provider and drops the connection at the given one. */
async function customersOf(count: number, lost = count) {
  for (let number = 0; number < count; number += 1) {
    const { id } = await world.ctx.stripe.customers.create({})
    world.ctx.sqlite
      .prepare('insert into customers (id, stripeCustomerId, createdAt) values (?, ?, ?)')
      .run(world.ctx.newId(), id, world.ctx.now().toISOString())
    if (number < lost) await world.control('faults', { kind: 'lost', path: `/v1/customers/${id}`, times: 100 })
  }
}
const countUnread = () => world.logged.filter((line) => line.includes('customer not reconciled')).length

test('where the provider is out of reach at a few customers in a row, the run ends, and has failed', async () => {
  await customersOf(6)
  await expect(runJob(world.ctx, 'reconcile', { all: true })).rejects.toThrow()
  expect(countUnread()).toBe(3)
})

test('customers at whom the provider is out of reach for a moment stop nobody else', async () => {
  await customersOf(4, 2)
  expect(await reconcile()).toMatchObject({ customers: 4, failed: 2 })
})

test('the end of a month asks for no further customer after one that cannot be read', async () => {
  await becomeMember(world)
  await world.advance(40)
  await customersOf(3)
  await expect(runJob(world.ctx, 'month-end')).rejects.toThrow()
  expect(countUnread()).toBe(1)
})

/** Someone who left long ago. From now on, webhooks are accepted and lost. */
async function longGone() {
  let isLost = false
  await world.stop()
  world = await startPaymentWorld({
    onWebhook: async (request) => (isLost ? new Response() : world.handle(request)),
  })
  await becomeMember(world)
  const { stripe } = world.ctx
  const [subscription] = (await stripe.subscriptions.list({})).data
  await stripe.subscriptions.cancel(subscription?.id ?? '')
  await world.sandbox.settle()
  expect(await reconcile()).toMatchObject({ customers: 1, skipped: 0 })
  isLost = true
  world.forward(31 * 86_400_000)
  expect(await reconcile()).toEqual({ customers: 0, skipped: 1, unknown: 0, failed: 0, mended: 0, ...nothing })
  const call = world.signIn(personCalled(world, sam.email))
  return { call, price: subscription?.items.data[0]?.price.id ?? '', customer: onlyCustomer(world) }
}

async function subscribeAtTheProvider(customer: string, price: string) {
  const { stripe } = world.ctx
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  await stripe.subscriptions.create({ customer, items: [{ price }], default_payment_method: card.id })
  await world.sandbox.settle()
}

test('members who left long ago are no longer read, unless all are; what was begun for them at the provider is found all the same', async () => {
  const { call, customer, price } = await longGone()
  expect(await reconcile({ all: true })).toMatchObject({ customers: 1, skipped: 0, mended: 0 })
  await subscribeAtTheProvider(customer, price)
  expect((await billingOf(call)).hasAccess).toBe(false)
  expect(await reconcile()).toMatchObject({ customers: 1, skipped: 0, mended: 1, subscriptions: 1, invoices: 1 })
  expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true })
  const stranger = await world.ctx.stripe.customers.create({ email: 'stranger@example.com' })
  await subscribeAtTheProvider(stranger.id, price)
  expect(await reconcile()).toMatchObject({ unknown: 1, mended: 0 })
  expect(world.logged.join()).toContain(stranger.id)
})

test('an undelivered refund event of a long-ended customer is found too', async () => {
  await longGone()
  const [invoice] = (await world.ctx.stripe.charges.list({})).data
  await world.control('settings', { webhooks: { hold: true } })
  await world.ctx.stripe.refunds.create({ charge: invoice?.id ?? '', amount: 1_000 })
  expect(await reconcile()).toMatchObject({ customers: 1, mended: 1, refunds: 1 })
})

test('anybody who is still due a refund is read, however long ago they left', async () => {
  await becomeMember(world, cards.failsLater)
  await world.control('settings', { retryDays: [3], afterRetries: 'unpaid' })
  await world.advance(70)
  const { stripe } = world.ctx
  const [demand] = (await stripe.invoices.list({ status: 'open' })).data
  await stripe.invoices.markUncollectible(demand?.id ?? '')
  await stripe.subscriptions.cancel((await stripe.subscriptions.list({})).data[0]?.id ?? '')
  await world.sandbox.settle()
  world.forward(2000)
  await world.control('faults', { kind: 'refuse', method: 'POST', path: '/v1/refunds', times: 99 })
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: onlyCustomer(world) })
  await stripe.invoices.pay(demand?.id ?? '', { payment_method: card.id })
  await world.sandbox.settle()
  expect(world.logged.join()).toContain('not refunded')
  world.forward(31 * 86_400_000)
  expect(await reconcile()).toMatchObject({ customers: 1, skipped: 0 })
})

test('more than a hundred live ones at the provider are all looked at', { tags: ['full'] }, async () => {
  const { stripe } = world.ctx
  await becomeMember(world)
  const [mine] = (await stripe.subscriptions.list({})).data
  const price = mine?.items.data[0]?.price.id ?? ''
  for (let count = 0; count < 101; count += 1) {
    const { id: customer } = await stripe.customers.create({})
    await stripe.subscriptions.create({ customer, items: [{ price }], payment_behavior: 'default_incomplete' })
  }
  expect(await reconcile()).toMatchObject({ customers: 1, unknown: 101 })
})

test('an owner has one member read again, by address or id, and it is recorded', async () => {
  await becomeMember(world)
  const owner = world.signIn(world.addOwner())
  const { id } = personCalled(world, sam.email)
  world.ctx.sqlite.exec(`update subscriptions set tierSlug = 'lite'`)
  expect(await acted(owner, `/api/admin/members/${sam.email}/sync`)).toEqual({
    memberId: id,
    hasCustomer: true,
    mended: { ...nothing, subscriptions: 1 },
  })
  expect(await acted(owner, `/api/admin/members/${id}/sync`)).toMatchObject({ mended: nothing })
  const stranger = world.addUser()
  expect(await acted(owner, `/api/admin/members/${stranger.id}/sync`)).toMatchObject({ hasCustomer: false })
  expect((await act(owner, '/api/admin/members/nobody/sync')).status).toBe(404)
  expect(countRows(world, 'audit_entries', `action = 'member.sync' and targetId = '${id}'`)).toBe(2)
  await world.control('faults', { kind: 'error', path: '/v1/customers', times: 3 })
  expect((await readError(await act(owner, `/api/admin/members/${id}/sync`))).code).toBe('payment_provider_unavailable')
})

test('an owner runs a job and sees how each last went', async () => {
  await becomeMember(world)
  const owner = world.signIn(world.addOwner())
  expect(await acted(owner, '/api/admin/jobs/reconcile/run')).toEqual({
    name: 'reconcile',
    skipped: false,
    report: { ...readOne, failed: 0, mended: 0, ...nothing, transactions: 1 },
  })
  expect(await acted(owner, '/api/admin/jobs/reconcile/run', { all: true })).toMatchObject({ report: readOne })
  expect(await readError(await act(owner, '/api/admin/jobs/heartbeat/run', { all: true }))).toMatchObject({
    status: 422,
    fields: { all: 'heartbeat always does all there is to do.' },
  })
  expect((await readError(await act(owner, '/api/admin/jobs/tea/run'))).code).toBe('not_found')
  const states: { name: string; lastReport: unknown }[] = await (await owner('/api/admin/jobs')).json()
  expect(states.find(({ name }) => name === 'reconcile')?.lastReport).toMatchObject({ customers: 1 })
  expect(countRows(world, 'audit_entries', `action = 'job.run'`)).toBe(2)
})

test('more subscriptions than are read at a time are all compared', async () => {
  await becomeMember(world)
  const { db } = world.ctx
  const [row] = db.select().from(subscriptions).all()
  if (row === undefined) throw new Error('There is no subscription.')
  const unknown = Array.from({ length: 600 }, (_, at) => ({ ...row, id: `unknown${at}`, status: 'canceled' as const }))
  db.insert(subscriptions).values(unknown).run()
  const owner = world.signIn(world.addOwner())
  const { compared, differences }: MrrDiff = await (await owner('/api/admin/mrr-diff')).json()
  expect([compared, new Set(differences.map(({ subscriptionId }) => subscriptionId)).size]).toEqual([1, 600])
})

test('what cannot reach the provider names the provider in its error', async () => {
  await becomeMember(world)
  const owner = world.signIn(world.addOwner())
  await world.stop()
  for (const body of [undefined, { all: true }]) {
    expect(await readError(await act(owner, '/api/admin/jobs/reconcile/run', body))).toMatchObject({
      status: 502,
      code: 'payment_provider_unavailable',
      message: expect.stringMatching(
        /^We can’t reach the payment sandbox \(it runs with the server, on SANDBOX_PORT\), so/,
      ),
    })
  }
  for (const path of ['payouts', 'payouts/po_1', 'mrr-diff', 'event-gaps'])
    expect(await readError(await owner(`/api/admin/${path}`))).toMatchObject({
      status: 502,
      message: expect.stringMatching(/^We can’t reach the payment sandbox .*, so/),
    })
})
