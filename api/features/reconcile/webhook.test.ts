import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { becomeMember, beginTrial } from '#api/testing/billing.ts'
import { beginJoin, billingOf, countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { startWorld } from '#api/testing/world.ts'
import { syncCustomer } from './service.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

type Delivered = {
  id: string
  type: string
  object?: object
  before?: object
  api_version?: string
  livemode?: boolean
}

function deliver(event: Delivered): Promise<Response> {
  const { object, before, ...rest } = event
  const data = object && { object, previous_attributes: before }
  return deliverText(JSON.stringify({ ...rest, object: 'event', data }))
}

async function deliverText(payload: string, edit = (signature: string) => signature): Promise<Response> {
  const { stripe, settings, now } = world.ctx
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: settings.stripe.webhookSecret,
    timestamp: Math.floor(now().getTime() / 1000),
  })
  return world.handle(
    new Request('http://localhost/api/stripe/webhook', {
      method: 'POST',
      body: payload,
      headers: { 'stripe-signature': edit(signature) },
    }),
  )
}

type Stored = { type: string; stripeCustomerId: string | null; processedAt: string | null }
const stored = (id: string) =>
  world.ctx.sqlite
    .prepare<[string], Stored>('select type, stripeCustomerId, processedAt from provider_events where id = ?')
    .get(id)
const readings = () =>
  world.ctx.sqlite.prepare<[], { taken: number }>('select sum(ticketTaken) as taken from customers').get()?.taken
const invoicePaid = (id: string) => ({
  id,
  type: 'invoice.paid',
  object: { object: 'invoice', customer: onlyCustomer(world) },
})

