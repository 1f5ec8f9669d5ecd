import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { sandboxSecretKey } from '#api/sandbox/server.ts'
import {
  createCatalogue,
  createWorld,
  type Subscribed,
  subscribeAndPay,
  type World,
} from '#api/sandbox/testing/world.ts'

type Change = (world: World, joined: Subscribed, tax: string) => Promise<unknown>

async function coupon({ stripe }: World, params: Stripe.CouponCreateParams): Promise<string> {
  return (await stripe.coupons.create(params)).id
}

/** As the dashboard does, which uses an earlier version of the API. */
async function discountCustomer({ sandbox }: World, customer: string, id: string): Promise<void> {
  const response = await fetch(`${sandbox.url}/v1/customers/${customer}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandboxSecretKey}` },
    body: new URLSearchParams({ coupon: id }),
  })
  expect(response.status).toBe(200)
}

const discountedBy =
  (params: Stripe.CouponCreateParams): Change =>
  async (world, { subscription }) =>
    world.stripe.subscriptions.update(subscription.id, { discounts: [{ coupon: await coupon(world, params) }] })

const inheriting =
  (params: Stripe.CouponCreateParams): Change =>
  async (world, { customer }) =>
    discountCustomer(world, customer.id, await coupon(world, params))

const changes: [what: string, change: Change, due: number[]][] = [
  ['nothing', async () => undefined, [54_000, 54_000]],
  ['a coupon for good', discountedBy({ percent_off: 50, duration: 'forever' }), [27_000, 27_000]],
  ['a coupon for once', discountedBy({ percent_off: 50, duration: 'once' }), [27_000, 54_000]],
  [
    'a coupon that ends before',
    discountedBy({ percent_off: 50, duration: 'repeating', duration_in_months: 1 }),
    [54_000, 54_000],
  ],
  [
    'a coupon for two months',
    discountedBy({ percent_off: 50, duration: 'repeating', duration_in_months: 2 }),
    [27_000, 54_000],
  ],
  [
    'the customer’s, for good',
    inheriting({ amount_off: 5_000, currency: 'gbp', duration: 'forever' }),
    [48_000, 48_000],
  ],
  ['the customer’s, for once', inheriting({ amount_off: 5_000, currency: 'gbp', duration: 'once' }), [48_000, 54_000]],
  [
    'the customer’s, which ends before',
    inheriting({ percent_off: 10, duration: 'repeating', duration_in_months: 1 }),
    [54_000, 54_000],
  ],
  [
    'no tax rate',
    (world, { subscription }) => world.stripe.subscriptions.update(subscription.id, { default_tax_rates: '' }),
    [45_000, 45_000],
  ],
  [
    'something else to pay',
    (world, { customer }) =>
      world.stripe.invoiceItems.create({ customer: customer.id, amount: 4_000, currency: 'gbp' }),
    [58_800, 54_000],
  ],
]

test.each(changes)('the preview is what the renewal then is: %s', async (_what, change, due) => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const joined = await subscribeAndPay(world, catalogue)
  // Past the day of the month on which the period began: a coupon for a month ends before the next bill.
  await change(world, joined, catalogue.vat.id)
  const taken: number[] = []
  for (const expected of due) {
    const shown = await world.stripe.invoices.createPreview({ subscription: joined.subscription.id })
    expect(shown).toMatchObject({ id: expect.stringMatching(/^upcoming_in_/), status: 'draft', amount_due: expected })
    await world.advanceDays(32)
    const [renewal] = (await world.stripe.invoices.list({ subscription: joined.subscription.id })).data
    taken.push(renewal?.amount_paid ?? 0)
    expect(renewal?.lines.data.map(({ amount, period }) => [amount, period])).toEqual(
      shown.lines.data.map(({ amount, period }) => [amount, period]),
    )
  }
  expect(taken).toEqual(due)
})

