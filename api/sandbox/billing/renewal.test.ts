// @module-tag full
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

async function statusOf(world: World, id: string): Promise<string> {
  return (await world.stripe.subscriptions.retrieve(id)).status
}

test('renewals follow the anchor: 31 January, 28 February, 31 March', async () => {
  const world = await createWorld()
  const { subscription, customer } = await subscribeAndPay(world, await createCatalogue(world))
  await world.sandbox.advance(new Date('2027-04-01T00:00:00Z'))
  const invoices = await world.stripe.invoices.list({ customer: customer.id })
  expect(invoices.data.map(({ billing_reason, status, total }) => [billing_reason, status, total])).toEqual([
    ['subscription_cycle', 'paid', 54_000],
    ['subscription_cycle', 'paid', 54_000],
    ['subscription_create', 'paid', 54_000],
  ])
  expect(invoices.data.map(({ lines }) => lines.data[0]?.period)).toEqual([
    { start: day('2027-03-31'), end: day('2027-04-30') },
    { start: day('2027-02-28'), end: day('2027-03-31') },
    { start: day('2027-01-31'), end: day('2027-02-28') },
  ])
  expect(invoices.data.map(({ created }) => created)).toEqual([day('2027-03-31'), day('2027-02-28'), day('2027-01-31')])
  const now = await world.stripe.subscriptions.retrieve(subscription.id)
  expect(now.items.data[0]?.current_period_end).toBe(day('2027-04-30'))
  expect(world.clock.now().toISOString()).toBe('2027-04-01T00:00:00.000Z')
})

test('webhooks of each renewal arrive at its own billing time', async () => {
  const times: string[] = []
  const world = await createWorld()
  const { customer } = await subscribeAndPay(world, await createCatalogue(world))
  await world.sandbox.settle()
  const push = world.events.push.bind(world.events)
  world.events.push = (...events) => {
    for (const event of events) if (event.type === 'invoice.paid') times.push(world.clock.now().toISOString())
    return push(...events)
  }
  await world.sandbox.advance(new Date('2027-04-01T00:00:00Z'))
  expect(times).toEqual(['2027-02-28T10:00:00.000Z', '2027-03-31T10:00:00.000Z'])
  expect((await world.stripe.charges.list({ customer: customer.id })).data).toHaveLength(3)
})

test.each(['unpaid', 'canceled', 'past_due'])(
  'a failed renewal is retried on days 3, 7 and 14, then the subscription is %s',
  async (end) => {
    const world = await createWorld()
    await world.control('settings', { afterRetries: end })
    const { subscription, customer } = await subscribeAndPay(
      world,
      await createCatalogue(world),
      'pm_card_chargeCustomerFail',
    )
    await world.advanceDays(28)
    const failed = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
    expect(failed.status).toBe('past_due')
    expect(invoiceOf(failed)).toMatchObject({
      status: 'open',
      attempt_count: 1,
      attempted: true,
      next_payment_attempt: day('2027-03-03'),
    })
    expect(typesOf(world.events)).toContain('invoice.payment_failed')
    await world.advanceDays(13)
    expect(await statusOf(world, subscription.id)).toBe('past_due')
    expect((await world.stripe.invoices.retrieve(invoiceOf(failed).id)).attempt_count).toBe(3)
    await world.advanceDays(2)
    const over = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
    expect(over.status).toBe(end)
    expect(invoiceOf(over)).toMatchObject({ status: 'open', attempt_count: 4, next_payment_attempt: null })
    if (end === 'canceled') expect(over.cancellation_details?.reason).toBe('payment_failed')
    expect((await world.stripe.charges.list({ customer: customer.id })).data).toHaveLength(5)
  },
)

test('a new card pays a failed renewal at the next retry', async () => {
  const world = await createWorld()
  const { subscription, customer } = await subscribeAndPay(
    world,
    await createCatalogue(world),
    'pm_card_chargeCustomerFail',
  )
  await world.advanceDays(28)
  const card = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await world.stripe.subscriptions.update(subscription.id, { default_payment_method: card.id })
  await world.advanceDays(3)
  expect(await statusOf(world, subscription.id)).toBe('active')
})

test('while unpaid, renewals stay drafts, and paying the newest invoice makes it active again', async () => {
  const world = await createWorld()
  const { stripe } = world
  const { subscription, customer } = await subscribeAndPay(
    world,
    await createCatalogue(world),
    'pm_card_chargeCustomerFail',
  )
  await world.advanceDays(28 + 15)
  expect(await statusOf(world, subscription.id)).toBe('unpaid')
  await world.sandbox.advance(new Date('2027-04-05T00:00:00Z'))
  const [draft, open] = (await stripe.invoices.list({ subscription: subscription.id })).data
  expect([draft?.status, open?.status]).toEqual(['draft', 'open'])
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await expect(stripe.invoices.del(draft?.id ?? '')).rejects.toMatchObject({ statusCode: 400 })
  await stripe.invoices.finalizeInvoice(draft?.id ?? '', { auto_advance: false })
  await stripe.invoices.voidInvoice(open?.id ?? '')
  expect(await statusOf(world, subscription.id)).toBe('unpaid')
  const paid = await stripe.invoices.pay(draft?.id ?? '', { payment_method: card.id })
  expect(paid.status).toBe('paid')
  expect(await statusOf(world, subscription.id)).toBe('active')
})

