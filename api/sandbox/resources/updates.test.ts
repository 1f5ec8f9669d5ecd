import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { createCatalogue, createWorld, invoiceOf, subscribeAndPay } from '#api/sandbox/testing/world.ts'

test('intents can be changed until they have succeeded', async () => {
  const { stripe } = await createWorld()
  const customer = await stripe.customers.create()
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const setup = await stripe.setupIntents.create()
  const ready = await stripe.setupIntents.update(setup.id, { customer: customer.id, payment_method: card.id })
  expect(ready).toMatchObject({ status: 'requires_confirmation', customer: customer.id, payment_method: card.id })
  expect((await stripe.setupIntents.confirm(setup.id)).status).toBe('succeeded')
  await expect(stripe.setupIntents.update(setup.id, { payment_method: card.id })).rejects.toMatchObject({
    code: 'setup_intent_unexpected_state',
  })
  expect((await stripe.setupIntents.update(setup.id, { metadata: { a: 'b' } })).metadata).toEqual({ a: 'b' })
  expect((await stripe.setupIntents.list({ payment_method: card.id })).data).toHaveLength(1)
  const payment = await stripe.paymentIntents.create({ amount: 500, currency: 'gbp' })
  await stripe.paymentIntents.update(payment.id, { amount: 700, customer: customer.id, payment_method: card.id })
  expect(await stripe.paymentIntents.confirm(payment.id)).toMatchObject({ status: 'succeeded', amount_received: 700 })
  await expect(stripe.paymentIntents.update(payment.id, { amount: 1_000 })).rejects.toMatchObject({
    code: 'payment_intent_unexpected_state',
  })
})

test('the printed fields of a finalized invoice cannot change', async () => {
  const world = await createWorld()
  const { stripe } = world
  const { subscription, customer, intent } = await subscribeAndPay(world, await createCatalogue(world))
  const invoice = invoiceOf(subscription)
  await expect(stripe.invoices.update(invoice.id, { description: 'x' })).rejects.toMatchObject({
    code: 'invoice_not_editable',
  })
  await expect(stripe.paymentIntents.update(intent, { amount: 100 })).rejects.toMatchObject({ statusCode: 400 })
  const draft = await stripe.invoices.create({ customer: customer.id })
  const methods = await stripe.customers.listPaymentMethods(customer.id)
  const card = methods.data[0]?.id ?? ''
  const changed = await stripe.invoices.update(draft.id, { footer: 'Thanks', default_payment_method: card })
  expect(changed).toMatchObject({ footer: 'Thanks', default_payment_method: card })
  expect((await stripe.customers.retrievePaymentMethod(customer.id, card)).id).toBe(card)
  const other = await stripe.customers.create()
  await expect(stripe.customers.retrievePaymentMethod(other.id, card)).rejects.toMatchObject({ statusCode: 404 })
})

test('charges, refunds and products can be annotated, and a product without prices deleted', async () => {
  const world = await createWorld()
  const { stripe } = world
  const { intent } = await subscribeAndPay(world, await createCatalogue(world))
  const [charge] = (await stripe.charges.list({ payment_intent: intent })).data
  expect(await stripe.charges.update(charge?.id ?? '', { description: 'First' })).toMatchObject({
    description: 'First',
  })
  const refund = await stripe.refunds.create({ payment_intent: intent, amount: 1 })
  expect(await stripe.refunds.update(refund.id, { metadata: { why: 'so' } })).toMatchObject({ metadata: { why: 'so' } })
  const spare = await stripe.products.create({ name: 'Spare', url: 'https://a.test' })
  expect((await stripe.products.list({ ids: [spare.id] })).data).toMatchObject([{ name: 'Spare' }])
  expect((await stripe.products.list({ url: 'https://a.test' })).data).toHaveLength(1)
  const [sold] = (await stripe.products.list({ active: true, limit: 1, starting_after: spare.id })).data
  await expect(stripe.products.del(sold?.id ?? '')).rejects.toMatchObject({ statusCode: 400 })
  expect(await stripe.products.del(spare.id)).toMatchObject({ deleted: true })
})

test('lists filter by time, price and delivery, and lines are paged', async () => {
  const world = await createWorld()
  const { stripe } = world
  const catalogue = await createCatalogue(world)
  const { subscription } = await subscribeAndPay(world, catalogue)
  const end = subscription.items.data[0]?.current_period_end ?? 0
  const ids = async (params: object) => (await stripe.subscriptions.list(params)).data.map(({ id }) => id)
  expect(await ids({ current_period_end: { lte: end }, price: catalogue.price.id })).toEqual([subscription.id])
  expect(await ids({ current_period_end: { lt: end } })).toEqual([])
  expect((await stripe.prices.list({ recurring: { interval: 'year' } })).data).toMatchObject([
    { id: catalogue.year.id },
  ])
  await world.sandbox.settle()
  world.statuses.push(500)
  const lost = await stripe.customers.create()
  await world.sandbox.settle()
  const failed = await stripe.events.list({ delivery_success: false })
  expect(failed.data).toMatchObject([{ type: 'customer.created', data: { object: { id: lost.id } } }])
  const draft = await stripe.invoices.create({ customer: lost.id })
  for (const amount of [1, 2, 3]) await stripe.invoiceItems.create({ customer: lost.id, invoice: draft.id, amount })
  const first = await stripe.invoices.listLineItems(draft.id, { limit: 2 })
  expect([first.data.map(({ amount }) => amount), first.has_more]).toEqual([[1, 2], true])
  const next = await stripe.invoices.listLineItems(draft.id, { starting_after: first.data[1]?.id ?? '' })
  expect([next.data.map(({ amount }) => amount), next.has_more]).toEqual([[3], false])
})

