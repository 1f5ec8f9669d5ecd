// @module-tag full
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import {
  createCatalogue,
  createWorld,
  invoiceOf,
  subscribeAndPay,
  typesOf,
  type World,
} from '#api/sandbox/testing/world.ts'

function day(date: string): number {
  return Date.parse(`${date}T10:00:00Z`) / 1000
}

async function startFromSubscription(card?: string) {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { subscription, customer } = await subscribeAndPay(world, catalogue, card)
  const schedule = await world.stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  const change = (more: Stripe.SubscriptionScheduleUpdateParams = {}) => {
    const [current] = schedule.phases
    const items = [{ price: catalogue.price.id, quantity: 1 }]
    const default_tax_rates = [catalogue.vat.id]
    return world.stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      phases: [
        { items, default_tax_rates, start_date: current?.start_date ?? 0, end_date: current?.end_date ?? 0 },
        {
          items: [{ price: catalogue.dearer.id, quantity: 1 }],
          default_tax_rates,
          proration_behavior: 'none',
          duration: { interval: 'month', interval_count: 1 },
          metadata: { tier: 'xxl' },
        },
      ],
      ...more,
    })
  }
  return { world, catalogue, subscription, customer, schedule, change }
}

function read(world: World, id: string) {
  return world.stripe.subscriptions.retrieve(id)
}

test('a schedule created from a subscription leaves it unchanged', async () => {
  const { world, subscription, customer, schedule, catalogue } = await startFromSubscription()
  expect(schedule).toMatchObject({
    status: 'active',
    customer: customer.id,
    subscription: subscription.id,
    end_behavior: 'release',
    current_phase: { start_date: day('2027-01-31'), end_date: day('2027-02-28') },
  })
  expect(schedule.phases).toMatchObject([
    {
      items: [{ price: catalogue.price.id, quantity: 1 }],
      start_date: day('2027-01-31'),
      end_date: day('2027-02-28'),
    },
  ])
  expect((await read(world, subscription.id)).schedule).toBe(schedule.id)
  await expect(world.stripe.subscriptionSchedules.create({ from_subscription: subscription.id })).rejects.toMatchObject(
    { param: 'from_subscription' },
  )
  const { data } = await world.stripe.subscriptionSchedules.list({ customer: customer.id })
  expect(data.map(({ id }) => id)).toEqual([schedule.id])
  expect((await world.stripe.subscriptionSchedules.list({ released_at: { gt: 0 } })).data).toEqual([])
})

