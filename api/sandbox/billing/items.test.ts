import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { createCatalogue, createWorld, subscribeAndPay, type World } from '#api/sandbox/testing/world.ts'

/** Of £450.00 for 28 days, of which 14 are over, and a price of £40.00 to add. */
async function halfway(card?: string, mode: 'classic' | 'flexible' = 'flexible') {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const { customer, subscription } = await subscribeAndPay(world, catalogue, card)
  const product = (await world.stripe.products.create({ name: 'Texts' })).id
  const monthly = { currency: 'gbp', product, recurring: { interval: 'month' as const } }
  const addOn = (await world.stripe.prices.create({ ...monthly, unit_amount: 4_000 })).id
  const id = mode === 'flexible' ? subscription.id : await classic(world, customer.id, catalogue)
  await world.advanceDays(14)
  return { world, catalogue, customer: customer.id, id, addOn }
}

async function classic(
  { stripe }: World,
  customer: string,
  { price, vat }: { price: { id: string }; vat: { id: string } },
) {
  const [method] = (await stripe.paymentMethods.list({ customer })).data
  const { id } = await stripe.subscriptions.create({
    customer,
    items: [{ price: price.id }],
    default_tax_rates: [vat.id],
    default_payment_method: method?.id ?? '',
    billing_mode: { type: 'classic' },
  })
  return id
}

const amountsOf = ({ lines }: Stripe.Invoice) => lines.data.map(({ amount, description }) => [description, amount])

const pendingOf = async ({ stripe }: World, customer: string) =>
  (await stripe.invoiceItems.list({ customer, pending: true })).data.toReversed()

const newestOf = async ({ stripe }: World, subscription: string) =>
  (await stripe.invoices.list({ subscription, limit: 1 })).data[0]

const lastItem = ({ items }: Stripe.Subscription) => items.data.at(-1)?.id ?? ''

test('an item added is prorated with the next invoice, as that and its preview say to the penny', async () => {
  const { world, customer, id, addOn } = await halfway()
  const change = { items: [{ price: addOn }], proration_behavior: 'create_prorations' as const }
  const shown = await world.stripe.invoices.createPreview({ subscription: id, subscription_details: change })
  const expected = [
    ['Remaining time on Texts after 14 Feb 2027', 2_000],
    ['1 × XL (at £450.00 / month)', 45_000],
    ['1 × Texts (at £40.00 / month)', 4_000],
  ]
  expect([amountsOf(shown), shown.total]).toEqual([expected, 61_200])
  expect(await pendingOf(world, customer)).toEqual([])
  // Without a word it's prorated so.
  const changed = await world.stripe.subscriptions.update(id, { items: change.items })
  const [first, second] = changed.items.data
  expect(second).toMatchObject({ price: { id: addOn }, quantity: 1 })
  expect(second?.current_period_end).toBe(first?.current_period_end)
  expect(await pendingOf(world, customer)).toMatchObject([
    { amount: 2_000, proration: true, discountable: false, period: { end: first?.current_period_end } },
  ])
  expect((await world.stripe.invoices.list({ subscription: id })).data).toHaveLength(1)
  expect(amountsOf(await world.stripe.invoices.createPreview({ subscription: id }))).toEqual(expected)
  await world.advanceDays(14)
  const renewal = await newestOf(world, id)
  expect(renewal).toMatchObject({ status: 'paid', amount_paid: 61_200 })
  expect(renewal && amountsOf(renewal)).toEqual(expected)
  await world.advanceDays(31)
  expect(await newestOf(world, id)).toMatchObject({ amount_paid: 58_800 })
})

test.each(['flexible', 'classic'] as const)('taken away again, what’s left of it is credited: %s', async (mode) => {
  const { world, customer, id, addOn } = await halfway(undefined, mode)
  const added = await world.stripe.subscriptions.update(id, { items: [{ price: addOn }] })
  await world.advanceDays(7)
  const items = [{ id: lastItem(added), deleted: true }]
  expect((await world.stripe.subscriptions.update(id, { items })).items.data).toHaveLength(1)
  expect((await pendingOf(world, customer)).map(({ amount }) => amount)).toEqual([2_000, -1_000])
})

test('another quantity credits what was charged last, pending or paid', async () => {
  const { world, customer, id, addOn } = await halfway()
  const added = await world.stripe.subscriptions.update(id, { items: [{ price: addOn }], proration_behavior: 'none' })
  expect(await pendingOf(world, customer)).toEqual([])
  await world.advanceDays(14)
  await world.advanceDays(15.5)
  const change = async (quantity: number) =>
    world.stripe.subscriptions.update(id, { items: [{ id: lastItem(added), quantity }] })
  await change(3)
  await change(0)
  expect((await pendingOf(world, customer)).map(({ amount }) => amount)).toEqual([-2_000, 6_000, -6_000])
})

