import { expect, test } from 'vitest'
import {
  cardFields,
  createCatalogue,
  createWorld,
  invoiceOf,
  subscribe,
  subscribeAndPay,
  typesOf,
} from '#api/sandbox/testing/world.ts'

test('a subscription is incomplete until its first payment makes it active', async () => {
  const world = await createWorld()
  const joined = await subscribe(world, await createCatalogue(world))
  expect(joined.subscription.status).toBe('incomplete')
  const invoice = invoiceOf(joined.subscription)
  expect(invoice).toMatchObject({ status: 'open', subtotal: 45_000, total: 54_000, amount_due: 54_000 })
  expect(invoice.total_taxes).toMatchObject([{ amount: 9_000, taxable_amount: 45_000, tax_behavior: 'exclusive' }])
  expect(invoice.parent?.subscription_details?.subscription).toBe(joined.subscription.id)

  const intent = await world.stripe.paymentIntents.confirm(joined.intent, { payment_method: 'pm_card_visa' })
  expect(intent).toMatchObject({ status: 'succeeded', amount_received: 54_000 })
  const subscription = await world.stripe.subscriptions.retrieve(joined.subscription.id, {
    expand: ['latest_invoice.payments.data.payment.payment_intent', 'default_payment_method', 'customer'],
  })
  expect(subscription.status).toBe('active')
  expect(subscription.default_payment_method).toMatchObject({ object: 'payment_method', customer: joined.customer.id })
  expect(subscription.customer).toMatchObject({ email: 'jo@example.test' })
  expect(invoiceOf(subscription)).toMatchObject({ status: 'paid', amount_paid: 54_000, amount_remaining: 0 })
  expect(invoiceOf(subscription).payments?.data[0]?.payment.payment_intent).toMatchObject({ id: joined.intent })
  expect(subscription.items.data[0]).toMatchObject({
    current_period_start: Date.parse('2027-01-31T10:00:00Z') / 1000,
    current_period_end: Date.parse('2027-02-28T10:00:00Z') / 1000,
  })
})

test('the events of a first payment arrive signed, in order, with the previous values', async () => {
  const world = await createWorld()
  await subscribeAndPay(world, await createCatalogue(world))
  await world.sandbox.settle()
  const types = typesOf(world.events)
  expect(types.slice(types.indexOf('customer.created'))).toEqual([
    'customer.created',
    'customer.subscription.created',
    'invoice.created',
    'invoice.finalized',
    'payment_intent.created',
    'charge.succeeded',
    'payment_method.attached',
    'payment_intent.succeeded',
    'invoice_payment.paid',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
  ])
  const last = world.events.at(-1)
  expect(last).toMatchObject({ livemode: false, api_version: '2026-10-28.endive' })
  expect(last?.data.previous_attributes).toMatchObject({ status: 'incomplete', default_payment_method: null })
  expect(JSON.stringify(world.events)).not.toContain('hidden')
})

