import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import {
  type Catalogue,
  createCatalogue,
  createWorld,
  invoiceOf,
  typesOf,
  type World,
} from '#api/sandbox/testing/world.ts'

async function subscribeWith(
  world: World,
  { price, vat }: Catalogue,
  coupon: string,
  items: Stripe.SubscriptionCreateParams.Item[] = [{ price: price.id }],
): Promise<Stripe.Subscription> {
  const customer = await world.stripe.customers.create()
  const card = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  return world.stripe.subscriptions.create({
    customer: customer.id,
    items,
    default_tax_rates: [vat.id],
    default_payment_method: card.id,
    discounts: [{ coupon }],
    expand: ['latest_invoice', 'discounts.source.coupon'],
  })
}

async function totals(world: World, subscription: Stripe.Subscription): Promise<number[]> {
  const { data } = await world.stripe.invoices.list({ subscription: subscription.id })
  return data.map(({ total }) => total).reverse()
}

test.each([
  [{ percent_off: 10, duration: 'forever' }, [48_600, 48_600, 48_600]],
  [{ percent_off: 33.33, duration: 'once' }, [36_001, 54_000, 54_000]],
  [{ amount_off: 5_000, currency: 'gbp', duration: 'repeating', duration_in_months: 2 }, [48_000, 48_000, 54_000]],
  [{ amount_off: 99_999, currency: 'gbp', duration: 'once' }, [0, 54_000, 54_000]],
] as const)('a coupon %o: %o', async (params, expected) => {
  const world = await createWorld()
  const coupon = await world.stripe.coupons.create(params)
  const subscription = await subscribeWith(world, await createCatalogue(world), coupon.id)
  await world.sandbox.advance(new Date('2027-04-01T00:00:00Z'))
  expect(await totals(world, subscription)).toEqual(expected)
  const now = await world.stripe.subscriptions.retrieve(subscription.id)
  expect(now).toMatchObject({ status: 'active' })
  expect(now.discounts).toHaveLength(params.duration === 'forever' ? 1 : 0)
  const ended = typesOf(world.events).filter((type) => type === 'customer.discount.deleted')
  expect(ended).toHaveLength(params.duration === 'forever' ? 0 : 1)
})

test.each([
  [{ percent_off: 50, duration: 'forever' }, [110_700, 110_700, 110_700]],
  [{ percent_off: 50, duration: 'once' }, [110_700, 135_000, 135_000]],
  [{ amount_off: 9_000, currency: 'gbp', duration: 'repeating', duration_in_months: 2 }, [125_280, 125_280, 135_000]],
] as const)('an item’s own coupon %o comes off its line, and then the subscription’s: %o', async (params, expected) => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { price, dearer } = catalogue
  const { id: coupon } = await world.stripe.coupons.create(params)
  await world.stripe.coupons.create({ id: 'TENTH', percent_off: 10, duration: 'forever' })
  const items = [{ price: dearer.id }, { price: price.id, discounts: [{ coupon }] }]
  const subscription = await subscribeWith(world, catalogue, 'TENTH', items)
  const item = subscription.items.data[1]
  const [discount] = item?.discounts ?? []
  const read = await world.stripe.subscriptionItems.retrieve(item?.id ?? '', { expand: ['discounts.source.coupon'] })
  const given = { subscription: subscription.id, subscription_item: item?.id, source: { coupon: { id: coupon } } }
  // One for once has gone into the first invoice.
  expect(read.discounts).toMatchObject(params.duration === 'once' ? [] : [{ id: discount, ...given }])
  await world.sandbox.advance(new Date('2027-04-01T00:00:00Z'))
  expect(await totals(world, subscription)).toEqual(expected)
  const now = await world.stripe.subscriptions.retrieve(subscription.id)
  expect(now.discounts).toHaveLength(1)
  expect(now.items.data[1]?.discounts).toEqual(params.duration === 'forever' ? [discount] : [])
})

test('tax is computed after the discount, which the line, the invoice and its page show', async () => {
  const world = await createWorld()
  await world.stripe.coupons.create({ id: 'TENTH', percent_off: 10, duration: 'forever', name: 'A tenth' })
  const subscription = await subscribeWith(world, await createCatalogue(world), 'TENTH')
  const [discount] = subscription.discounts
  if (discount === undefined || typeof discount === 'string') throw new Error('not expanded')
  expect(discount).toMatchObject({
    object: 'discount',
    subscription: subscription.id,
    end: null,
    source: { type: 'coupon', coupon: { id: 'TENTH', percent_off: 10, duration: 'forever' } },
  })
  const invoice = invoiceOf(subscription)
  const taken = [{ amount: 4_500, discount: discount.id }]
  expect(invoice).toMatchObject({
    subtotal: 45_000,
    total_discount_amounts: taken,
    total_excluding_tax: 40_500,
    total: 48_600,
    discounts: [discount.id],
  })
  expect(invoice.lines.data[0]).toMatchObject({
    amount: 45_000,
    discount_amounts: taken,
    taxes: [{ amount: 8_100, taxable_amount: 40_500 }],
  })
  expect(await (await fetch(invoice.hosted_invoice_url ?? '')).text()).toContain('-£45.00')
  const line = { type: 'invoice_line_item' as const, invoice_line_item: invoice.lines.data[0]?.id ?? '' }
  const note = await world.stripe.creditNotes.create({ invoice: invoice.id, lines: [line], refund_amount: 48_600 })
  expect(note).toMatchObject({ subtotal: 45_000, discount_amount: 4_500, total: 48_600 })
  expect((await world.stripe.coupons.retrieve('TENTH')).times_redeemed).toBe(1)
})

