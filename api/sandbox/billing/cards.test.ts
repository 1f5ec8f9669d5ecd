import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { createWorld } from '#api/sandbox/testing/world.ts'

const stay = { automatic_payment_methods: { enabled: true, allow_redirects: 'never' as const } }
const once = { amount: 1_000, currency: 'gbp', confirm: true, ...stay }

test.each([
  ['visa_debit', 'visa', '5556', 'debit'],
  ['mastercard_prepaid', 'mastercard', '5100', 'prepaid'],
  ['discover', 'discover', '1117', 'credit'],
  ['unionpay', 'unionpay', '0005', 'credit'],
  ['gb', 'visa', '0000', 'credit'],
])('pm_card_%s and tok_%s pay', async (name, brand, last4, funding) => {
  const { stripe } = await createWorld()
  const paid = await stripe.paymentIntents.create({
    ...once,
    payment_method: `pm_card_${name}`,
    expand: ['payment_method'],
  })
  expect(paid).toMatchObject({ status: 'succeeded', payment_method: { card: { brand, last4, funding } } })
  const method = await stripe.paymentMethods.create({ type: 'card', card: { token: `tok_${name}` } })
  expect((await stripe.paymentIntents.create({ ...once, payment_method: method.id })).status).toBe('succeeded')
})

test.each([
  ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
  ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card'],
  ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card'],
  ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', 'card_declined', 'card_velocity_exceeded'],
  ['pm_card_radarBlock', 'card_declined', 'fraudulent'],
])('%s: %s, %s', async (payment_method, code, decline_code) => {
  const { stripe } = await createWorld()
  await expect(stripe.paymentIntents.create({ ...once, payment_method })).rejects.toMatchObject({
    type: 'StripeCardError',
    statusCode: 402,
    code,
    decline_code,
    doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
  })
})

test('a card that fails once it is attached is declined for the first invoice too', async () => {
  const { stripe } = await createWorld()
  const customer = await stripe.customers.create()
  const card = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
  const setup = await stripe.setupIntents.create({ customer: customer.id, payment_method: card.id, confirm: true })
  expect(setup.status).toBe('succeeded')
  const product = await stripe.products.create({ name: 'XL' })
  const monthly = {
    currency: 'gbp',
    product: product.id,
    unit_amount: 1_000,
    recurring: { interval: 'month' as const },
  }
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    default_payment_method: card.id,
    items: [{ price: (await stripe.prices.create(monthly)).id }],
  })
  expect(subscription.status).toBe('incomplete')
})

test('3-D Secure is required on session, may precede a decline, and is declined where it is not allowed', async () => {
  const { stripe } = await createWorld()
  const return_url = 'https://site.test/back'
  const asks = (payment_method: string, more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
    stripe.paymentIntents.create({ amount: 1_000, currency: 'gbp', confirm: true, return_url, payment_method, ...more })
  expect((await asks('pm_card_threeDSecure2Required')).status).toBe('requires_action')
  expect((await asks('pm_card_authenticationRequiredSetupForOffSession')).status).toBe('requires_action')
  const later = await asks('pm_card_authenticationRequiredSetupForOffSession', { off_session: true })
  expect(later.status).toBe('succeeded')
  const poor = await asks('pm_card_authenticationRequiredChargeDeclinedInsufficientFunds')
  await fetch(`${poor.next_action?.redirect_to_url?.url}/complete`, { method: 'POST', redirect: 'manual' })
  expect((await stripe.paymentIntents.retrieve(poor.id)).last_payment_error?.decline_code).toBe('insufficient_funds')
  const refused = asks('pm_card_threeDSecure2Required', { error_on_requires_action: true })
  await expect(refused).rejects.toMatchObject({ code: 'authentication_required', statusCode: 402 })
})

test('a payment method that was detached, or used without a customer, cannot be used again', async () => {
  const { stripe } = await createWorld()
  const customer = await stripe.customers.create()
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await stripe.paymentMethods.detach(method.id)
  const again = stripe.paymentMethods.attach(method.id, { customer: customer.id })
  await expect(again).rejects.toMatchObject({ statusCode: 400, param: 'payment_method' })
  const single = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })
  await stripe.paymentIntents.create({ ...once, payment_method: single.id })
  const twice = stripe.paymentIntents.create({ ...once, payment_method: single.id })
  await expect(twice).rejects.toMatchObject({ statusCode: 400, param: 'payment_method' })
  await expect(stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_nobody' } })).rejects.toMatchObject({
    code: 'resource_missing',
    param: 'card[token]',
  })
})

test('an update of a payment method leaves other fields unchanged', async () => {
  const { stripe } = await createWorld()
  const made = await stripe.paymentMethods.create({
    type: 'card',
    card: { token: 'tok_visa' },
    allow_redisplay: 'always',
    billing_details: { name: 'Jo', email: 'jo@example.test', address: { line1: '1 High Street' } },
  })
  const changed = await stripe.paymentMethods.update(made.id, {
    billing_details: { name: 'Joan' },
    card: { exp_month: 3, exp_year: 2040 },
  })
  expect(changed).toMatchObject({
    allow_redisplay: 'always',
    billing_details: { name: 'Joan', email: 'jo@example.test', address: { line1: '1 High Street' } },
    card: { exp_month: 3, exp_year: 2040 },
  })
})