test.each([
  ['LostCard', 'card_declined', 'lost_card'],
  ['StolenCard', 'card_declined', 'stolen_card'],
  ['ExpiredCard', 'expired_card', 'expired_card'],
  ['IncorrectCvc', 'incorrect_cvc', 'incorrect_cvc'],
  ['ProcessingError', 'processing_error', 'processing_error'],
])('pm_card_chargeDeclined%s: %s, %s', async (name, code, decline_code) => {
  const { stripe } = await createWorld()
  const payment_method = `pm_card_chargeDeclined${name}`
  const paid = stripe.paymentIntents.create({ amount: 500, currency: 'gbp', confirm: true, payment_method })
  await expect(paid).rejects.toMatchObject({ type: 'StripeCardError', statusCode: 402, code, decline_code })
  const customer = await stripe.customers.create()
  await expect(stripe.paymentMethods.attach(payment_method, { customer: customer.id })).rejects.toMatchObject({ code })
})

test('a card can be declined after 3-D Secure has succeeded', async () => {
  const world = await createWorld()
  const { stripe } = world
  const card = 'pm_card_threeDSecureRequiredChargeDeclined'
  const payment = await stripe.paymentIntents.create({
    amount: 500,
    currency: 'gbp',
    confirm: true,
    payment_method: card,
  })
  await fetch(`${payment.next_action?.redirect_to_url?.url}/complete`, { method: 'POST' })
  expect(await stripe.paymentIntents.retrieve(payment.id)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'card_declined', decline_code: 'generic_decline' },
  })
  const setup = await stripe.setupIntents.create({ confirm: true, payment_method: card })
  await fetch(`${setup.next_action?.redirect_to_url?.url}/complete`, { method: 'POST' })
  expect((await stripe.setupIntents.retrieve(setup.id)).last_setup_error?.decline_code).toBe('generic_decline')
})

test('a request that was rejected before it ran frees its key, and a replayed response is marked', async () => {
  const { stripe } = await createWorld()
  const key = { idempotencyKey: 'again' }
  await expect(stripe.products.create({ name: '' }, key)).rejects.toMatchObject({ param: 'name' })
  const made = await stripe.products.create({ name: 'Right' }, key)
  const again = await stripe.products.create({ name: 'Right' }, key)
  expect(again.id).toBe(made.id)
  expect([made, again].map(({ lastResponse }) => lastResponse.headers['idempotent-replayed'])).toEqual([
    undefined,
    'true',
  ])
})

test('one item can replace another, as long as one is left', async () => {
  const world = await createWorld()
  const { stripe } = world
  const catalogue = await createCatalogue(world)
  const { subscription } = await subscribeAndPay(world, catalogue)
  const old = subscription.items.data[0]?.id ?? ''
  const deletedItem = { id: old, deleted: true }
  const change = (items: Stripe.SubscriptionUpdateParams.Item[]) =>
    stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'none' })
  const { items } = await change([deletedItem, { price: catalogue.dearer.id }])
  expect(items.data).toMatchObject([{ price: { id: catalogue.dearer.id }, quantity: 1 }])
  expect(items.data[0]?.id).not.toBe(old)
  const now = { id: items.data[0]?.id ?? '' }
  await expect(change([{ ...now, deleted: true }])).rejects.toMatchObject({ param: 'items', statusCode: 400 })
  await expect(change([now, { quantity: 1 }])).rejects.toMatchObject({
    param: 'items[1][price]',
    code: 'parameter_missing',
  })
})

test('the item of a subscription has its own path', async () => {
  const world = await createWorld()
  const { stripe } = world
  const catalogue = await createCatalogue(world)
  const { subscription } = await subscribeAndPay(world, catalogue)
  const [item] = (await stripe.subscriptionItems.list({ subscription: subscription.id })).data
  const id = item?.id ?? ''
  expect(id).toBe(subscription.items.data[0]?.id)
  expect((await stripe.subscriptionItems.retrieve(id)).price.id).toBe(catalogue.price.id)
  const dearer = { price: catalogue.dearer.id }
  const changed = await stripe.subscriptionItems.update(id, { ...dearer, quantity: 2, proration_behavior: 'none' })
  expect(changed).toMatchObject({ id, quantity: 2, price: { id: catalogue.dearer.id } })
  const second = { subscription: subscription.id, price: catalogue.price.id, proration_behavior: 'none' } as const
  const added = await stripe.subscriptionItems.create({ ...second, quantity: 3 })
  expect(added).toMatchObject({ quantity: 3, price: { id: catalogue.price.id } })
  expect(await stripe.subscriptionItems.del(added.id, { proration_behavior: 'none' })).toMatchObject({ deleted: true })
  expect((await stripe.subscriptionItems.list({ subscription: subscription.id })).data).toEqual([changed])
  await expect(stripe.subscriptionItems.retrieve('si_none')).rejects.toMatchObject({ code: 'resource_missing' })
})
