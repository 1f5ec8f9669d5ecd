import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import {
  createCatalogue,
  createWorld,
  invoiceOf,
  subscribeAndPay,
  typesOf,
  type World,
} from '#api/sandbox/testing/world.ts'

const trialEnd = Date.parse('2027-02-10T09:00:00Z') / 1000

async function startTrial(world: World, missing: 'cancel' | 'pause' | 'create_invoice'): Promise<Stripe.Subscription> {
  const { price, vat } = await createCatalogue(world)
  const customer = await world.stripe.customers.create({ email: 'jo@example.test' })
  return world.stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    default_tax_rates: [vat.id],
    trial_end: trialEnd,
    trial_settings: { end_behavior: { missing_payment_method: missing } },
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    metadata: { tier: 'xl' },
    expand: ['pending_setup_intent', 'latest_invoice'],
  })
}

function setupOf({ pending_setup_intent }: Stripe.Subscription): Stripe.SetupIntent {
  if (pending_setup_intent === null || typeof pending_setup_intent === 'string') throw new Error('not expanded')
  return pending_setup_intent
}

test('a trial collects a card, then renews by itself', async () => {
  const world = await createWorld()
  const trial = await startTrial(world, 'cancel')
  expect(trial).toMatchObject({ status: 'trialing', trial_end: trialEnd, billing_cycle_anchor: trialEnd })
  expect(invoiceOf(trial)).toMatchObject({ status: 'paid', total: 0, amount_paid: 0 })
  const setup = setupOf(trial)
  expect(setup).toMatchObject({ status: 'requires_payment_method', usage: 'off_session' })
  await world.stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa' })
  const ready = await world.stripe.subscriptions.retrieve(trial.id)
  expect(ready.pending_setup_intent).toBeNull()
  expect(ready.default_payment_method).toMatch(/^pm_/)
  await world.advanceDays(12)
  const active = await world.stripe.subscriptions.retrieve(trial.id, { expand: ['latest_invoice'] })
  expect(active.status).toBe('active')
  expect(invoiceOf(active)).toMatchObject({ status: 'paid', total: 54_000, created: trialEnd })
  expect(active.items.data[0]?.current_period_end).toBe(Date.parse('2027-03-10T09:00:00Z') / 1000)
  const types = typesOf(world.events)
  for (const type of ['customer.subscription.trial_will_end', 'setup_intent.succeeded', 'payment_method.attached']) {
    expect(types).toContain(type)
  }
})

test('a declined card leaves the SetupIntent open, and 3-D Secure completes it', async () => {
  const world = await createWorld()
  const trial = await startTrial(world, 'cancel')
  const setup = setupOf(trial)
  await expect(
    world.stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_chargeDeclined' }),
  ).rejects.toMatchObject({ code: 'card_declined', setup_intent: { status: 'requires_payment_method' } })
  const waiting = await world.stripe.setupIntents.confirm(setup.id, {
    payment_method: 'pm_card_authenticationRequiredOnSetup',
    return_url: 'http://app.test/back',
  })
  const address = waiting.next_action?.redirect_to_url?.url ?? ''
  const failed = await fetch(`${address}/fail`, { method: 'POST', redirect: 'manual' })
  expect(new URL(failed.headers.get('location') ?? '').searchParams.get('redirect_status')).toBe('failed')
  const [latest] = (await world.stripe.setupIntents.list({ customer: String(trial.customer) })).data
  expect(latest?.last_setup_error?.code).toBe('setup_intent_authentication_failure')
  await world.stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_authenticationRequiredOnSetup' })
  await fetch(`${address}/complete`, { method: 'POST', redirect: 'manual' })
  await world.advanceDays(12)
  expect((await world.stripe.subscriptions.retrieve(trial.id)).status).toBe('active')
})

test.each([
  ['cancel', 'canceled'],
  ['pause', 'paused'],
  ['create_invoice', 'past_due'],
] as const)('without a card at the end of the trial: %s → %s', async (missing, status) => {
  const world = await createWorld()
  const trial = await startTrial(world, missing)
  await world.advanceDays(12)
  expect((await world.stripe.subscriptions.retrieve(trial.id)).status).toBe(status)
})