describe('an event', () => {
  test('that is signed and is none, or has its time twice, is 400 and stored nowhere', async () => {
    const none = [
      'null',
      '[]',
      '7',
      '"evt_1"',
      '{}',
      '{"id":7,"type":"a"}',
      '{"id":"evt_1"}',
      '{"id":"","type":"a"}',
      '{',
      '{"id":"evt_1","type":"a"}',
      '{"id":"evt_1","type":"a","data":{"object":{}}}',
      '{"id":"pm_1","object":"payment_method","type":"card"}',
      '{"id":"evt_1","object":"list","type":"a","data":[]}',
      ...[
        '',
        ',"data":null',
        ',"data":{}',
        ',"data":{"object":null}',
        ',"data":{"object":[]}',
        ',"data":{"object":"a"}',
      ].map((data) => `{"id":"evt_1","object":"event","type":"a"${data}}`),
    ]
    for (const payload of none) expect([payload, (await deliverText(payload)).status]).toEqual([payload, 400])
    const event = JSON.stringify({ id: 'evt_1', object: 'event', type: 'tea.brewed', data: { object: {} } })
    const edits = [
      (signature: string) => `t=1,${signature}`,
      (signature: string) => `${signature},t=${Math.floor(world.ctx.now().getTime() / 1000)}`,
      (signature: string) => signature.replace(/^t=\d+,/, ''),
    ]
    for (const edit of edits) expect((await deliverText(event, edit)).status).toBe(400)
    expect(countRows(world, 'provider_events')).toBe(0)
    expect((await deliverText(event)).status).toBe(200)
  })

  test('of an unknown type, of an unknown customer, of nobody at all: stored, and answered 200', async () => {
    const odd = [
      { id: 'evt_1', type: 'tea.brewed', object: { object: 'tea' } },
      { id: 'evt_2', type: 'invoice.paid', object: { object: 'invoice', customer: 'cus_nobody' } },
      { id: 'evt_3', type: 'customer.created', object: { object: 'customer', id: 'cus_stranger' } },
      { id: 'evt_4', type: 'tea.drunk', object: {} },
    ]
    for (const event of odd) {
      expect([event.id, (await deliver(event)).status]).toEqual([event.id, 200])
      expect(stored(event.id)).toMatchObject({ type: event.type, processedAt: expect.any(String) })
    }
    expect(odd.map(({ id }) => stored(id)?.stripeCustomerId)).toEqual([null, 'cus_nobody', 'cus_stranger', null])
  })

  test('that names its customer only by what it is about, or is of an old version, is read all the same', {
    tags: ['full'],
  }, async () => {
    await becomeMember(world)
    const customer = onlyCustomer(world)
    const { stripe, sqlite } = world.ctx
    const [charge] = (await stripe.charges.list({ customer })).data
    const refund = await stripe.refunds.create({ charge: charge?.id ?? '', amount: 100 })
    await world.sandbox.settle()
    const paid = sqlite.prepare<[], { id: string }>(`select id from provider_invoices where status = 'paid'`).get()
    const about = [
      { type: 'refund.failed', object: { object: 'refund', id: refund.id } },
      { type: 'invoice_payment.paid', object: { object: 'invoice_payment', id: 'inpay_1', invoice: paid?.id } },
      {
        type: 'payment_method.detached',
        object: { object: 'payment_method', id: 'pm_1', customer: null },
        before: { customer },
      },
      { type: 'invoice.paid', object: { object: 'invoice', customer: { object: 'customer', id: customer } } },
      { type: 'charge.refunded', api_version: '2020-08-27', livemode: true, object: { object: 'charge', customer } },
      // As accounts of those years send them: the plan on the subscription, the charge on the invoice.
      {
        type: 'customer.subscription.updated',
        api_version: '2017-08-15',
        object: { object: 'subscription', customer, plan: { id: 'gold', amount: 4999 }, current_period_end: 1 },
      },
      {
        type: 'invoice.payment_succeeded',
        api_version: '2015-10-16',
        object: { object: 'invoice', customer, subscription: 'sub_old', charge: 'ch_1', paid: true },
      },
    ]
    for (const [at, event] of about.entries()) {
      const before = readings()
      expect((await deliver({ id: `evt_${at}`, ...event })).status).toBe(200)
      expect([event.type, stored(`evt_${at}`)?.stripeCustomerId]).toEqual([event.type, customer])
      expect(readings()).toBe((before ?? 0) + 1)
    }
  })

  test('that came before is answered 200, and nothing is read again', async () => {
    await becomeMember(world)
    expect((await deliver(invoicePaid('evt_1'))).status).toBe(200)
    const before = readings()
    expect((await deliver(invoicePaid('evt_1'))).status).toBe(200)
    expect(readings()).toBe(before)
    expect((await deliver(invoicePaid('evt_2'))).status).toBe(200)
    expect(readings()).toBe((before ?? 0) + 1)
  })

  test('of a customer that is being read shares the next reading with the others that wait, and fails with it', {
    tags: ['full'],
  }, async () => {
    await becomeMember(world)
    const before = readings() ?? 0
    const together = (name: string) =>
      Promise.all(Array.from({ length: 12 }, (_none, at) => deliver(invoicePaid(`${name}_${at}`))))
    expect((await together('evt')).map(({ status }) => status)).toEqual(Array(12).fill(200))
    expect(readings()).toBe(before + 2)
    expect(countRows(world, 'provider_events', `id like 'evt_%' and processedAt is null`)).toBe(0)

    await world.control('faults', { kind: 'error', times: 1000 })
    expect((await together('failed')).map(({ status }) => status)).toEqual(Array(12).fill(500))
    expect(countRows(world, 'provider_events', `id like 'failed_%' and processedAt is null`)).toBe(12)
  })

  test('that our database could not take answers 5xx, and counts when it comes again', async () => {
    await world.control('settings', { webhooks: { hold: true } })
    const { response } = await beginJoin(world.call)
    await world.pay(response.clientSecret)
    const { sqlite } = world.ctx
    sqlite.exec(`create trigger full before update on subscriptions begin select raise(abort, 'disk full'); end`)
    const failed = await deliver(invoicePaid('evt_1'))
    expect([failed.status, (await failed.json()).error.code]).toEqual([500, 'internal'])
    expect(stored('evt_1')).toMatchObject({ processedAt: null })
    expect(countRows(world, 'users', 'isMember = 1')).toBe(0)
    sqlite.exec('drop trigger full')
    expect((await deliver(invoicePaid('evt_1'))).status).toBe(200)
    expect(stored('evt_1')).toMatchObject({ processedAt: expect.any(String) })
    expect(countRows(world, 'users', 'isMember = 1')).toBe(1)
    expect(countRows(world, 'mail_outbox', `cause like 'welcome:%'`)).toBe(1)
  })
})

