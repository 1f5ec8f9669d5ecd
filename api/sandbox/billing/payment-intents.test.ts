import { expect, test } from 'vitest'
import { createWorld } from '#api/sandbox/testing/world.ts'

const card = { payment_method: 'pm_card_visa', confirm: true, currency: 'gbp' }

test.each([
  [0, 'parameter_invalid_integer'],
  [-5, 'parameter_invalid_integer'],
  [29, 'amount_too_small'],
  [100_000_000, 'amount_too_large'],
])('an amount of %i pence is rejected: %s', async (amount, code) => {
  const { stripe } = await createWorld()
  const made = stripe.paymentIntents.create({ amount, currency: 'gbp' })
  await expect(made).rejects.toMatchObject({ code, param: 'amount', statusCode: 400 })
  const intent = await stripe.paymentIntents.create({ amount: 500, currency: 'gbp' })
  await expect(stripe.paymentIntents.update(intent.id, { amount })).rejects.toMatchObject({ code })
})

test('an unknown currency or reason is rejected', async () => {
  const { stripe } = await createWorld()
  const odd = stripe.paymentIntents.create({ amount: 500, currency: 'zzz' })
  await expect(odd).rejects.toMatchObject({ param: 'currency', statusCode: 400 })
  const { id } = await stripe.paymentIntents.create({ amount: 500, currency: 'GBP' })
  const cancelled = stripe.paymentIntents.cancel(id, { cancellation_reason: 'automatic' })
  await expect(cancelled).rejects.toMatchObject({ param: 'cancellation_reason' })
  const setup = await stripe.setupIntents.create()
  const setupCancelled = stripe.setupIntents.cancel(setup.id, { cancellation_reason: 'other' as 'abandoned' })
  await expect(setupCancelled).rejects.toMatchObject({ param: 'cancellation_reason' })
})

test('shipping and statement descriptors are stored and can be changed', async () => {
  const { stripe } = await createWorld()
  const address = { line1: '1 High Street', country: 'GB' }
  const intent = await stripe.paymentIntents.create({
    amount: 500,
    currency: 'usd',
    shipping: { name: 'Jo', address },
    statement_descriptor_suffix: 'QUOTING',
  })
  expect(intent).toMatchObject({ shipping: { name: 'Jo', address }, statement_descriptor_suffix: 'QUOTING' })
  const changed = await stripe.paymentIntents.update(intent.id, { currency: 'gbp', shipping: '' })
  expect(changed).toMatchObject({ currency: 'gbp', shipping: null })
})

test('a payment can be authorised first, and then captured in part or cancelled', async () => {
  const { stripe } = await createWorld()
  const hold = () => stripe.paymentIntents.create({ ...card, amount: 1_000, capture_method: 'manual' })
  const held = await hold()
  expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 1_000, amount_received: 0 })
  await expect(stripe.refunds.create({ payment_intent: held.id })).rejects.toMatchObject({
    code: 'charge_not_refundable',
  })
  await expect(stripe.paymentIntents.capture(held.id, { amount_to_capture: 1_001 })).rejects.toMatchObject({
    param: 'amount_to_capture',
  })
  const taken = await stripe.paymentIntents.capture(held.id, { amount_to_capture: 700, expand: ['latest_charge'] })
  expect(taken).toMatchObject({
    status: 'succeeded',
    amount_received: 700,
    amount_capturable: 0,
    latest_charge: { captured: true, amount_captured: 700, amount_refunded: 300 },
  })
  await expect(stripe.paymentIntents.capture(held.id)).rejects.toMatchObject({
    code: 'payment_intent_unexpected_state',
  })
  const rest = await stripe.refunds.create({ payment_intent: held.id })
  expect(rest.amount).toBe(700)
  const released = await stripe.paymentIntents.cancel((await hold()).id, { expand: ['latest_charge'] })
  expect(released).toMatchObject({ status: 'canceled', amount_capturable: 0, latest_charge: { refunded: true } })
})

test('a refund names a charge or a PaymentIntent, not both', async () => {
  const { stripe } = await createWorld()
  const { id, latest_charge } = await stripe.paymentIntents.create({ ...card, amount: 1_000 })
  const charge = typeof latest_charge === 'string' ? latest_charge : ''
  await expect(stripe.refunds.create({ charge, payment_intent: id })).rejects.toMatchObject({ statusCode: 400 })
})

test('a PaymentIntent works without an invoice', async () => {
  const { stripe } = await createWorld()
  const customer = await stripe.customers.create()
  const paid = await stripe.paymentIntents.create({
    amount: 179_640,
    currency: 'gbp',
    customer: customer.id,
    payment_method: 'pm_card_visa',
    confirm: true,
    expand: ['latest_charge'],
  })
  expect(paid).toMatchObject({ status: 'succeeded', latest_charge: { amount: 179_640, paid: true } })
  const absent = stripe.paymentIntents.create({
    amount: 500,
    currency: 'gbp',
    customer: customer.id,
    payment_method: 'pm_card_authenticationRequired',
    confirm: true,
    off_session: true,
  })
  await expect(absent).rejects.toMatchObject({ code: 'authentication_required', statusCode: 402 })
  const open = await stripe.paymentIntents.create({ amount: 500, currency: 'gbp' })
  await expect(stripe.paymentIntents.confirm(open.id)).rejects.toMatchObject({
    code: 'payment_intent_unexpected_state',
  })
  expect((await stripe.paymentIntents.cancel(open.id)).status).toBe('canceled')
  expect((await stripe.paymentIntents.list({ customer: customer.id })).data).toHaveLength(2)
})
