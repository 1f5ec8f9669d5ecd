import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import {
  type Catalogue,
  createCatalogue,
  createWorld,
  invoiceOf,
  subscribeAndPay,
  typesOf,
  type World,
} from '#api/sandbox/testing/world.ts'

const expand = ['latest_invoice.confirmation_secret']

/** A subscription for £450.00 whose first 28 days began 14 days ago. */
async function halfway(
  card?: string,
): Promise<{ world: World; catalogue: Catalogue; subscription: Stripe.Subscription }> {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { subscription } = await subscribeAndPay(world, catalogue, card)
  await world.advanceDays(14)
  await world.sandbox.settle()
  world.events.length = 0
  return { world, catalogue, subscription: await world.stripe.subscriptions.retrieve(subscription.id) }
}

const itemsWith = ({ items }: Stripe.Subscription, price: Stripe.Price) => [
  { id: items.data[0]?.id ?? '', price: price.id },
]

const now = ({ clock }: World) => Math.floor(clock.now().getTime() / 1000)

function preview(world: World, subscription: Stripe.Subscription, price: Stripe.Price): Promise<Stripe.Invoice> {
  return world.stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: {
      items: itemsWith(subscription, price),
      proration_behavior: 'always_invoice',
      proration_date: now(world),
    },
  })
}

function upgrade(world: World, subscription: Stripe.Subscription, price: Stripe.Price): Promise<Stripe.Subscription> {
  return world.stripe.subscriptions.update(subscription.id, {
    items: itemsWith(subscription, price),
    payment_behavior: 'pending_if_incomplete',
    proration_behavior: 'always_invoice',
    proration_date: now(world),
    expand,
  })
}

const amountsOf = ({ lines }: Stripe.Invoice) =>
  lines.data.map(({ amount, taxes, description }) => [description, amount, taxes?.[0]?.amount])

test('a preview says to the penny what an upgrade invoices, and changes nothing', async () => {
  const { world, catalogue, subscription } = await halfway()
  const shown = await preview(world, subscription, catalogue.dearer)
  expect(amountsOf(shown)).toEqual([
    ['Unused time on XL after 14 Feb 2027', -22_500, -4_500],
    ['Remaining time on XL after 14 Feb 2027', 40_000, 8_000],
  ])
  expect(shown).toMatchObject({ total: 21_000, total_excluding_tax: 17_500, billing_reason: 'subscription_update' })
  expect((await world.stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(1)
  expect(await world.stripe.subscriptions.retrieve(subscription.id)).toEqual(subscription)

  const invoice = invoiceOf(await upgrade(world, subscription, catalogue.dearer))
  expect(amountsOf(invoice)).toEqual(amountsOf(shown))
  expect(invoice).toMatchObject({ status: 'paid', total: shown.total, amount_paid: shown.total })
})

test('a preview without proration is the next renewal at the new price', { tags: ['full'] }, async () => {
  const { world, catalogue, subscription } = await halfway()
  const renewal = await world.stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: { items: itemsWith(subscription, catalogue.dearer), proration_behavior: 'none' },
  })
  expect(renewal).toMatchObject({ total: 96_000, total_excluding_tax: 80_000, billing_reason: 'upcoming' })
  expect(renewal.lines.data[0]?.period.start).toBe(subscription.items.data[0]?.current_period_end)
})

test('a paid upgrade applies at once, keeps its period, and is renewed at the new price', async () => {
  const { world, catalogue, subscription } = await halfway()
  const upgraded = await upgrade(world, subscription, catalogue.dearer)
  expect(upgraded).toMatchObject({ status: 'active', pending_update: null })
  const [item] = upgraded.items.data
  expect(item).toMatchObject({ price: { id: catalogue.dearer.id } })
  expect(item?.current_period_end).toBe(subscription.items.data[0]?.current_period_end)
  const period = invoiceOf(upgraded).lines.data.map((line) => line.period)
  expect(period).toEqual(Array(2).fill({ start: now(world), end: item?.current_period_end }))
  const parents = invoiceOf(upgraded).lines.data.map(({ parent }) => parent?.subscription_item_details?.proration)
  expect(parents).toEqual([true, true])
  await world.advanceDays(14)
  const renewed = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  expect(invoiceOf(renewed)).toMatchObject({ billing_reason: 'subscription_cycle', status: 'paid', total: 96_000 })
})

test('a second upgrade in a period credits what the first one charged', async () => {
  const { world, catalogue, subscription } = await halfway()
  const upgraded = await upgrade(world, subscription, catalogue.dearer)
  const first = invoiceOf(upgraded)
  await world.advanceDays(7)
  const dearest = await world.stripe.prices.create({
    currency: 'gbp',
    product: String(catalogue.price.product),
    recurring: { interval: 'month' },
    unit_amount: 100_000,
  })
  const second = await preview(world, upgraded, dearest)
  expect(second.lines.data.map(({ amount }) => amount)).toEqual([-20_000, 25_000])
  expect(second.lines.data[0]?.parent?.subscription_item_details?.proration_details).toEqual({
    credited_items: { invoice: first.id, invoice_line_items: [first.lines.data[1]?.id] },
  })
})