test('an active subscription can be given a discount, keep it and lose it', async () => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { stripe } = world
  await stripe.coupons.create({ id: 'HALF', percent_off: 50, duration: 'forever' })
  await stripe.coupons.create({ id: 'FIVER', amount_off: 500, currency: 'gbp', duration: 'forever' })
  const { id, discounts } = await subscribeWith(world, catalogue, 'HALF')
  const half = typeof discounts[0] === 'object' ? discounts[0].id : ''
  const both = await stripe.subscriptions.update(id, { discounts: [{ discount: half }, { coupon: 'FIVER' }] })
  expect(both.discounts).toHaveLength(2)
  await world.advanceDays(28)
  const [renewal] = (await stripe.invoices.list({ subscription: id })).data
  expect(renewal?.total_discount_amounts?.map(({ amount }) => amount)).toEqual([22_500, 500])
  expect(renewal?.total).toBe(26_400)
  expect((await stripe.subscriptions.update(id, { discounts: '' })).discounts).toEqual([])
  await expect(stripe.subscriptions.update(id, { discounts: [{ discount: half }] })).rejects.toMatchObject({
    param: 'discounts[0][discount]',
  })
})

test('a schedule drops discounts that its phase does not name, and redeems those that it does', async () => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { stripe } = world
  await stripe.coupons.create({ id: 'HALF', percent_off: 50, duration: 'forever' })
  const subscription = await subscribeWith(world, catalogue, 'HALF')
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  const [current] = schedule.phases
  const had = current?.discounts[0]?.discount
  const rates = { default_tax_rates: [catalogue.vat.id] }
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [
      {
        ...rates,
        items: [{ price: catalogue.price.id }],
        start_date: current?.start_date ?? 0,
        end_date: current?.end_date ?? 0,
        discounts: [{ discount: String(had) }],
      },
      { ...rates, items: [{ price: catalogue.dearer.id }], proration_behavior: 'none' },
    ],
  })
  expect((await stripe.subscriptions.retrieve(subscription.id)).discounts).toEqual([had])
  await world.advanceDays(28)
  expect(await totals(world, subscription)).toEqual([27_000, 96_000])
})

test('a discount that has expired when its phase begins is left out', async () => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { stripe } = world
  await stripe.coupons.create({ id: 'MONTH', percent_off: 50, duration: 'repeating', duration_in_months: 1 })
  await stripe.coupons.create({ id: 'LATE', percent_off: 50, redeem_by: Date.parse('2027-02-10T00:00:00Z') / 1000 })
  const subscription = await subscribeWith(world, catalogue, 'MONTH')
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  const [current] = schedule.phases
  const discounts = [{ discount: String(current?.discounts[0]?.discount) }]
  const rates = { default_tax_rates: [catalogue.vat.id] }
  const start_date = current?.start_date ?? 0
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [
      { ...rates, discounts, items: [{ price: catalogue.price.id }], start_date, end_date: current?.end_date ?? 0 },
      {
        ...rates,
        discounts: [...discounts, { coupon: 'LATE' }],
        items: [{ price: catalogue.dearer.id }],
        proration_behavior: 'none',
      },
    ],
  })
  await world.advanceDays(28)
  expect(await totals(world, subscription)).toEqual([27_000, 96_000])
})

test('coupons reject invalid parameters, expire, run out and can be deleted', async () => {
  const world = await createWorld()
  const { stripe } = world
  const catalogue = await createCatalogue(world)
  await expect(stripe.coupons.create({})).rejects.toMatchObject({ param: 'percent_off' })
  await expect(stripe.coupons.create({ amount_off: 5 })).rejects.toMatchObject({ param: 'currency' })
  await expect(stripe.coupons.create({ percent_off: 5, duration: 'repeating' })).rejects.toMatchObject({
    param: 'duration_in_months',
  })
  await stripe.coupons.create({ id: 'ONE', percent_off: 5, duration: 'forever', max_redemptions: 1 })
  await expect(stripe.coupons.create({ id: 'ONE', percent_off: 5 })).rejects.toMatchObject({ param: 'id' })
  const subscription = await subscribeWith(world, catalogue, 'ONE')
  expect((await stripe.coupons.retrieve('ONE')).valid).toBe(false)
  await expect(subscribeWith(world, catalogue, 'ONE')).rejects.toMatchObject({ code: 'coupon_expired' })
  await expect(subscribeWith(world, catalogue, 'NONE')).rejects.toMatchObject({ param: 'discounts[0][coupon]' })
  expect((await stripe.coupons.update('ONE', { name: 'One only' })).name).toBe('One only')
  expect((await stripe.coupons.list()).data).toHaveLength(1)
  await stripe.coupons.del('ONE')
  await expect(stripe.coupons.retrieve('ONE')).rejects.toMatchObject({ statusCode: 404 })
  await world.advanceDays(28)
  expect(await totals(world, subscription)).toEqual([51_300, 51_300])
  const shown = await stripe.subscriptions.retrieve(subscription.id, { expand: ['discounts.source.coupon'] })
  expect(shown.discounts).toMatchObject([{ source: { coupon: { id: 'ONE', percent_off: 5, valid: false } } }])
  expect(await stripe.coupons.create({ id: 'ONE', percent_off: 7 })).toMatchObject({ valid: true, percent_off: 7 })
})