test('a payment declined with one card can succeed with another', async () => {
  const world = await createWorld()
  const { intent, subscription } = await subscribe(world, await createCatalogue(world))
  const declined = world.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_chargeDeclined' })
  await expect(declined).rejects.toMatchObject({
    type: 'StripeCardError',
    code: 'card_declined',
    decline_code: 'generic_decline',
    statusCode: 402,
    payment_intent: { id: intent, status: 'requires_payment_method' },
  })
  const waiting = await world.stripe.paymentIntents.retrieve(intent)
  expect(waiting).toMatchObject({ status: 'requires_payment_method', last_payment_error: { code: 'card_declined' } })
  expect((await world.stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete')
  await world.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' })
  expect((await world.stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  const charges = await world.stripe.charges.list({ payment_intent: intent })
  expect(charges.data.map((charge) => charge.status)).toEqual(['succeeded', 'failed'])
})

test.each([
  ['complete', 'succeeded', 'active'],
  ['fail', 'failed', 'incomplete'],
])('3-D Secure: %s', async (button, redirectStatus, status) => {
  const world = await createWorld()
  const { intent, secret, subscription } = await subscribe(world, await createCatalogue(world))
  const { body } = await world.browser('POST', `/v1/payment_intents/${intent}/confirm`, {
    ...cardFields('4000 0025 0000 3155'),
    client_secret: secret,
    return_url: 'http://app.test/done?step=4',
  })
  expect(body.status).toBe('requires_action')
  expect(body.customer).toBeUndefined()
  const address = body.next_action?.redirect_to_url.url ?? ''
  expect(address).toBe(`${world.sandbox.url}/3ds/${intent}`)
  const html = await (await fetch(address)).text()
  expect(html).toContain('Complete')
  expect(html).toContain('£540.00')
  const action = new RegExp(`action="([^"]+${button})"`).exec(html)?.[1] ?? ''
  const left = await fetch(new URL(action, address), { method: 'POST', redirect: 'manual' })
  expect(left.status).toBe(303)
  const back = new URL(left.headers.get('location') ?? '')
  expect(back.origin + back.pathname).toBe('http://app.test/done')
  expect(Object.fromEntries(back.searchParams)).toEqual({
    step: '4',
    payment_intent: intent,
    payment_intent_client_secret: secret,
    redirect_status: redirectStatus,
  })
  expect((await world.stripe.subscriptions.retrieve(subscription.id)).status).toBe(status)
  const again = await fetch(new URL(action, address), { method: 'POST', redirect: 'manual' })
  expect(again.headers.get('location')).toBe(back.href)
})

test("behind a proxy the page's address has the proxy's base, and its forms are relative", async () => {
  const world = await createWorld({ pagesUrl: () => 'http://app.test/sandbox/' })
  const { intent } = await subscribe(world, await createCatalogue(world))
  const waiting = await world.stripe.paymentIntents.confirm(intent, {
    payment_method: 'pm_card_authenticationRequired',
    return_url: 'http://app.test/done',
  })
  expect(waiting.next_action?.redirect_to_url?.url).toBe(`http://app.test/sandbox/3ds/${intent}`)
  const html = await (await fetch(`${world.sandbox.url}/3ds/${intent}`)).text()
  expect(html).toContain(`action="${intent}/complete"`)
})

test('two confirmations at the same time charge once', async () => {
  const world = await createWorld()
  const { intent } = await subscribe(world, await createCatalogue(world))
  const both = await Promise.allSettled([
    world.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' }),
    world.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' }),
  ])
  expect(both.map((each) => each.status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await world.stripe.charges.list({ payment_intent: intent })).data).toHaveLength(1)
})

test('an unpaid first invoice expires after 23 hours', async () => {
  const world = await createWorld()
  const { subscription, intent } = await subscribe(world, await createCatalogue(world))
  await world.advanceDays(22.9 / 24)
  expect((await world.stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete')
  await world.advanceDays(0.2 / 24)
  const expired = await world.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  expect(expired.status).toBe('incomplete_expired')
  expect(invoiceOf(expired).status).toBe('void')
  expect((await world.stripe.paymentIntents.retrieve(intent)).status).toBe('canceled')
})

test('voiding the unpaid first invoice ends the subscription; a paid one cannot be voided', async () => {
  const world = await createWorld()
  const catalogue = await createCatalogue(world)
  const first = await subscribe(world, catalogue)
  await world.stripe.invoices.voidInvoice(invoiceOf(first.subscription).id)
  expect((await world.stripe.subscriptions.retrieve(first.subscription.id)).status).toBe('incomplete_expired')
  const second = await subscribeAndPay(world, catalogue)
  await expect(world.stripe.invoices.voidInvoice(invoiceOf(second.subscription).id)).rejects.toMatchObject({
    type: 'StripeInvalidRequestError',
  })
})

test('the other payment behaviours pay at once, or return the reason why not', async () => {
  const world = await createWorld()
  const { price } = await createCatalogue(world)
  const customer = await world.stripe.customers.create({ payment_method: 'pm_card_chargeCustomerFail' })
  const items = [{ price: price.id }]
  const nothing = world.stripe.subscriptions.create({ customer: customer.id, items })
  await expect(nothing).rejects.toMatchObject({ code: 'resource_missing', statusCode: 400 })
  const challenge = await world.stripe.paymentMethods.attach('pm_card_authenticationRequired', {
    customer: customer.id,
  })
  const refused = world.stripe.subscriptions.create({
    customer: customer.id,
    items,
    default_payment_method: challenge.id,
    payment_behavior: 'error_if_incomplete',
  })
  await expect(refused).rejects.toMatchObject({ code: 'subscription_payment_intent_requires_action' })
  expect((await world.stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([])
  const good = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const paid = await world.stripe.subscriptions.create({
    customer: customer.id,
    items,
    default_payment_method: good.id,
  })
  expect(paid.status).toBe('active')
  const waits = await world.stripe.subscriptions.create({
    customer: customer.id,
    items,
    default_payment_method: challenge.id,
  })
  expect(waits.status).toBe('incomplete')
})
