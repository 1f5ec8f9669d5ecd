import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Customer } from '#api/db/customers.ts'
import { transact } from '#api/db/open.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { runReconcileSteps, syncCustomer } from '#api/features/reconcile/service.ts'
import { personCalled } from '#api/testing/billing.ts'
import { beginJoin, onlyCustomer, sam } from '#api/testing/joining.ts'
import { issuedInvoices, issuedNotes, joinAndPay, millLane, refundNewest } from '#api/testing/paying.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const numbers = () => issuedInvoices(world).map(({ number }) => number)
const notes = () => issuedNotes(world).map(({ number, kind, net, vat, gross }) => [number, kind, net, vat, gross])

test('each payment gets one invoice, in pence, however often its news comes', async () => {
  await joinAndPay(world)
  await Promise.all([1, 2, 3].map(() => syncCustomer(world.ctx, onlyCustomer(world))))
  await runJob(world.ctx, 'reconcile')
  expect(issuedInvoices(world)).toMatchObject([
    { number: 'A-000001', sequence: 1, net: 25_000, vat: 5_000, gross: 30_000, isMissingAddress: false },
  ])
  await world.advance(31)
  expect(numbers()).toEqual(['A-000001', 'A-000002'])
  expect(issuedInvoices(world).map(({ isRetroactive }) => isRetroactive)).toEqual([false, false])
})

test('what was charged along with a period is listed before it, and the period keeps its name and its tier', async () => {
  const { call } = await joinAndPay(world)
  const customer = onlyCustomer(world)
  await world.ctx.stripe.invoiceItems.create({ customer, currency: 'gbp', amount: 5_000, description: 'A day on site' })
  await world.advance(31)
  const [, renewal] = issuedInvoices(world)
  expect(renewal).toMatchObject({ tierSlug: 'standard', net: 30_000 })
  expect(renewal?.lines.map(({ description, net }) => [description, net])).toEqual([
    ['A day on site', 5_000],
    [expect.stringMatching(/^Alliance membership, .+ to .+$/), 25_000],
  ])
  const page = await (await call(`/api/billing/invoices/${renewal?.id}`)).text()
  expect([...page.matchAll(/data-l="Quantity">([^<]*)</g)].map(([, quantity]) => quantity)).toEqual(['1', '1 month'])
  const paid = world.ctx.sqlite
    .prepare('select tierSlug, periodStart < periodEnd as hasPeriod from provider_invoices order by created')
    .all()
  expect(paid).toEqual(Array(2).fill({ tierSlug: 'standard', hasPeriod: 1 }))
})

test('an invoice of more lines than one page of the provider has them all, and keeps its tier', {
  tags: ['full'],
}, async () => {
  await joinAndPay(world)
  const customer = onlyCustomer(world)
  const { stripe } = world.ctx
  for (let day = 1; day <= 12; day += 1) {
    await stripe.invoiceItems.create({ customer, currency: 'gbp', amount: 1_000 + day, description: `Day ${day}` })
  }
  await world.advance(31)
  const [, renewal] = issuedInvoices(world)
  expect(renewal?.lines.map(({ description }) => description.replace(/,.*/, ''))).toEqual([
    ...Array.from({ length: 12 }, (_, at) => `Day ${at + 1}`),
    'Alliance membership',
  ])
  expect(renewal).toMatchObject({ tierSlug: 'standard', net: 25_000 + 12_078 })
})

test('more partial refunds than one page of the provider have a credit note each', { tags: ['full'] }, async () => {
  await joinAndPay(world)
  const { stripe } = world.ctx
  const [charge] = (await stripe.charges.list({ customer: onlyCustomer(world) })).data
  for (let part = 1; part <= 12; part += 1) await stripe.refunds.create({ charge: charge?.id ?? '', amount: 1_000 })
  await world.sandbox.settle()
  await syncCustomer(world.ctx, onlyCustomer(world))
  expect(notes()).toHaveLength(12)
  const refunded = world.ctx.sqlite.prepare('select amountRefunded from provider_invoices').get()
  expect(refunded).toEqual({ amountRefunded: 12_000 })
})