test('a renewal requires 3-D Secure, unless the card was set up for it', async () => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { subscription, intent } = await subscribeAndPay(world, catalogue, 'pm_card_authenticationRequired')
  await fetch(`${world.sandbox.url}/3ds/${intent}/complete`, { method: 'POST' })
  const once = await subscribeAndPay(world, catalogue, 'pm_card_authenticationRequiredOnSetup')
  await fetch(`${world.sandbox.url}/3ds/${once.intent}/complete`, { method: 'POST' })
  expect(await statusOf(world, subscription.id)).toBe('active')
  await world.advanceDays(28)
  expect(await statusOf(world, once.subscription.id)).toBe('active')
  const late = await world.stripe.subscriptions.retrieve(subscription.id, {
    expand: ['latest_invoice.confirmation_secret'],
  })
  expect(late.status).toBe('past_due')
  expect(typesOf(world.events)).toContain('invoice.payment_action_required')
  const waiting = invoiceOf(late).confirmation_secret?.client_secret.split('_secret_')[0] ?? ''
  expect((await world.stripe.paymentIntents.retrieve(waiting)).status).toBe('requires_action')
  await fetch(`${world.sandbox.url}/3ds/${waiting}/complete`, { method: 'POST' })
  expect(await statusOf(world, subscription.id)).toBe('active')
})

test("a cancellation at the period's end can be undone", async () => {
  const world = await createWorld()
  const { subscription } = await subscribeAndPay(world, await createCatalogue(world))
  const ending = await world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  expect(ending).toMatchObject({ status: 'active', cancel_at_period_end: true, cancel_at: day('2027-02-28') })
  const back = await world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })
  expect(back).toMatchObject({ cancel_at: null, canceled_at: null })
  await world.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  await world.advanceDays(40)
  const ended = await world.stripe.subscriptions.retrieve(subscription.id)
  expect(ended).toMatchObject({ status: 'canceled', ended_at: day('2027-02-28') })
  expect((await world.stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(1)
  expect(typesOf(world.events)).toContain('customer.subscription.deleted')
  await expect(world.stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({ code: 'resource_missing' })
  await expect(world.stripe.subscriptions.update(subscription.id, { description: 'x' })).rejects.toMatchObject({
    code: 'invalid_canceled_subscription_fields',
  })
})

test('an immediate cancellation ends the subscription and stops collection', async () => {
  const world = await createWorld()
  const { subscription } = await subscribeAndPay(world, await createCatalogue(world), 'pm_card_chargeCustomerFail')
  await world.advanceDays(28)
  const canceled = await world.stripe.subscriptions.cancel(subscription.id, { expand: ['latest_invoice'] })
  expect(canceled.status).toBe('canceled')
  expect(invoiceOf(canceled)).toMatchObject({ status: 'open', auto_advance: false, next_payment_attempt: null })
  await world.advanceDays(60)
  expect((await world.stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(2)
})

test('while collection is paused renewals are voided, until it resumes', async () => {
  const world = await createWorld()
  const { subscription } = await subscribeAndPay(world, await createCatalogue(world))
  await world.stripe.subscriptions.update(subscription.id, {
    pause_collection: { behavior: 'void', resumes_at: day('2027-03-15') },
  })
  await world.sandbox.advance(new Date('2027-04-05T00:00:00Z'))
  const invoices = await world.stripe.invoices.list({ subscription: subscription.id })
  expect(invoices.data.map(({ status }) => status)).toEqual(['paid', 'void', 'paid'])
  const now = await world.stripe.subscriptions.retrieve(subscription.id)
  expect(now).toMatchObject({ status: 'active', pause_collection: null })
})

test('another price applies from the next period, without proration', async () => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { subscription } = await subscribeAndPay(world, catalogue)
  const items = [{ id: subscription.items.data[0]?.id ?? '', price: catalogue.dearer.id }]
  await world.stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'none' })
  await world.advanceDays(28)
  const renewed = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  expect(invoiceOf(renewed)).toMatchObject({ status: 'paid', total: 96_000 })
})

test('a renewal draft can wait for its finalization as at Stripe', async () => {
  const world = await createWorld()
  await world.control('settings', { draftMinutes: 60 })
  const { subscription } = await subscribeAndPay(world, await createCatalogue(world))
  await world.advanceDays(28)
  const draft = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  expect(draft.status).toBe('active')
  expect(invoiceOf(draft)).toMatchObject({ status: 'draft', number: null })
  await world.control('advance', { to: new Date((day('2027-02-28') + 3600) * 1000).toISOString() })
  expect((await world.stripe.invoices.retrieve(invoiceOf(draft).id)).status).toBe('paid')
})

test('a renewal is one updated event of its subscription, with the period and the invoice', async () => {
  const world = await createWorld()
  const { subscription } = await subscribeAndPay(world, await createCatalogue(world))
  await world.sandbox.settle()
  world.events.length = 0
  await world.advanceDays(31)
  const events = world.events.filter(({ type }) => type === 'customer.subscription.updated')
  expect(events).toHaveLength(1)
  expect(events[0]?.data.previous_attributes).toMatchObject({
    latest_invoice: invoiceOf(subscription).id,
    items: { data: [{ current_period_end: subscription.items.data[0]?.current_period_end }] },
  })
})
