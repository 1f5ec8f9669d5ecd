import { expect, test } from 'vitest'
import { createCatalogue, createWorld, invoiceOf, joinAndPay } from '#api/sandbox/testing/world.ts'

const secondsPerDay = 86_400

async function start(payment_method: 'pm_card_visa' | null = 'pm_card_visa') {
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

test('a schedule begins its subscription at once and takes it through two phases', async () => {
  const { world, stripe, catalogue, customer, phases } = await start()
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

test('one that begins later waits, can be changed, and begins without a card too', async () => {
  const { world, stripe, customer, now, phases } = await start(null)
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
] as const)('%s of one that waits leaves nothing behind', async (call, status) => {
  const { world, stripe, customer, now, phases } = await start()
  const { id } = await stripe.subscriptionSchedules.create({ customer, start_date: now + secondsPerDay, phases })
  expect((await stripe.subscriptionSchedules[call](id)).status).toBe(status)
  await world.advanceDays(3)
  expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([])
})

test('its customer may go before it begins', async () => {
  const { world, stripe, customer, now, phases } = await start()
  const { id } = await stripe.subscriptionSchedules.create({ customer, start_date: now + secondsPerDay, phases })
  await stripe.customers.del(customer)
  await world.advanceDays(3)
  expect((await stripe.subscriptionSchedules.retrieve(id)).status).toBe('canceled')
})

test('between two periods nothing is prorated, so nothing has to be said of it; within one it is refused', async () => {
  const { world, stripe, catalogue } = await start()
  const { subscription } = await joinAndPay(world, catalogue)
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

test('what does not go together is refused', async () => {
  const { stripe, customer, now, phases } = await start()
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