test('prorated amounts are net of recurring discounts, and rounded half up on each line', async () => {
  const { world, catalogue, subscription } = await halfway()
  const coupon = await world.stripe.coupons.create({ percent_off: 33.33, duration: 'forever' })
  await world.stripe.subscriptions.update(subscription.id, { discounts: [{ coupon: coupon.id }] })
  await world.advanceDays(1)
  const shown = await preview(world, subscription, catalogue.dearer)
  // 45000 × 13 ÷ 28 was billed without the discount. (80000 − 26664) × 13 ÷ 28 includes it.
  expect(amountsOf(shown).map(([, amount, tax]) => [amount, tax])).toEqual([
    [-20_893, -4_179],
    [24_763, 4_953],
  ])
})

test('a declined upgrade waits as a pending update; voiding its invoice ends that, and nothing else has changed', async () => {
  const { world, catalogue, subscription } = await halfway('pm_card_chargeCustomerFail')
  const refused = await upgrade(world, subscription, catalogue.dearer)
  const invoice = invoiceOf(refused)
  expect(invoice).toMatchObject({ status: 'open', attempt_count: 1, auto_advance: false })
  expect(refused).toMatchObject({
    status: 'active',
    items: { data: [{ price: { id: catalogue.price.id } }] },
    pending_update: {
      expires_at: now(world) + 23 * 3600,
      subscription_items: [{ price: { id: catalogue.dearer.id } }],
    },
  })
  await world.stripe.invoices.voidInvoice(invoice.id)
  const after = await world.stripe.subscriptions.retrieve(subscription.id)
  expect({ ...after, latest_invoice: null }).toEqual({ ...subscription, latest_invoice: null })
  await world.advanceDays(20)
  expect((await world.stripe.subscriptions.retrieve(subscription.id)).status).toBe('past_due')
})

test('an upgrade that the bank asks about applies once it is confirmed', async () => {
  const { world, catalogue, subscription } = await halfway()
  const card = await world.stripe.paymentMethods.attach('pm_card_authenticationRequired', {
    customer: String(subscription.customer),
  })
  await world.stripe.subscriptions.update(subscription.id, { default_payment_method: card.id })
  const waiting = await upgrade(world, subscription, catalogue.dearer)
  expect(waiting.pending_update).not.toBeNull()
  const secret = invoiceOf(waiting).confirmation_secret?.client_secret ?? ''
  const intent = await world.stripe.paymentIntents.retrieve(secret.split('_secret_')[0] ?? '')
  expect(intent.status).toBe('requires_action')
  await fetch(`${world.sandbox.url}/3ds/${intent.id}/complete`, { method: 'POST' })
  await world.sandbox.settle()
  const after = await world.stripe.subscriptions.retrieve(subscription.id)
  expect(after).toMatchObject({ pending_update: null, items: { data: [{ price: { id: catalogue.dearer.id } }] } })
  expect(typesOf(world.events)).toContain('customer.subscription.pending_update_applied')
})

test('a pending update expires after 23 hours, at the latest with its period', async () => {
  const { world, catalogue, subscription } = await halfway('pm_card_chargeCustomerFail')
  const refused = await upgrade(world, subscription, catalogue.dearer)
  await world.advanceDays(1)
  expect((await world.stripe.invoices.retrieve(invoiceOf(refused).id)).status).toBe('void')
  expect((await world.stripe.subscriptions.retrieve(subscription.id)).pending_update).toBeNull()
  expect(typesOf(world.events)).toContain('customer.subscription.pending_update_expired')
  await world.advanceDays(12.5)
  const late = await upgrade(world, subscription, catalogue.dearer)
  expect(late.pending_update?.expires_at).toBe(subscription.items.data[0]?.current_period_end)
  await world.advanceDays(1)
  const renewal = await world.stripe.invoices.list({ subscription: subscription.id, limit: 1 })
  expect(renewal.data[0]).toMatchObject({ billing_reason: 'subscription_cycle', total: 54_000 })
})

test('cancelling voids what an upgrade left unpaid', async () => {
  const { world, catalogue, subscription } = await halfway('pm_card_chargeCustomerFail')
  const refused = await upgrade(world, subscription, catalogue.dearer)
  await world.stripe.subscriptions.cancel(subscription.id)
  expect((await world.stripe.invoices.retrieve(invoiceOf(refused).id)).status).toBe('void')
  expect((await world.stripe.subscriptions.retrieve(subscription.id)).pending_update).toBeNull()
})

test('what a pending update cannot carry is rejected', async () => {
  const { world, catalogue, subscription } = await halfway()
  const { id } = subscription
  const items = itemsWith(subscription, catalogue.dearer)
  const pending = { items, payment_behavior: 'pending_if_incomplete', proration_behavior: 'always_invoice' } as const
  const { subscriptions } = world.stripe
  await expect(subscriptions.update(id, { ...pending, metadata: { tier: 'xl' } })).rejects.toMatchObject({
    param: 'metadata',
  })
  await expect(subscriptions.update(id, { ...pending, proration_behavior: 'create_prorations' })).rejects.toMatchObject(
    { param: 'proration_behavior' },
  )
  await expect(subscriptions.update(id, { ...pending, payment_behavior: 'error_if_incomplete' })).rejects.toMatchObject(
    { param: 'payment_behavior' },
  )
  await expect(subscriptions.update(id, { items, proration_date: 1 })).rejects.toMatchObject({
    param: 'proration_date',
  })
  await expect(subscriptions.update(id, { ...pending, proration_date: 1 })).rejects.toMatchObject({
    param: 'proration_date',
  })
})