describe('a provider that cannot be reached', () => {
  const silence = () => world.control('faults', { kind: 'error', times: 1000 })

  test('never takes a member’s access: events wait, the reading throws, rows and access stay', async () => {
    const call = await becomeMember(world)
    const rows = () => world.ctx.sqlite.prepare('select * from subscriptions').all()
    const before = rows()
    await silence()
    expect((await deliver(invoicePaid('evt_1'))).status).toBe(500)
    expect(stored('evt_1')).toMatchObject({ processedAt: null })
    await expect(syncCustomer(world.ctx, onlyCustomer(world))).rejects.toThrow()
    expect(rows()).toEqual(before)
    expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true })
    expect((await call('/api/member-videos')).status).toBe(200)
  })

  test('a customer that it no longer has keeps what they had', { tags: ['full'] }, async () => {
    const call = await becomeMember(world)
    world.ctx.sqlite.exec(`update customers set stripeCustomerId = 'cus_forgotten'`)
    await expect(syncCustomer(world.ctx, 'cus_forgotten')).rejects.toThrow()
    expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true })
  })
})

describe('what a reading never does', () => {
  test('it leaves the owners’ word as it is', { tags: ['full'] }, async () => {
    const call = await becomeMember(world)
    for (const override of ['revoked', 'granted']) {
      world.ctx.sqlite.prepare('update users set accessOverride = ?').run(override)
      await syncCustomer(world.ctx, onlyCustomer(world))
      expect(countRows(world, 'users', `accessOverride = '${override}'`)).toBe(1)
      expect((await billingOf(call)).hasAccess).toBe(override === 'granted')
    }
    const [subscription] = (await world.ctx.stripe.subscriptions.list({})).data
    await world.ctx.stripe.subscriptions.cancel(subscription?.id ?? '')
    await world.sandbox.settle()
    expect(await billingOf(call)).toMatchObject({ status: 'canceled', hasAccess: true, isComplimentary: true })
  })

  test('the database refuses a second live subscription, from any writer', async () => {
    await becomeMember(world)
    const second = (status: string) =>
      world.ctx.sqlite.exec(
        `insert into subscriptions (id, customerId, status, tierSlug, yearlyNet, created, updatedAt)
         select 'sub_${status}', customerId, '${status}', 'lite', 0, created, updatedAt from subscriptions limit 1`,
      )
    for (const status of ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused']) {
      expect(() => second(status)).toThrow(/UNIQUE/)
    }
    for (const status of ['canceled', 'incomplete_expired']) second(status)
    expect(countRows(world, 'subscriptions')).toBe(3)
  })

  test('a trial gives nothing until its card is set up, and everything from then on', async () => {
    const call = await beginTrial(world)
    const greetings = () => countRows(world, 'mail_outbox', `cause like '%:sub!_%' escape '!'`)
    expect(countRows(world, 'subscriptions', `status = 'trialing' and isSettled = 0`)).toBe(1)
    expect(await billingOf(call)).toMatchObject({ status: 'incomplete', hasAccess: false })
    expect((await call('/api/member-videos')).status).toBe(403)
    expect(greetings()).toBe(0)
    const [trial] = (await world.ctx.stripe.subscriptions.list({ expand: ['data.pending_setup_intent'] })).data
    const setup = typeof trial?.pending_setup_intent === 'object' ? trial.pending_setup_intent : null
    await world.pay(setup?.client_secret ?? '', cards.pays)
    await world.sandbox.settle()
    expect(await billingOf(call)).toMatchObject({ status: 'trialing', hasAccess: true })
    expect(greetings()).toBe(1)
  })
})

test('a purchase attempt is stored before the provider is called', async () => {
  const heard: string[] = []
  const provider = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      heard.push(`${new URL(request.url).pathname}, ${countRows(own, 'purchase_attempts', 'closedAt is null')} open`)
      return Response.json({ error: { type: 'api_error', message: 'no' } }, { status: 400 })
    },
  })
  const own = startWorld({ sandboxPort: Number(provider.port) })
  expect((await own.call('/api/create-subscription', { body: sam })).status).toBe(502)
  expect(heard).toEqual(['/v1/customers, 1 open'])
  await provider.stop(true)
})
