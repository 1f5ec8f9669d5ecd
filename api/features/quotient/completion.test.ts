import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { transact } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { completeOrders } from '#api/features/orders/completion-service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { contentOf } from '#api/site/content.ts'
import { waitingMail } from '#api/testing/enquiries.ts'
import { countRows, onlyCustomer } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { atProvider, begunOrder, leastOrder, newKey, order, ordersOf, quotientOrder } from '#api/testing/quotient.ts'
import { AdminQuotientOrderList } from '#shared/contract/quotient.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld({ env: { OWNER_EMAILS: 'one@alliance.test,two@alliance.test' } })
})
afterEach(() => world.stop())

const mails = () => waitingMail(world).filter(({ cause }) => cause.startsWith('quotient-order:'))
function customer() {
  const [found] = world.ctx.db.select().from(customers).all()
  if (found === undefined) throw new Error('Nobody has ordered.')
  return found
}
const statuses = () => ordersOf(world).map(({ status }) => status)

async function paidOrder(body: object = quotientOrder) {
  const response = await begunOrder(world, body)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  return response
}

describe('completion', () => {
  test('CALLS-46 the webhook alone completes an order, after the browser was closed', async () => {
    const { orderId } = await paidOrder()
    const [bought] = ordersOf(world)
    expect(bought).toMatchObject({ id: orderId, status: 'paid', paidAt: expect.stringMatching(/^20.+Z$/) })
    expect(countRows(world, 'provider_invoices', `quotientOrderId = '${orderId}' and status = 'paid'`)).toBe(1)
    expect(countRows(world, 'users')).toBe(0)
  })

  test('3-D Secure that is passed later completes it too', async () => {
    const { clientSecret } = await begunOrder(world)
    expect(JSON.parse((await world.pay(clientSecret, cards.asks3ds)).body).status).toBe('requires_action')
    await world.sandbox.settle()
    expect(statuses()).toEqual(['pending'])
    await world.pay(clientSecret)
    await world.sandbox.settle()
    expect(statuses()).toEqual(['paid'])
  })

  test('webhooks that arrive five times, backwards and again later complete it once', async () => {
    await world.control('settings', { webhooks: { copies: 5, order: 'reversed', hold: true } })
    const { clientSecret } = await begunOrder(world)
    await world.pay(clientSecret)
    await world.control('webhooks/release')
    await world.sandbox.settle()
    const [before] = ordersOf(world)
    world.forward(60_000)
    await syncCustomer(world.ctx, onlyCustomer(world))
    expect(ordersOf(world)).toEqual([before])
    expect(mails()).toHaveLength(3)
  })

  test('the nightly reading makes up for webhooks that never arrive', async () => {
    await world.control('settings', { webhooks: { hold: true } })
    const { clientSecret } = await begunOrder(world)
    await world.pay(clientSecret)
    expect(statuses()).toEqual(['pending'])
    await runJob(world.ctx, 'reconcile')
    expect(statuses()).toEqual(['paid'])
  })

  test('a refund of the whole shows at the order, one of a part does not', async () => {
    await paidOrder()
    const [charge] = (await world.ctx.stripe.charges.list({})).data
    await world.ctx.stripe.refunds.create({ charge: charge?.id ?? '', amount: 4_000 })
    await world.sandbox.settle()
    expect(statuses()).toEqual(['paid'])
    await world.ctx.stripe.refunds.create({ charge: charge?.id ?? '' })
    await world.sandbox.settle()
    expect(statuses()).toEqual(['refunded'])
    expect(mails()).toHaveLength(3)
  })

  test('a refund that fails later leaves the order paid, and sends no second mail', async () => {
    await paidOrder()
    const [charge] = (await world.ctx.stripe.charges.list({})).data
    await world.ctx.stripe.refunds.create({ charge: charge?.id ?? '' })
    await world.sandbox.settle()
    expect(statuses()).toEqual(['refunded'])
    const { ctx } = world
    ctx.sqlite.exec('update provider_invoices set amountRefunded = 0')
    transact(ctx, () => completeOrders(ctx, customer()))
    expect(statuses()).toEqual(['paid'])
    expect(mails()).toHaveLength(3)
  })

  test('it is paid when its own customer paid, whatever invoice of another one names it', async () => {
    await world.control('settings', { webhooks: { hold: true } })
    const { orderId, clientSecret } = await begunOrder(world)
    const at = '2020-01-01T00:00:00.000Z'
    world.ctx.sqlite.exec(`
      insert into customers (id, stripeCustomerId, createdAt) values ('another', 'cus_another', '${at}');
      insert into provider_invoices (id, customerId, status, quotientOrderId, net, vat, total, amountPaid, created, paidAt)
        values ('in_another', 'another', 'paid', '${orderId}', 1, 0, 1, 1, '${at}', '${at}')`)
    await world.pay(clientSecret)
    await world.control('webhooks/release')
    await world.sandbox.settle()
    const [bought] = ordersOf(world)
    expect(bought?.status).toBe('paid')
    expect(bought?.paidAt).not.toBe(at)
  })
})