test('always_invoice takes it at once, and the change stands where the card is declined', async () => {
  const paid = await halfway()
  const change = { items: [{ price: paid.addOn }], proration_behavior: 'always_invoice' as const }
  const { id } = paid
  const shown = await paid.world.stripe.invoices.createPreview({ subscription: id, subscription_details: change })
  expect(shown).toMatchObject({ total: 2_400, billing_reason: 'subscription_update' })
  const added = await paid.world.stripe.subscriptions.update(id, change)
  expect(added).toMatchObject({ status: 'active', pending_update: null })
  const invoice = await newestOf(paid.world, id)
  expect(invoice).toMatchObject({ id: added.latest_invoice, status: 'paid', amount_paid: 2_400 })
  const gone = {
    items: [{ id: lastItem(added), deleted: true as const }],
    proration_behavior: 'always_invoice' as const,
  }
  await paid.world.stripe.subscriptions.update(id, gone)
  // What comes back waits on the balance.
  expect(await newestOf(paid.world, id)).toMatchObject({ status: 'paid', total: -2_400, amount_due: 0 })
  expect(await paid.world.stripe.customers.retrieve(paid.customer)).toMatchObject({ balance: -2_400 })

  const declined = await halfway('pm_card_chargeCustomerFail')
  const { items, status } = await declined.world.stripe.subscriptions.update(declined.id, {
    items: [{ price: declined.addOn }],
    proration_behavior: 'always_invoice',
  })
  expect([items.data.length, status]).toEqual([2, 'past_due'])
  expect(await newestOf(declined.world, declined.id)).toMatchObject({ status: 'open', amount_due: 2_400 })
})

test('what’s pending is collected where a subscription ends with its period, as its preview says, and stays where it ends before', async () => {
  const { world, customer, id, addOn } = await halfway()
  await world.stripe.subscriptions.update(id, { items: [{ price: addOn }] })
  await world.stripe.subscriptions.update(id, { cancel_at_period_end: true })
  const shown = await world.stripe.invoices.createPreview({ subscription: id })
  const expected = [['Remaining time on Texts after 14 Feb 2027', 2_000]]
  expect([amountsOf(shown), shown.amount_due]).toEqual([expected, 2_400])
  await world.advanceDays(15)
  const last = await newestOf(world, id)
  const ended = await world.stripe.subscriptions.retrieve(id)
  expect([ended.status, ended.latest_invoice]).toEqual(['canceled', last?.id])
  expect(last).toMatchObject({ billing_reason: 'subscription_cycle', status: 'paid', amount_paid: 2_400 })
  expect(last?.period_end).toBe(shown.period_end)
  expect([last && amountsOf(last), await pendingOf(world, customer)]).toEqual([expected, []])

  const early = await halfway()
  await early.world.stripe.subscriptions.update(early.id, { items: [{ price: early.addOn }] })
  await early.world.stripe.subscriptions.cancel(early.id)
  await early.world.advanceDays(15)
  expect((await pendingOf(early.world, early.customer)).map(({ amount }) => amount)).toEqual([2_000])
})

test.each([
  ['pm_card_chargeCustomerFail', null, 'open'],
  [undefined, 'void', 'void'],
  [undefined, 'keep_as_draft', 'draft'],
] as const)('the last invoice by %s, payments paused with %s, is %s', async (card, behavior, status) => {
  const { world, id, addOn } = await halfway(card)
  const change = { items: [{ price: addOn }], proration_behavior: 'create_prorations' as const }
  await world.stripe.subscriptions.update(id, change)
  if (behavior !== null) await world.stripe.subscriptions.update(id, { pause_collection: { behavior } })
  await world.stripe.subscriptions.update(id, { cancel_at_period_end: true })
  await world.advanceDays(15)
  expect(await newestOf(world, id)).toMatchObject({ total: 2_400, status })
})

test('with a schedule a change is prorated too, in its present phase', async () => {
  const { world, catalogue, customer, id, addOn } = await halfway()
  const schedule = await world.stripe.subscriptionSchedules.create({ from_subscription: id })
  const [current] = schedule.phases
  const present = { items: [{ price: catalogue.price.id }], default_tax_rates: [catalogue.vat.id] }
  await world.stripe.subscriptionSchedules.update(schedule.id, {
    phases: [
      { ...present, start_date: current?.start_date ?? 0, end_date: current?.end_date ?? 0 },
      { items: [{ price: catalogue.dearer.id }], default_tax_rates: [catalogue.vat.id], proration_behavior: 'none' },
    ],
  })
  await world.stripe.subscriptions.update(id, { items: [{ price: addOn }] })
  expect((await pendingOf(world, customer)).map(({ amount }) => amount)).toEqual([2_000])
  const [phase] = (await world.stripe.subscriptionSchedules.retrieve(schedule.id)).phases
  expect(phase?.items.map(({ price }) => price)).toEqual([catalogue.price.id, addOn])
  await world.advanceDays(14)
  expect(await newestOf(world, id)).toMatchObject({ status: 'paid', amount_paid: (2_000 + 80_000) * 1.2 })
})

test('several items change at a time, and what isn’t named stays', async () => {
  const { world, catalogue, id, addOn } = await halfway()
  const { items } = await world.stripe.subscriptions.update(id, {
    items: [{ price: addOn }, { price: catalogue.dearer.id }],
    proration_behavior: 'none',
  })
  const [first, second] = items.data
  const changed = await world.stripe.subscriptions.update(id, {
    items: [
      { id: second?.id ?? '', quantity: 2 },
      { id: items.data.at(-1)?.id ?? '', deleted: true },
    ],
    proration_behavior: 'none',
  })
  expect(changed.items.data).toEqual([first, { ...second, quantity: 2 }])
})