test('a preview saves nothing, sends nothing and can be had for a booked change, by its schedule', async () => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { subscription } = await subscribeAndPay(world, catalogue)
  const schedule = await world.stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  const [current] = schedule.phases
  const kept = {
    items: [{ price: catalogue.price.id }],
    default_tax_rates: [catalogue.vat.id],
    start_date: current?.start_date ?? 0,
    end_date: current?.end_date ?? 0,
  }
  const next = {
    items: [{ price: catalogue.dearer.id }],
    default_tax_rates: [catalogue.vat.id],
    proration_behavior: 'none' as const,
  }
  await world.sandbox.settle()
  const [sent, before] = [world.events.length, await world.stripe.subscriptions.retrieve(subscription.id)]
  const asked = { schedule: schedule.id, schedule_details: { phases: [kept, next] } }
  expect((await world.stripe.invoices.createPreview(asked)).amount_due).toBe(96_000)
  expect((await world.stripe.invoices.createPreview({ schedule: schedule.id })).amount_due).toBe(54_000)
  await world.sandbox.settle()
  expect([world.events.length, await world.stripe.subscriptions.retrieve(subscription.id)]).toEqual([sent, before])
  await world.stripe.subscriptionSchedules.update(schedule.id, { phases: [kept, next] })
  expect((await world.stripe.invoices.createPreview({ schedule: schedule.id })).amount_due).toBe(96_000)
})

test('a schedule that has not begun previews the first invoice of its subscription, as it then takes it', async () => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { customer } = await subscribeAndPay(world, catalogue)
  const { id, phases } = await world.stripe.subscriptionSchedules.create({
    customer: customer.id,
    start_date: Math.floor(Date.parse('2027-02-10T10:00:00Z') / 1000),
    phases: [{ items: [{ price: catalogue.dearer.id }], default_tax_rates: [catalogue.vat.id] }],
  })
  await world.sandbox.settle()
  const sent = world.events.length
  const shown = await world.stripe.invoices.createPreview({ schedule: id })
  expect([shown.status, shown.amount_due, shown.lines.data[0]?.period.start]).toEqual([
    'draft',
    96_000,
    phases[0]?.start_date,
  ])
  await world.sandbox.settle()
  expect([world.events.length, (await world.stripe.subscriptionSchedules.retrieve(id)).status]).toEqual([
    sent,
    'not_started',
  ])
  await world.advanceDays(11)
  const { subscription } = await world.stripe.subscriptionSchedules.retrieve(id)
  const [taken] = (await world.stripe.invoices.list({ subscription: String(subscription) })).data
  expect(taken?.total).toBe(shown.total)
})

test('a preview has its first ten lines, and the rest can be listed by its id', async () => {
  const world = await createWorld()
  const { subscription, customer } = await subscribeAndPay(world, await createCatalogue(world))
  for (let amount = 1; amount <= 11; amount += 1) {
    await world.stripe.invoiceItems.create({ customer: customer.id, amount, currency: 'gbp' })
  }
  const { id = '', lines } = await world.stripe.invoices.createPreview({ subscription: subscription.id })
  expect(lines).toMatchObject({ has_more: true, url: `/v1/invoices/${id}/lines`, data: { length: 10 } })
  const listed = await world.stripe.invoices.listLineItems(id, { limit: 100 })
  expect(listed).toMatchObject({ has_more: false, url: lines.url, data: { length: 12 } })
  expect(listed.data.slice(0, 10)).toEqual(lines.data)
})

test('what ends has no next invoice; with the cancellation taken back it has', async () => {
  const world = await createWorld()
  const { subscription } = await subscribeAndPay(world, await createCatalogue(world))
  await world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  await expect(world.stripe.invoices.createPreview({ subscription: subscription.id })).rejects.toMatchObject({
    statusCode: 404,
    code: 'invoice_upcoming_none',
  })
  const resumed = { subscription: subscription.id, subscription_details: { cancel_at_period_end: false } }
  expect((await world.stripe.invoices.createPreview(resumed)).amount_due).toBe(54_000)
})

test('a trial’s first invoice, and a free one by a coupon that nobody has redeemed', async () => {
  const world = await createWorld()
  const { subscription } = await subscribeAndPay(world, await createCatalogue(world))
  const end = Math.floor(Date.parse('2027-05-01T09:00:00Z') / 1000)
  await world.stripe.subscriptions.update(subscription.id, { trial_end: end, proration_behavior: 'none' })
  const shown = await world.stripe.invoices.createPreview({ subscription: subscription.id })
  expect([shown.amount_due, shown.lines.data[0]?.period.start]).toEqual([54_000, end])
  const free = await coupon(world, { percent_off: 100, duration: 'once' })
  const asked = { subscription: subscription.id, discounts: [{ coupon: free }] }
  expect((await world.stripe.invoices.createPreview(asked)).amount_due).toBe(0)
  expect((await world.stripe.coupons.retrieve(free)).times_redeemed).toBe(0)
})