describe('mails', () => {
  test('QUOT-19 the buyer is mailed what happens next, and each owner what was ordered', async () => {
    const { orderId } = await paidOrder()
    expect(mails().map(({ cause, to, replyTo }) => [cause, to, replyTo])).toEqual([
      [`quotient-order:${orderId}:buyer`, 'sam@example.com', null],
      [`quotient-order:${orderId}:owner:one@alliance.test`, 'one@alliance.test', 'sam@example.com'],
      [`quotient-order:${orderId}:owner:two@alliance.test`, 'two@alliance.test', 'sam@example.com'],
    ])
    const [buyer, owner] = mails()
    const { packages, success } = contentOf(world.ctx).read().pages.quotient
    const { steps, help } = success
    const numbered = steps.map(({ title }, index) => `${index + 1}. ${title}`)
    const said = [
      'Hello Sam,',
      ...numbered,
      'Total paid: £540.00',
      'VAT 20%: £90.00',
      `${help.response}, ${help.hours}`,
    ]
    for (const words of said) expect([buyer?.text, buyer?.html.replace(/<[^>]*>/g, '')].join('\n')).toContain(words)
    for (const words of [
      `Quotient ${packages.offers.professional.name} ordered by Sam Field`,
      'Trade type: Heating Engineer',
      'Preferred manufacturer: Worcester',
      'VAT registered: Yes',
      'General install rate: 2925.00',
      'Additional requirements: Our logo is blue.\n    Ring after four.',
      'Total paid: £540.00',
    ])
      expect(owner?.text).toContain(words)
    expect(owner?.html).toContain('Our logo is blue.<br>Ring after four.')
  })

  test('what was left empty is listed for the owners, and nothing typed can become markup', async () => {
    await paidOrder({ ...leastOrder, businessName: '<b>Field</b>' })
    const owner = mails()[1]
    expect(owner?.text).toContain('Warranty boost price: Not given')
    expect(owner?.html).toContain('&lt;b&gt;Field&lt;/b&gt;')
  })
})

describe('orders that nobody pays', () => {
  test('are ended after 7 days: the invoice is void, and another try begins a new one', {
    tags: ['full'],
  }, async () => {
    const key = newKey()
    const { clientSecret } = await begunOrder(world, quotientOrder, key)
    await world.advance(6.9)
    await runJob(world.ctx, 'unpaid-orders')
    expect(statuses()).toEqual(['pending'])
    await world.advance(0.2)
    await runJob(world.ctx, 'unpaid-orders')
    expect(statuses()).toEqual(['cancelled'])
    expect(await atProvider(world)).toEqual({ invoices: [['void', 54_000]], taken: [] })
    expect((await world.pay(clientSecret)).status).toBe(400)
    expect((await order(world, quotientOrder, key)).status).toBe(409)
    await paidOrder()
    expect(statuses()).toEqual(['cancelled', 'paid'])
  })

  test('a cancellation that did not reach the provider is repeated; a paid order is never cancelled', {
    tags: ['full'],
  }, async () => {
    await begunOrder(world)
    await paidOrder()
    await world.sandbox.settle()
    await world.advance(8)
    await world.control('faults', { kind: 'error', method: 'POST', path: '/v1/invoices/', times: 3 })
    expect(await runJob(world.ctx, 'unpaid-orders')).toMatchObject({ report: { cancelled: 0, failed: 1 } })
    expect((await atProvider(world)).invoices).toContainEqual(['open', 54_000])
    expect(await runJob(world.ctx, 'unpaid-orders')).toMatchObject({ report: { cancelled: 1, failed: 0 } })
    expect((await atProvider(world)).invoices).toEqual([
      ['void', 54_000],
      ['paid', 54_000],
    ])
    expect(statuses()).toEqual(['cancelled', 'paid'])
    expect(await runJob(world.ctx, 'unpaid-orders')).toMatchObject({ report: { cancelled: 0, failed: 0 } })
  })

  test('a draft that was left behind goes too', async () => {
    await world.control('faults', { kind: 'error', method: 'POST', path: '/v1/invoiceitems', times: 3 })
    expect((await order(world)).status).toBe(502)
    await world.sandbox.settle()
    expect(countRows(world, 'provider_invoices', `status = 'draft'`)).toBe(1)
    await world.advance(8)
    await runJob(world.ctx, 'unpaid-orders')
    expect(await atProvider(world)).toEqual({ invoices: [], taken: [] })
    expect([statuses(), countRows(world, 'provider_invoices')]).toEqual([['cancelled'], 0])
  })

  test('paid while the clean-up looked: it is paid', async () => {
    const { clientSecret } = await begunOrder(world)
    await world.control('settings', { webhooks: { hold: true } })
    await world.pay(clientSecret)
    await world.advance(8)
    await runJob(world.ctx, 'unpaid-orders')
    expect(statuses()).toEqual(['paid'])
    expect(mails()).toHaveLength(3)
  })
})

test('owners see the orders, the newest first, page by page', async () => {
  for (const email of ['aa@example.com', 'bb@example.com', 'cc@example.com']) {
    await begunOrder(world, { ...quotientOrder, email })
  }
  const call = world.signIn(world.addOwner())
  const emails: string[] = []
  let path: string | undefined = '/api/admin/quotient-orders?limit=2'
  while (path !== undefined) {
    const response: Response = await call(path)
    emails.push(...v.parse(AdminQuotientOrderList, await response.json()).map(({ email }) => email))
    path = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  expect(emails).toEqual(['cc@example.com', 'bb@example.com', 'aa@example.com'])
})