test('VAT is reckoned line by line, as the provider does: odd pence, quantities and a discount', {
  tags: ['full'],
}, async () => {
  const { call } = await joinAndPay(world)
  const customer = onlyCustomer(world)
  const { stripe } = world.ctx
  const off = await stripe.coupons.create({ percent_off: 33.33, duration: 'once' })
  const [subscription] = (await stripe.subscriptions.list({ customer })).data
  await stripe.subscriptions.update(subscription?.id ?? '', { discounts: [{ coupon: off.id }] })
  for (const amount of [2, 2, 2]) {
    await stripe.invoiceItems.create({
      customer,
      currency: 'gbp',
      amount,
      description: `${amount}p`,
      discountable: false,
    })
  }
  const washers = { customer, currency: 'gbp', description: 'Washers', discountable: false }
  await stripe.invoiceItems.create({ ...washers, unit_amount_decimal: Stripe.Decimal.from('3'), quantity: 3 })
  await world.advance(31)
  const [, renewal] = issuedInvoices(world)
  // A fifth of 6p rounds to 1p, but a fifth of 2p rounds to nothing, three times over.
  expect(renewal?.lines.map(({ net, vat }) => [net, vat])).toEqual([
    ...[
      [2, 0],
      [2, 0],
      [2, 0],
      [9, 2],
    ],
    [16_667, 3_333],
  ])
  expect(renewal).toMatchObject({ net: 16_682, vat: 3_335, gross: 20_017 })
  const page = await (await call(`/api/billing/invoices/${renewal?.id}`)).text()
  for (const words of [
    'Discount 33.33%: £83.33 off',
    '£166.67',
    '£33.33',
    '£166.82',
    '£33.35',
    '£200.17',
    'data-l="Quantity">3<',
    '£0.03',
  ]) {
    expect(page).toContain(words)
  }
})

test('the series has no gap, whatever fails half way', async () => {
  await joinAndPay(world)
  const { response } = await beginJoin(world.call, { ...sam, email: 'kim@example.com' })
  await world.control('settings', { webhooks: { hold: true } })
  await world.pay(response.clientSecret)
  const kim = world.ctx.sqlite
    .prepare<[], { stripeCustomerId: string }>('select stripeCustomerId from customers order by rowid desc limit 1')
    .get()
  // The number is taken and the row written, then the same transaction fails.
  world.ctx.sqlite.exec(`create trigger fails after insert on invoices begin select raise(abort, 'full disk'); end`)
  await expect(syncCustomer(world.ctx, kim?.stripeCustomerId ?? '')).rejects.toThrow('full disk')
  expect(numbers()).toEqual(['A-000001'])
  world.ctx.sqlite.exec('drop trigger fails')
  await syncCustomer(world.ctx, kim?.stripeCustomerId ?? '')
  expect(numbers()).toEqual(['A-000001', 'A-000002'])
})

test('what took no money gets no invoice: an open demand, a declined card', async () => {
  const { response } = await beginJoin(world.call)
  await world.pay(response.clientSecret, cards.declined)
  await world.sandbox.settle()
  await syncCustomer(world.ctx, onlyCustomer(world))
  expect(numbers()).toEqual([])
})

test('refunds in parts make a credit note each, and add up to the invoice to the penny', async () => {
  await joinAndPay(world)
  await refundNewest(world, 10_000)
  await refundNewest(world, 1)
  await syncCustomer(world.ctx, onlyCustomer(world))
  await refundNewest(world)
  expect(notes()).toEqual([
    ['C-000001', 'refund', 8_333, 1_667, 10_000],
    ['C-000002', 'refund', 1, 0, 1],
    ['C-000003', 'refund', 16_666, 3_333, 19_999],
  ])
  expect(numbers()).toEqual(['A-000001'])
})

test('INV-3 an address given later: a credit note and a new invoice, which name each other; the first stays as it was', async () => {
  const { call } = await joinAndPay(world, sam)
  const [first] = issuedInvoices(world)
  expect(first).toMatchObject({ isMissingAddress: true, customer: { name: 'Sam Field', address: null } })
  const save = () => call('/api/billing/address', { method: 'PUT', body: millLane })
  expect((await save()).status).toBe(200)
  const [kept, anew, ...more] = issuedInvoices(world)
  expect([kept, more]).toEqual([first, []])
  expect(anew).toMatchObject({ number: 'A-000002', replacesId: first?.id, net: 25_000, vat: 5_000, gross: 30_000 })
  expect(anew?.customer.address).toBe('1 Mill Lane\nLeeds\nLS1 1AA')
  expect([anew?.taxPoint, anew?.providerInvoiceId]).toEqual([first?.taxPoint, first?.providerInvoiceId])
  expect(issuedNotes(world)).toMatchObject([{ kind: 'correction', invoiceId: first?.id, gross: 30_000 }])
  await save()
  await syncCustomer(world.ctx, onlyCustomer(world))
  expect([numbers().length, notes().length]).toEqual([2, 1])
})

