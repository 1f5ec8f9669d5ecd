import type Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sandboxSecretKey } from '#api/sandbox/server.ts'
import { becomeMember } from '#api/testing/billing.ts'
import { onlyCustomer, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { syncCustomer } from './service.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

type Coupon = Parameters<Stripe['coupons']['create']>[0]
type Discounts = { item?: Coupon; subscription?: Coupon; customer?: Coupon }

const discountOf = async (coupon: Coupon) => ({
  id: 'di_1',
  object: 'discount',
  end: null,
  source: { type: 'coupon', coupon: await world.ctx.stripe.coupons.create(coupon) },
})

/** Adds discounts the sandbox doesn't support to its responses: on an item, as a list of ids, and on a customer. */
async function discounted({ item, subscription, customer }: Discounts) {
  const { stripe } = world.ctx
  const found = await stripe.subscriptions.list({ status: 'all' }).autoPagingToArray({ limit: 10 })
  const own = subscription ? [await discountOf(subscription)] : []
  const listed = found.map((one) => ({
    ...one,
    discounts: own,
    items: { ...one.items, data: one.items.data.map((each) => ({ ...each, discounts: item ? ['di_1'] : [] })) },
  }))
  const ofItem = item ? [await discountOf(item)] : []
  const read = await stripe.customers.retrieve(onlyCustomer(world))
  const whole = { ...read, discount: customer ? await discountOf(customer) : null }
  return Object.create(stripe, {
    subscriptions: { value: { list: () => ({ autoPagingToArray: async () => listed }) } },
    subscriptionItems: { value: { retrieve: async () => ({ discounts: ofItem }) } },
    customers: { value: { retrieve: async () => whole } },
  })
}

const tenth: Coupon = { percent_off: 10, duration: 'forever' }
const fifty: Coupon = { amount_off: 5_000, currency: 'gbp', duration: 'forever' }

test.each<[string, Discounts, number]>([
  ['of its item', { item: tenth }, 22_500],
  ['of its item first, then its own', { item: fifty, subscription: tenth }, 18_000],
  ['of its customer', { customer: tenth }, 22_500],
  ['of its item, then of its customer', { item: tenth, customer: fifty }, 17_500],
  ['of its customer, which its own replaces', { subscription: tenth, customer: fifty }, 22_500],
  ['of one invoice alone', { item: { ...tenth, duration: 'once' }, customer: { ...fifty, duration: 'once' } }, 25_000],
])('revenue counts a subscription after the discount %s', { tags: ['full'] }, async (_whose, discounts, net) => {
  await becomeMember(world)
  const stripe = await discounted(discounts)
  expect(await syncCustomer({ ...world.ctx, stripe }, onlyCustomer(world))).toBe('written')
  const row = world.ctx.sqlite.prepare<[], { yearlyNet: number }>('select yearlyNet from subscriptions').get()
  expect(row?.yearlyNet).toBe(net * 12)
})

test('once a membership has ended its figures stand still, also when a coupon runs out or the customer is given one', async () => {
  await becomeMember(world)
  const { stripe } = world.ctx
  const customer = onlyCustomer(world)
  const half = await stripe.coupons.create({ percent_off: 50, duration: 'repeating', duration_in_months: 2 })
  const [subscription] = (await stripe.subscriptions.list({ customer })).data
  const id = subscription?.id ?? ''
  await stripe.subscriptions.update(id, { discounts: [{ coupon: half.id }] })
  await world.advance(32)
  const figures = () =>
    world.ctx.sqlite.prepare('select status, yearlyNet, chargeTotal, chargeVatRate from subscriptions').get()
  await stripe.subscriptions.cancel(id)
  await world.sandbox.settle()
  const atTheEnd = { status: 'canceled', yearlyNet: 150_000, chargeTotal: null, chargeVatRate: 20 }
  expect(figures()).toEqual(atTheEnd)
  await world.advance(62)
  await syncCustomer(world.ctx, customer)
  expect(figures()).toEqual(atTheEnd)
  const { id: coupon } = await stripe.coupons.create(tenth)
  const headers = { authorization: `Bearer ${sandboxSecretKey}` }
  const body = new URLSearchParams({ coupon })
  await fetch(`${world.sandbox.url}/v1/customers/${customer}`, { method: 'POST', headers, body })
  await syncCustomer(world.ctx, customer)
  expect(figures()).toEqual(atTheEnd)
  // Its end read only now, as after a restore, it’s what it was then.
  world.ctx.sqlite.exec(`update subscriptions set status = 'active', endedAt = null, yearlyNet = 1`)
  await syncCustomer(world.ctx, customer)
  expect(figures()).toEqual(atTheEnd)
})

test('revenue is the net of the invoice to the penny, whatever share a coupon takes off', async () => {
  await becomeMember(world, undefined, { ...sam, tierSlug: 'xl' })
  const { stripe } = world.ctx
  const coupon = await stripe.coupons.create({ percent_off: 33.33, duration: 'forever' })
  const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
  await stripe.subscriptions.update(subscription?.id ?? '', { discounts: [{ coupon: coupon.id }] })
  await world.advance(32)
  const row = world.ctx.sqlite
    .prepare('select yearlyNet, i.net from subscriptions join provider_invoices i order by i.created desc')
    .get()
  expect(row).toEqual({ yearlyNet: 360_012, net: 30_001 })
})