test('after two phases the renewal has the new price and the subscription is released', async () => {
  const { world, subscription, schedule, change, catalogue } = await startFromSubscription()
  const changed = await change()
  expect(changed.phases.map(({ start_date, end_date }) => [start_date, end_date])).toEqual([
    [day('2027-01-31'), day('2027-02-28')],
    [day('2027-02-28'), day('2027-03-28')],
  ])
  expect((await read(world, subscription.id)).items.data[0]?.price.id).toBe(catalogue.price.id)
  await world.advanceDays(28)
  const second = await read(world, subscription.id)
  expect(second.items.data[0]).toMatchObject({
    price: { id: catalogue.dearer.id },
    current_period_start: day('2027-02-28'),
    current_period_end: day('2027-03-31'),
  })
  expect(second.metadata).toMatchObject({ tier: 'xxl' })
  const invoices = await world.stripe.invoices.list({ subscription: subscription.id })
  expect(invoices.data.map(({ total, status, lines }) => [total, status, lines.data.length])).toEqual([
    [96_000, 'paid', 1],
    [54_000, 'paid', 1],
  ])
  await world.advanceDays(31)
  expect((await read(world, subscription.id)).schedule).toBeNull()
  expect(await world.stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({
    status: 'released',
    released_at: day('2027-03-28'),
    released_subscription: subscription.id,
    subscription: null,
    current_phase: null,
  })
  const types = typesOf(world.events).filter((type) => type.startsWith('subscription_schedule.'))
  expect(types).toEqual([
    'subscription_schedule.created',
    'subscription_schedule.updated',
    'subscription_schedule.updated',
    'subscription_schedule.released',
  ])
})

test('a schedule released before its second phase changes nothing', async () => {
  const { world, subscription, schedule, change } = await startFromSubscription()
  await change()
  const released = await world.stripe.subscriptionSchedules.release(schedule.id)
  expect(released).toMatchObject({ status: 'released', released_subscription: subscription.id })
  await world.advanceDays(28)
  const [renewal] = (await world.stripe.invoices.list({ subscription: subscription.id })).data
  expect(renewal).toMatchObject({ total: 54_000, status: 'paid' })
  await expect(change()).rejects.toThrow('currently in the `released` status')
})

test('cancelling the subscription cancels its schedule, and the other way round', async () => {
  const { world, subscription, schedule, change } = await startFromSubscription()
  await change()
  await world.stripe.subscriptions.cancel(subscription.id)
  expect((await world.stripe.subscriptionSchedules.retrieve(schedule.id)).status).toBe('canceled')
  const other = await startFromSubscription()
  await other.world.stripe.subscriptionSchedules.cancel(other.schedule.id, { prorate: false })
  expect((await read(other.world, other.subscription.id)).status).toBe('canceled')
  await other.world.sandbox.settle()
  expect(typesOf(other.world.events)).toContain('subscription_schedule.canceled')
})

test('a schedule that ends by cancelling completes', async () => {
  const { world, subscription, schedule, change } = await startFromSubscription()
  await change({ end_behavior: 'cancel' })
  expect((await read(world, subscription.id)).cancel_at).toBe(day('2027-03-28'))
  await world.advanceDays(60)
  expect(await read(world, subscription.id)).toMatchObject({ status: 'canceled', ended_at: day('2027-03-28') })
  expect(await world.stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({
    status: 'completed',
    completed_at: day('2027-03-28'),
  })
  expect(typesOf(world.events)).toContain('subscription_schedule.completed')
})

test('a planned cancellation is taken into the schedule, and out of it again', async () => {
  const world = await createWorld()
  const { subscription } = await subscribeAndPay(world, await createCatalogue(world))
  const { subscriptionSchedules, subscriptions } = world.stripe
  await subscriptions.update(subscription.id, { cancel_at_period_end: true })
  const schedule = await subscriptionSchedules.create({ from_subscription: subscription.id })
  expect(schedule.end_behavior).toBe('cancel')
  await subscriptionSchedules.update(schedule.id, { end_behavior: 'release' })
  const back = { cancel_at: null, cancel_at_period_end: false, canceled_at: null }
  expect(await read(world, subscription.id)).toMatchObject(back)
  await subscriptionSchedules.update(schedule.id, { end_behavior: 'cancel' })
  expect((await read(world, subscription.id)).cancel_at).toBe(day('2027-02-28'))
  await subscriptionSchedules.release(schedule.id, { preserve_cancel_date: true })
  expect(await read(world, subscription.id)).toMatchObject({ schedule: null, cancel_at: day('2027-02-28') })
  await world.advanceDays(29)
  expect((await read(world, subscription.id)).status).toBe('canceled')
})

test('a subscription with a schedule rejects only changes that the schedule manages', async () => {
  const { world, subscription, schedule, customer, change } = await startFromSubscription()
  await change()
  for (const refused of [{ cancel_at_period_end: true }, { cancel_at: day('2027-02-10') }]) {
    await expect(world.stripe.subscriptions.update(subscription.id, refused)).rejects.toThrow(
      `managed by the subscription schedule \`${schedule.id}\`, and updating any cancelation behavior directly`,
    )
  }
  const card = await world.stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id })
  await world.stripe.subscriptions.update(subscription.id, { default_payment_method: card.id })
  await world.advanceDays(28)
  expect((await read(world, subscription.id)).default_payment_method).toBe(card.id)
})

test('phases that do not fit together are rejected', async () => {
  const { world, schedule, catalogue, change } = await startFromSubscription()
  const [current] = schedule.phases
  const first = {
    items: [{ price: catalogue.price.id }],
    start_date: current?.start_date ?? 0,
    end_date: current?.end_date ?? 0,
  }
  const dearer = { items: [{ price: catalogue.dearer.id }] }
  const refuse = (phases: Stripe.SubscriptionScheduleUpdateParams.Phase[], param: string) =>
    expect(change({ phases })).rejects.toMatchObject({ param, statusCode: 400 })
  await refuse([{ ...first, start_date: first.start_date + 1 }], 'phases[0][start_date]')
  await refuse([dearer], 'phases[0][start_date]')
  await refuse([{ ...first, end_date: first.start_date }], 'phases[0][end_date]')
  await refuse([first, { ...dearer, start_date: first.end_date + 1 }], 'phases[1][start_date]')
  await refuse([{ ...first, end_date: first.end_date - 1 }, dearer], 'proration_behavior')
  await refuse([{ ...first, items: dearer.items }], 'proration_behavior')
  const now = await change({ phases: [{ ...first, items: dearer.items }], proration_behavior: 'none' })
  expect(now.phases).toHaveLength(1)
  const subscription = await read(world, String(schedule.subscription))
  expect(subscription.items.data[0]?.price.id).toBe(catalogue.dearer.id)
})

const secondsPerDay = 86_400

async function startWithCustomer(payment_method: 'pm_card_visa' | null = 'pm_card_visa') {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const card = payment_method ? { payment_method, invoice_settings: { default_payment_method: payment_method } } : {}
  const customer = await world.stripe.customers.create(card)
  const now = Math.floor(world.clock.now().getTime() / 1000)
  const phases = [
    { items: [{ price: catalogue.price.id }], default_tax_rates: [catalogue.vat.id] },
    { items: [{ price: catalogue.dearer.id }], default_tax_rates: [catalogue.vat.id] },
  ]
  return { world, stripe: world.stripe, catalogue, customer: customer.id, now, phases }
}