test('INV-3 one that is replaced more than 30 days after its tax point says so, by its own dates, and nothing is left to put right', async () => {
  await joinAndPay(world, sam)
  world.forward(40 * 86_400_000)
  const call = world.signIn(personCalled(world, sam.email))
  await call('/api/billing/address', { method: 'PUT', body: millLane })
  const anew = issuedInvoices(world)[1]
  // Keeps the flag of the one it replaces: it isn't retroactive.
  expect(anew).toMatchObject({ number: 'A-000002', isRetroactive: false })
  const page = await (await call(`/api/billing/invoices/${anew?.id}`)).text()
  expect(page).toContain('Issued some time after the payment; the tax point is the day of the payment.')
  const lint = await world.signIn(world.addOwner())('/api/admin/invoice-lint')
  expect(await lint.json()).toMatchObject({ total: 0 })
})

test('INV-3 a part that was refunded before the address came is carried over; a later refund adds to it', async () => {
  const { call } = await joinAndPay(world, sam)
  await refundNewest(world, 10_000)
  await call('/api/billing/address', { method: 'PUT', body: millLane })
  await refundNewest(world)
  expect(notes()).toEqual([
    ['C-000001', 'refund', 8_333, 1_667, 10_000],
    ['C-000002', 'correction', 16_667, 3_333, 20_000],
    ['C-000003', 'correction', 8_333, 1_667, 10_000],
    ['C-000004', 'refund', 16_667, 3_333, 20_000],
  ])
  const [first, anew] = issuedInvoices(world)
  const on = (id: string | undefined) =>
    issuedNotes(world)
      .filter(({ invoiceId }) => invoiceId === id)
      .reduce((sum, { gross }) => sum + gross, 0)
  expect([on(first?.id), on(anew?.id)]).toEqual([30_000, 30_000])
})

test('INV-3 a refund that fails after its credit note: the invoice is issued anew, less what did go back, once', async () => {
  await joinAndPay(world)
  await refundNewest(world, 10_000)
  await refundNewest(world, 5_000)
  const { ctx } = world
  const customer = ctx.sqlite.prepare<[], Customer>('select id, userId from customers').get() ?? {
    id: '',
    userId: null,
  }
  ctx.sqlite.exec(`update provider_refunds set status = 'failed' where amount = 10000`)
  // What a sync does after it has written its rows, since the sandbox's refunds never fail.
  const follow = () => transact(ctx, () => runReconcileSteps(ctx, customer))
  follow()
  follow()
  const [first, anew, ...more] = issuedInvoices(world)
  expect([anew?.replacesId, more]).toEqual([first?.id, []])
  const on = (id: string | undefined) =>
    issuedNotes(world).flatMap(({ invoiceId, kind, gross }) => (invoiceId === id ? [[kind, gross]] : []))
  expect(on(first?.id)).toEqual([
    ['refund', 10_000],
    ['refund', 5_000],
    ['correction', 15_000],
  ])
  expect(on(anew?.id)).toEqual([['correction', 5_000]])
})

test('INV-3 an invoice of which nothing is left needs no address any more', async () => {
  const { call } = await joinAndPay(world, sam)
  await refundNewest(world)
  await call('/api/billing/address', { method: 'PUT', body: millLane })
  expect([numbers().length, notes().length]).toEqual([1, 1])
})

test('the invoice of a payment that is read more than 30 days late is marked retroactive', async () => {
  await world.control('settings', { webhooks: { hold: true } })
  const { response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  world.forward(32 * 86_400_000)
  await syncCustomer(world.ctx, onlyCustomer(world))
  expect(issuedInvoices(world)[0]).toMatchObject({ number: 'A-000001', isRetroactive: true })
})

test.each([
  [30, false],
  [31, true],
])(
  'read %i days after it was paid, however long before that it was asked for: retroactive %s',
  async (days, isRetroactive) => {
    await joinAndPay(world)
    const { ctx } = world
    // At noon: near midnight, n × 24 hours ago may be another day across a clock change.
    const daysAgo = (count: number) => `${addDays(londonDay(ctx.billingNow()), -count)}T12:00:00.000Z`
    const lines = JSON.stringify([
      { description: 'Set-up', quantity: 1, unitPrice: 1_000, net: 1_000, rate: 20, vat: 200 },
    ])
    ctx.sqlite
      .prepare(
        `insert into provider_invoices (id, customerId, status, lines, net, vat, total, amountPaid, created, paidAt)
       values ('in_late', ?, 'paid', ?, 1000, 200, 1200, 1200, ?, ?)`,
      )
      .run(issuedInvoices(world)[0]?.customerId, lines, daysAgo(60), daysAgo(days))
    await syncCustomer(ctx, onlyCustomer(world))
    expect(issuedInvoices(world)[1]).toMatchObject({ providerInvoiceId: 'in_late', gross: 1_200, isRetroactive })
  },
)
