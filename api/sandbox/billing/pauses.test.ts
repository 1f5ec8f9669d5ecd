import { expect, test } from 'vitest'
import { createCatalogue, createWorld, subscribeAndPay, typesOf } from '#api/sandbox/testing/world.ts'

/** Half of a period of 28 days, from 31 January at 10:00. */
const half = 14

test('a pause makes no invoices, credits unused time on the resumption’s, and moves the anchor', async () => {
  const world = await createWorld()
  const { subscription } = await subscribeAndPay(world, await createCatalogue(world))
  await world.advanceDays(half)
  const paused = await world.stripe.subscriptions.pause(subscription.id)
  expect(paused).toMatchObject({
    status: 'paused',
    status_details: { paused: { type: 'subscription', subscription: { type: 'pause_requested' } } },
  })
  const { data: pending } = await world.stripe.invoiceItems.list({ pending: true })
  expect(pending).toMatchObject([{ amount: -22_500, proration: true, period: { end: 1_803_808_800 } }])
  await world.advanceDays(60)
  expect((await world.stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(1)
  await expect(world.stripe.invoices.createPreview({ subscription: subscription.id })).rejects.toMatchObject({
    code: 'invoice_upcoming_none',
  })
  const asked = { subscription: subscription.id, subscription_details: { resume_at: 'now' as const } }
  expect((await world.stripe.invoices.createPreview(asked)).amount_due).toBe(27_000)
  const resumed = await world.stripe.subscriptions.resume(subscription.id)
  expect(resumed.status).toBe('active')
  expect(resumed.billing_cycle_anchor).toBe(Math.floor(world.clock.now().getTime() / 1000))
  const [invoice] = (await world.stripe.invoices.list({ subscription: subscription.id })).data
  expect(invoice).toMatchObject({ status: 'paid', amount_paid: 27_000, total: 27_000 })
  await world.sandbox.settle()
  expect(typesOf(world.events).filter((type) => /paused|resumed/.test(type))).toEqual([
    'customer.subscription.paused',
    'customer.subscription.resumed',
  ])
})

test.each([
  ['none', []],
  ['item_current_period_start', [-45_000]],
] as const)('unused time from %s: %o', async (type, credits) => {
  const world = await createWorld()
  const { subscription } = await subscribeAndPay(world, await createCatalogue(world))
  await world.advanceDays(half)
  await world.stripe.subscriptions.pause(subscription.id, { bill_for: { unused_time_from: { type } } })
  expect((await world.stripe.invoiceItems.list({ pending: true })).data.map(({ amount }) => amount)).toEqual(credits)
})

test('a resumption that isn’t paid is void after 23 hours, and the pause goes on', async () => {
  const world = await createWorld()
  const { subscription } = await subscribeAndPay(world, await createCatalogue(world), 'pm_card_chargeCustomerFail')
  await world.stripe.subscriptions.pause(subscription.id, { bill_for: { unused_time_from: { type: 'none' } } })
  await world.stripe.subscriptions.resume(subscription.id, { payment_behavior: 'resume_on_payment_success' })
  await world.advanceDays(1)
  const [invoice] = (await world.stripe.invoices.list({ subscription: subscription.id })).data
  expect([invoice?.status, (await world.stripe.subscriptions.retrieve(subscription.id)).status]).toEqual([
    'void',
    'paused',
  ])
})

test('no pause with a schedule, with collection paused, or twice', async () => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const [one, other] = [await subscribeAndPay(world, catalogue), await subscribeAndPay(world, catalogue)]
  await world.stripe.subscriptionSchedules.create({ from_subscription: one.subscription.id })
  await expect(world.stripe.subscriptions.pause(one.subscription.id)).rejects.toThrow(/schedule/)
  await world.stripe.subscriptions.update(other.subscription.id, { pause_collection: { behavior: 'void' } })
  await expect(world.stripe.subscriptions.pause(other.subscription.id)).rejects.toThrow(/collection/)
  await world.stripe.subscriptions.update(other.subscription.id, { pause_collection: '' })
  await world.stripe.subscriptions.pause(other.subscription.id)
  await expect(world.stripe.subscriptions.pause(other.subscription.id)).rejects.toThrow(/paused/)
})