test('a paused subscription resumes with a paid invoice', async () => {
  const world = await createWorld()
  const trial = await startTrial(world, 'pause')
  await world.advanceDays(12)
  const card = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: String(trial.customer) })
  const waiting = await world.stripe.subscriptions.resume(trial.id)
  expect(waiting.status).toBe('paused')
  await world.advanceDays(1)
  await world.stripe.subscriptions.update(trial.id, { default_payment_method: card.id })
  const resumed = await world.stripe.subscriptions.resume(trial.id, { expand: ['latest_invoice'] })
  expect(resumed.status).toBe('active')
  expect(invoiceOf(resumed)).toMatchObject({ status: 'paid', total: 54_000 })
  expect(typesOf(world.events)).toContain('customer.subscription.paused')
  await world.sandbox.settle()
  expect(typesOf(world.events)).toContain('customer.subscription.resumed')
})

test('the end of a trial can be moved, also to now', async () => {
  const world = await createWorld()
  const trial = await startTrial(world, 'create_invoice')
  await world.stripe.subscriptions.update(trial.id, { trial_end: trialEnd + 86_400 })
  await world.stripe.setupIntents.confirm(setupOf(trial).id, { payment_method: 'pm_card_visa' })
  const now = await world.stripe.subscriptions.update(trial.id, { trial_end: 'now' })
  expect(now.status).toBe('active')
})

test('a SetupIntent without a subscription attaches the card to the customer', async () => {
  const { stripe } = await createWorld()
  const customer = await stripe.customers.create()
  const setup = await stripe.setupIntents.create({
    customer: customer.id,
    payment_method: 'pm_card_visa',
    confirm: true,
  })
  expect(setup.status).toBe('succeeded')
  const [method] = (await stripe.customers.listPaymentMethods(customer.id)).data
  expect(method?.id).toBe(setup.payment_method)
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method?.id ?? '' } })
  await stripe.paymentMethods.detach(method?.id ?? '')
  const after = await stripe.customers.retrieve(customer.id)
  expect(after).toMatchObject({ invoice_settings: { default_payment_method: null } })
  const open = await stripe.setupIntents.create({ customer: customer.id })
  expect((await stripe.setupIntents.cancel(open.id)).status).toBe('canceled')
})

test('an active subscription can be given a trial, as long as nothing is prorated', async () => {
  const world = await createWorld()
  const { stripe } = world
  const { subscription } = await subscribeAndPay(world, await createCatalogue(world))
  const begun = stripe.subscriptions.update(subscription.id, { trial_end: trialEnd })
  await expect(begun).rejects.toMatchObject({ param: 'proration_behavior', statusCode: 400 })
  const trial = await stripe.subscriptions.update(subscription.id, {
    trial_end: trialEnd,
    proration_behavior: 'none',
    expand: ['latest_invoice'],
  })
  expect(trial).toMatchObject({ status: 'trialing', trial_end: trialEnd, billing_cycle_anchor: trialEnd })
  expect(invoiceOf(trial)).toMatchObject({ total: 0, status: 'paid', billing_reason: 'subscription_update' })
  await world.advanceDays(12)
  const renewed = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  expect(renewed.status).toBe('active')
  expect(invoiceOf(renewed)).toMatchObject({ total: 54_000, status: 'paid' })
})

test('the SetupIntent of a cancelled trial stays open, as at Stripe, and its card goes to the customer alone', async () => {
  const world = await createWorld()
  const { stripe } = world
  const trial = await startTrial(world, 'cancel')
  await stripe.subscriptions.cancel(trial.id)
  const { id } = setupOf(trial)
  expect((await stripe.setupIntents.retrieve(id)).status).toBe('requires_payment_method')
  expect((await stripe.setupIntents.confirm(id, { payment_method: 'pm_card_visa' })).status).toBe('succeeded')
  expect(await stripe.subscriptions.retrieve(trial.id)).toMatchObject({
    status: 'canceled',
    default_payment_method: null,
    pending_setup_intent: null,
  })
  expect((await stripe.customers.listPaymentMethods(String(trial.customer))).data).toHaveLength(1)
})

test('the created event of a trial has its invoice and its SetupIntent already', async () => {
  const world = await createWorld()
  const trial = await startTrial(world, 'cancel')
  await world.sandbox.settle()
  const events = world.events.filter(({ type }) => type.startsWith('customer.subscription.'))
  expect(events).toMatchObject([
    {
      type: 'customer.subscription.created',
      data: { object: { latest_invoice: invoiceOf(trial).id, pending_setup_intent: setupOf(trial).id } },
    },
  ])
})
