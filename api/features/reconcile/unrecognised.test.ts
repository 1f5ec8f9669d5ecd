import { afterEach, beforeEach, expect, test } from 'vitest'
import { becomeMember, providerInvoices, timesCharged } from '#api/testing/billing.ts'
import { billingOf, countRows, onlyCustomer, providerSubscriptions, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { syncCustomer } from './service.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

/** A price as made in the provider's dashboard, without our tier. */
const madeByHand = (amount: number) =>
  world.ctx.stripe.prices.create({
    currency: 'gbp',
    unit_amount: amount,
    recurring: { interval: 'month' },
    product_data: { name: 'By hand' },
  })

async function changePrice(price: string) {
  const { stripe } = world.ctx
  const [subscription] = (await stripe.subscriptions.list({})).data
  const items = [{ id: subscription?.items.data[0]?.id ?? '', price }]
  await stripe.subscriptions.update(subscription?.id ?? '', { items, proration_behavior: 'none' })
  // Wait for its webhook, or its sync could overtake one of the test's own.
  await world.sandbox.settle()
}

async function sellByHand(amount: number) {
  const { stripe } = world.ctx
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: onlyCustomer(world) })
  await stripe.subscriptions.create({
    customer: onlyCustomer(world),
    items: [{ price: (await madeByHand(amount)).id }],
    default_payment_method: card.id,
  })
  await world.sandbox.settle()
}

async function readTwice() {
  for (const _ of [1, 2]) expect(await syncCustomer(world.ctx, onlyCustomer(world))).toBe('written')
}

const told = (more = '') => countRows(world, 'audit_entries', `action = 'subscription.unrecognised' ${more}`)

test('a member whose price was changed by hand stays one, nothing is sold to them beside it, and it is reported to the owners once', async () => {
  const call = await becomeMember(world)
  const { id: price } = await madeByHand(19_900)
  await changePrice(price)
  await readTwice()
  expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true })
  expect(countRows(world, 'subscriptions', `tierSlug = 'standard' and yearlyNet = 238800`)).toBe(1)
  expect((await call('/api/create-subscription', { body: sam })).status).toBe(409)
  expect([told(), told(`and detail ->> 'price' = '${price}'`)]).toEqual([1, 1])
})

test('a period paid at a price that names no tier leaves the tier of the last one that did', async () => {
  await becomeMember(world)
  await changePrice((await madeByHand(19_900)).id)
  await world.advance(31)
  const { stripe } = world.ctx
  const lite = await stripe.prices.create({
    currency: 'gbp',
    unit_amount: 12_500,
    recurring: { interval: 'month' },
    metadata: { tier: 'lite' },
    product_data: { name: 'Lite' },
  })
  // Nothing has been paid at this price yet.
  await changePrice(lite.id)
  await readTwice()
  expect(await timesCharged(world)).toBe(2)
  expect(countRows(world, 'subscriptions', `tierSlug = 'standard' and yearlyNet = 150000`)).toBe(1)
})

test('one sold by hand to a former member that names no tier: no access, and nothing is sold beside it', {
  tags: ['full'],
}, async () => {
  const call = await becomeMember(world)
  const { stripe } = world.ctx
  await stripe.subscriptions.cancel((await stripe.subscriptions.list({})).data[0]?.id ?? '')
  await world.advance(40)
  await sellByHand(19_900)
  await readTwice()
  expect(await billingOf(call)).toMatchObject({ status: 'unrecognised', hasAccess: false, openInvoice: null })
  expect((await call('/api/member-videos')).status).toBe(403)
  expect((await call('/api/create-subscription', { body: sam })).status).toBe(409)
  expect(await providerSubscriptions(world)).toEqual(['active', 'canceled'])
  expect(told()).toBe(1)
})

test('one in another currency is none of ours: its amounts are no pence, so they are in no books, and it is reported', async () => {
  const call = await becomeMember(world)
  const { stripe } = world.ctx
  await stripe.subscriptions.cancel((await stripe.subscriptions.list({})).data[0]?.id ?? '')
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: onlyCustomer(world) })
  const price = await stripe.prices.create({
    currency: 'eur',
    unit_amount: 25_000,
    recurring: { interval: 'month' },
    metadata: { tier: 'xl' },
    product_data: { name: 'XL in euros' },
  })
  const items = [{ price: price.id }]
  await stripe.subscriptions.create({ customer: onlyCustomer(world), items, default_payment_method: card.id })
  const [charge] = (await stripe.charges.list({ limit: 1 })).data
  await stripe.refunds.create({ charge: charge?.id ?? '', amount: 5000 })
  await world.sandbox.settle()
  await readTwice()
  expect(charge?.currency).toBe('eur')
  expect([countRows(world, 'provider_invoices'), countRows(world, 'invoices')]).toEqual([1, 1])
  expect([countRows(world, 'commission_ledger'), countRows(world, 'provider_refunds')]).toEqual([1, 0])
  expect(countRows(world, 'subscriptions', `status = 'unpaid' and yearlyNet = 0`)).toBe(1)
  expect(await billingOf(call)).toMatchObject({ status: 'unrecognised', hasAccess: false })
  expect(told()).toBe(1)
  // As stored by a version that ignored the currency.
  world.ctx.sqlite.exec(`update subscriptions set status = 'active', tierSlug = 'xl' where status = 'unpaid'`)
  await readTwice()
  expect(await billingOf(call)).toMatchObject({ status: 'unrecognised', hasAccess: false })
})

test('one sold by hand beside a membership is neither ended nor refunded', { tags: ['full'] }, async () => {
  const call = await becomeMember(world)
  await sellByHand(9_900)
  await readTwice()
  expect(await providerSubscriptions(world)).toEqual(['active', 'active'])
  expect((await world.ctx.stripe.refunds.list({})).data).toEqual([])
  expect([await timesCharged(world), (await providerInvoices(world)).length]).toEqual([2, 2])
  expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true })
  expect(countRows(world, 'subscriptions', `status = 'active' and yearlyNet = 300000`)).toBe(1)
  expect(told()).toBe(1)
})

test('a status that did not exist when this was written counts as unpaid: no access, and nothing sold beside it', {
  tags: ['full'],
}, async () => {
  const call = await becomeMember(world)
  const { stripe } = world.ctx
  const found = await stripe.subscriptions.list({ status: 'all' }).autoPagingToArray({ limit: 10 })
  const subscriptions = Object.create(stripe.subscriptions, {
    list: { value: () => ({ autoPagingToArray: async () => found.map((one) => ({ ...one, status: 'hibernating' })) }) },
  })
  const later = { ...world.ctx, stripe: Object.create(stripe, { subscriptions: { value: subscriptions } }) }
  expect(await syncCustomer(later, onlyCustomer(world))).toBe('written')
  expect(countRows(world, 'subscriptions', `status = 'unpaid'`)).toBe(1)
  expect(told()).toBe(1)
  expect((await call('/api/member-videos')).status).toBe(403)
})
