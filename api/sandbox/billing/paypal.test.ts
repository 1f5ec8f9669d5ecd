import { expect, test } from 'vitest'
import { createCatalogue, createWorld, invoiceOf, subscribe, typesOf, type World } from '#api/sandbox/testing/world.ts'

const returnUrl = 'https://app.test/back'

async function setUp(world: World) {
  const customer = await world.stripe.customers.create({ email: 'pat@example.test' })
  const setup = await world.stripe.setupIntents.create({
    customer: customer.id,
    usage: 'off_session',
    metadata: { purpose: 'reactivation' },
    allowed_payment_method_types: ['card', 'paypal'],
  })
  const made = await world.browser('POST', '/v1/payment_methods', { type: 'paypal' })
  const secret = { client_secret: setup.client_secret ?? '' }
  const asked = await world.browser('POST', `/v1/setup_intents/${setup.id}/confirm`, {
    ...secret,
    payment_method: made.body.id,
    return_url: returnUrl,
  })
  return { customer, setup, address: asked.body.next_action?.redirect_to_url.url ?? '', status: asked.body.status }
}

async function press(address: string, button: 'complete' | 'fail'): Promise<URL> {
  const response = await fetch(`${address}/${button}`, { method: 'POST', redirect: 'manual' })
  return new URL(response.headers.get('location') ?? '')
}

test('PayPal is set up on its own page and pays for later renewals', async () => {
  const world = await createWorld()
  const { stripe } = world
  const { price, vat } = await createCatalogue(world)
  const { customer, setup, address, status } = await setUp(world)
  expect(status).toBe('requires_action')
  expect(new URL(address).pathname).toBe(`/paypal/${setup.id}`)
  expect(await (await fetch(address)).text()).toContain('PayPal')
  const back = await press(address, 'complete')
  expect(Object.fromEntries(back.searchParams)).toEqual({
    setup_intent: setup.id,
    setup_intent_client_secret: setup.client_secret,
    redirect_status: 'succeeded',
  })
  const done = await stripe.setupIntents.retrieve(setup.id, { expand: ['payment_method'] })
  expect(done).toMatchObject({
    status: 'succeeded',
    metadata: { purpose: 'reactivation' },
    payment_method: { type: 'paypal', customer: customer.id, paypal: { payer_email: 'buyer@example.test' } },
  })
  const [method] = (await stripe.paymentMethods.list({ customer: customer.id, type: 'paypal' })).data
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method?.id ?? '' } })
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    default_tax_rates: [vat.id],
    default_payment_method: method?.id ?? '',
  })
  expect(subscription.status).toBe('active')
  await world.advanceDays(28)
  const [charge] = (await stripe.charges.list({ customer: customer.id })).data
  expect(charge).toMatchObject({ status: 'succeeded', amount: 54_000, payment_method_details: { type: 'paypal' } })
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
})

test('without consent to PayPal the SetupIntent stays open, and nothing is attached', async () => {
  const world = await createWorld()
  const { customer, setup, address } = await setUp(world)
  expect((await press(address, 'fail')).searchParams.get('redirect_status')).toBe('failed')
  const open = await world.stripe.setupIntents.retrieve(setup.id)
  expect(open).toMatchObject({ status: 'requires_payment_method', last_setup_error: { type: 'invalid_request_error' } })
  expect((await world.stripe.customers.listPaymentMethods(customer.id)).data).toEqual([])
  await world.sandbox.settle()
  expect(typesOf(world.events)).toContain('setup_intent.setup_failed')
})

test('a trial can collect PayPal as its payment method', async () => {
  const world = await createWorld()
  const { price } = await createCatalogue(world)
  const customer = await world.stripe.customers.create()
  const trial = await world.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    trial_period_days: 10,
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription', payment_method_types: ['card', 'paypal'] },
    expand: ['pending_setup_intent'],
  })
  expect(trial.payment_settings?.payment_method_types).toEqual(['card', 'paypal'])
  const pending = trial.pending_setup_intent
  if (pending === null || typeof pending === 'string') throw new Error('not expanded')
  expect(pending.payment_method_types).toEqual(['card', 'paypal'])
  const method = await world.stripe.paymentMethods.create({ type: 'paypal' })
  const asked = await world.stripe.setupIntents.confirm(pending.id, {
    payment_method: method.id,
    return_url: returnUrl,
  })
  await press(asked.next_action?.redirect_to_url?.url ?? '', 'complete')
  const ready = await world.stripe.subscriptions.retrieve(trial.id)
  expect(ready).toMatchObject({ pending_setup_intent: null, default_payment_method: method.id })
  await world.advanceDays(11)
  const active = await world.stripe.subscriptions.retrieve(trial.id, { expand: ['latest_invoice'] })
  expect(active.status).toBe('active')
  expect(invoiceOf(active)).toMatchObject({ status: 'paid', total: 45_000 })
})

test('a first payment by PayPal redirects to its page and back', async () => {
  const world = await createWorld()
  const { intent, secret, subscription } = await subscribe(world, await createCatalogue(world))
  const fields = { 'payment_method_data[type]': 'paypal', client_secret: secret }
  const without = await world.browser('POST', `/v1/payment_intents/${intent}/confirm`, fields)
  expect(without).toMatchObject({ status: 400, body: { error: { param: 'return_url' } } })
  const asked = await world.browser('POST', `/v1/payment_intents/${intent}/confirm`, {
    ...fields,
    return_url: returnUrl,
  })
  await press(asked.body.next_action?.redirect_to_url.url ?? '', 'complete')
  expect((await world.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  await world.advanceDays(28)
  expect((await world.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
})

test('an invoice lists the payment method types it accepts', async () => {
  const { stripe } = await createWorld()
  const customer = await stripe.customers.create()
  const payment_settings = { payment_method_types: ['card' as const] }
  const draft = await stripe.invoices.create({ customer: customer.id, payment_settings })
  expect(draft.payment_settings.payment_method_types).toEqual(['card'])
  await stripe.invoiceItems.create({ customer: customer.id, invoice: draft.id, amount: 500 })
  await stripe.invoices.finalizeInvoice(draft.id)
  const [payment] = (await stripe.paymentIntents.list({ customer: customer.id })).data
  expect(payment?.payment_method_types).toEqual(['card'])
})

test('an intent accepts only the payment method types it lists', async () => {
  const { stripe } = await createWorld()
  const card = await stripe.setupIntents.create({ allowed_payment_method_types: ['card'] })
  const method = await stripe.paymentMethods.create({ type: 'paypal' })
  await expect(
    stripe.setupIntents.confirm(card.id, { payment_method: method.id, return_url: returnUrl }),
  ).rejects.toMatchObject({ param: 'payment_method', statusCode: 400 })
  const any = await stripe.paymentIntents.create({ amount: 500, currency: 'gbp' })
  expect(any).toMatchObject({ payment_method_types: ['card', 'paypal'], automatic_payment_methods: { enabled: true } })
  await expect(stripe.paymentMethods.create({ type: 'card' })).rejects.toMatchObject({ param: 'card' })
  const away = await stripe.customers.create()
  await stripe.paymentMethods.attach(method.id, { customer: away.id })
  const charged = stripe.paymentIntents.create({
    amount: 500,
    currency: 'gbp',
    customer: away.id,
    payment_method: method.id,
    confirm: true,
    off_session: true,
    return_url: returnUrl,
  })
  await expect(charged).rejects.toMatchObject({ code: 'authentication_required', statusCode: 402 })
})