test('a schedule starts its subscription at once and takes it through two phases', async () => {
  const { world, stripe, catalogue, customer, phases } = await startWithCustomer()
  const schedule = await stripe.subscriptionSchedules.create({
    customer,
    start_date: 'now',
    end_behavior: 'cancel',
    phases,
    expand: ['subscription.latest_invoice'],
  })
  expect(schedule).toMatchObject({
    status: 'active',
    subscription: { status: 'active', schedule: schedule.id, latest_invoice: { total: 54_000, status: 'paid' } },
  })
  await world.advanceDays(30)
  const id = typeof schedule.subscription === 'object' ? (schedule.subscription?.id ?? '') : ''
  const second = await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
  expect(second.items.data[0]?.price.id).toBe(catalogue.dearer.id)
  expect(invoiceOf(second)).toMatchObject({ total: 96_000, status: 'paid' })
  await world.advanceDays(31)
  expect((await stripe.subscriptionSchedules.retrieve(schedule.id)).status).toBe('completed')
  expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled')
})

test('a schedule with a later start can be changed before, and starts without a card too', async () => {
  const { world, stripe, customer, now, phases } = await startWithCustomer(null)
  const later = { customer, start_date: now + 5 * secondsPerDay, phases: phases.slice(0, 1) }
  const schedule = await stripe.subscriptionSchedules.create(later)
  expect(schedule).toMatchObject({ status: 'not_started', subscription: null, current_phase: null })
  expect((await stripe.subscriptionSchedules.list({ customer, scheduled: true })).data).toHaveLength(1)
  const changed = await stripe.subscriptionSchedules.update(schedule.id, { phases: phases.slice(1) })
  expect(changed.phases[0]?.start_date).toBe(now + 5 * secondsPerDay)
  await world.advanceDays(5.5)
  const begun = await stripe.subscriptionSchedules.retrieve(schedule.id, { expand: ['subscription'] })
  expect(begun).toMatchObject({ status: 'active', subscription: { status: 'incomplete' } })
})

test.each([
  ['cancel', 'canceled'],
  ['release', 'released'],
] as const)('%s of a schedule that has not started leaves nothing behind', async (call, status) => {
  const { world, stripe, customer, now, phases } = await startWithCustomer()
  const { id } = await stripe.subscriptionSchedules.create({ customer, start_date: now + secondsPerDay, phases })
  expect((await stripe.subscriptionSchedules[call](id)).status).toBe(status)
  await world.advanceDays(3)
  expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([])
})

test('a schedule whose customer was deleted is cancelled at its start', async () => {
  const { world, stripe, customer, now, phases } = await startWithCustomer()
  const { id } = await stripe.subscriptionSchedules.create({ customer, start_date: now + secondsPerDay, phases })
  await stripe.customers.del(customer)
  await world.advanceDays(3)
  expect((await stripe.subscriptionSchedules.retrieve(id)).status).toBe('canceled')
})

test('a phase that starts with a period needs no proration_behavior, within a period it must be none', async () => {
  const { world, stripe, catalogue } = await startWithCustomer()
  const { subscription } = await subscribeAndPay(world, catalogue)
  const { id, phases } = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  const [first] = phases
  const { start_date = 0, end_date = 0 } = first ?? {}
  const items = [{ price: catalogue.price.id }]
  const then = { items: [{ price: catalogue.dearer.id }] }
  const updated = await stripe.subscriptionSchedules.update(id, { phases: [{ items, start_date, end_date }, then] })
  expect(updated.phases).toHaveLength(2)
  const early = [{ items, start_date, end_date: end_date - secondsPerDay }, then]
  await expect(stripe.subscriptionSchedules.update(id, { phases: early })).rejects.toMatchObject({
    param: 'proration_behavior',
  })
})

test('schedule parameters that exclude each other are rejected', async () => {
  const { stripe, customer, now, phases } = await startWithCustomer()
  const make = (params: Parameters<typeof stripe.subscriptionSchedules.create>[0]) =>
    stripe.subscriptionSchedules.create(params)
  await expect(make({ customer, phases })).rejects.toMatchObject({ code: 'parameter_missing', param: 'start_date' })
  await expect(make({ start_date: 'now', phases })).rejects.toMatchObject({ param: 'customer' })
  await expect(make({ customer, start_date: 'now' })).rejects.toMatchObject({ param: 'phases' })
  await expect(make({ customer, start_date: now - secondsPerDay, phases })).rejects.toMatchObject({
    param: 'start_date',
  })
  const once = await stripe.prices.create({ currency: 'gbp', unit_amount: 1, product_data: { name: 'Once' } })
  const single = make({ customer, start_date: 'now', phases: [{ items: [{ price: once.id }] }] })
  await expect(single).rejects.toMatchObject({ param: 'phases[0][items][0][price]' })
  await expect(make({ from_subscription: 'sub_x', customer })).rejects.toMatchObject({ param: 'customer' })
})
