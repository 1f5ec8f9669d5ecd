// @module-tag full
import { afterEach, beforeEach, expect, test } from 'vitest'
import { byTheMonth } from '#api/features/sandbox/purchases-service.ts'
import { getOrCreatePrice } from '#api/stripe/prices.ts'
import { act, acted, becomeMember, providerInvoices } from '#api/testing/billing.ts'
import { billingOf, onlyCustomer } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { stateLine } from '#shared/rules/state-line.ts'

let world: PaymentWorld
beforeEach(async () => {
  // February has 28 days, so every month here does.
  world = await startPaymentWorld({ startsAt: new Date('2027-02-01T10:00:00.000Z') })
})
afterEach(() => world.stop())

const minute = 1 / (24 * 60)

/** A member whose first renewal has been a draft for ten minutes, and will be one for fifty more. */
async function renewing(card?: string): Promise<Call> {
  const call = await becomeMember(world, card)
  await world.control('settings', { draftMinutes: 60, afterRetries: 'unpaid' })
  await world.advance(28 + 10 * minute)
  expect(await providerInvoices(world)).toEqual(['draft 30000', 'paid 30000'])
  expect(await billingOf(call)).toMatchObject({ status: 'active' })
  return call
}

/** As an owner would in the provider's dashboard, which doesn't check for the draft. */
async function upgradeAtProvider(): Promise<void> {
  const { ctx } = world
  const [subscription] = (await ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
  const tier = byTheMonth(ctx, 'xl')
  if (subscription === undefined) throw new Error('There is nothing to upgrade.')
  await ctx.stripe.subscriptions.update(subscription.id, {
    items: [{ id: subscription.items.data[0]?.id ?? '', price: await getOrCreatePrice(ctx, tier) }],
    payment_behavior: 'pending_if_incomplete',
    proration_behavior: 'always_invoice',
  })
  await world.sandbox.settle()
}

const previewed = (call: Call) => act(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' })

test('while the renewal waits to be taken, no tier starts today: it would credit a month that is not paid', async () => {
  const call = await renewing()
  expect(await readError(await previewed(call))).toMatchObject({
    status: 409,
    code: 'conflict',
    message: 'Your next payment is going through. Try again in about an hour.',
  })
  await world.advance(60 * minute)
  expect(await providerInvoices(world)).toEqual(['paid 30000', 'paid 30000'])
  const { attemptId, credit } = await acted(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' })
  expect(credit.total).toBeLessThan(30_000)
  await acted(call, '/api/billing/upgrade', { attemptId })
  expect(await billingOf(call)).toMatchObject({ plan: { slug: 'xl' } })
})

test('while the renewal waits to be taken, nobody is told that the month is paid; owners read the same', async () => {
  const call = await renewing()
  const line = stateLine(await billingOf(call))
  expect(line).toMatch(/^You have access\. We’re taking your payment of £300\.00 for the month until /)
  const owner = world.signIn(world.addOwner())
  const listed = await acted(owner, '/api/admin/members', undefined, 'GET')
  expect(listed.map((member: { stateLine?: string }) => member.stateLine)).toContain(line)
  await world.advance(60 * minute)
  expect(stateLine(await billingOf(call))).toMatch(/^Paid until /)
})

test('while the renewal waits to be taken, what is said is what is taken: less the credit, or nothing', async () => {
  const call = await becomeMember(world)
  const { stripe } = world.ctx
  const credit = (amount: number) =>
    stripe.customers.createBalanceTransaction(onlyCustomer(world), { amount: 0 - amount, currency: 'gbp' })
  await credit(10_000)
  await world.control('settings', { draftMinutes: 60 })
  await world.advance(28 + 10 * minute)
  expect(stateLine(await billingOf(call))).toMatch(/We’re taking your payment of £200\.00 for the month until /)
  await world.advance(60 * minute)
  expect((await stripe.invoices.list({ customer: onlyCustomer(world) })).data[0]).toMatchObject({ amount_paid: 20_000 })
  await credit(40_000)
  await world.sandbox.settle()
  await world.advance(28)
  expect(stateLine(await billingOf(call))).not.toContain('taking')
})

test('an upgrade that is paid all the same leaves the renewal to be paid', async () => {
  await renewing()
  await upgradeAtProvider()
  expect((await providerInvoices(world)).slice(1)).toEqual(['draft 30000', 'paid 30000'])
  await world.advance(60 * minute)
  expect((await providerInvoices(world)).slice(1)).toEqual(['paid 30000', 'paid 30000'])
})

/** An upgrade is paid with another card while the draft waits. Then the draft's own card fails. */
async function failingAfterUpgrade(): Promise<Call> {
  const call = await renewing(cards.failsLater)
  const { stripe } = world.ctx
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: onlyCustomer(world) })
  const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
  const failing = subscription?.default_payment_method?.toString() ?? ''
  await stripe.subscriptions.update(subscription?.id ?? '', { default_payment_method: card.id })
  await upgradeAtProvider()
  await stripe.subscriptions.update(subscription?.id ?? '', { default_payment_method: failing })
  await world.advance(1)
  expect(await billingOf(call)).toMatchObject({ status: 'past_due', hasAccess: true })
  return call
}

test('a renewal that then fails gives the days of grace, and no day more', async () => {
  const call = await failingAfterUpgrade()
  await world.advance(14)
  expect(await billingOf(call)).toMatchObject({ hasAccess: false })
})

test('a renewal that then fails is what Billing asks for, and what is paid there', async () => {
  const call = await failingAfterUpgrade()
  const { openInvoice } = await billingOf(call)
  const asked = await acted(call, '/api/billing/pay')
  expect(asked).toMatchObject({ invoiceId: openInvoice?.id, total: 30_000, clientSecret: expect.any(String) })
  expect((await world.pay(asked.clientSecret)).status).toBe(200)
  await world.sandbox.settle()
  expect(await billingOf(call)).toMatchObject({ status: 'active', openInvoice: null })
  expect((await providerInvoices(world)).slice(1)).toEqual(['paid 30000', 'paid 30000'])
})

test('where it is ended at the provider sooner, the mail owns to the days that were promised', async () => {
  await failingAfterUpgrade()
  const { stripe, sqlite } = world.ctx
  await stripe.subscriptions.cancel((await stripe.subscriptions.list({})).data[0]?.id ?? '')
  await world.sandbox.settle()
  const ended = sqlite.prepare<[], string>(`select text from mail_outbox where cause like 'ended:%'`).pluck()
  expect(ended.get()).toContain('it ended early. Sorry about that.')
})

/** An extra that an owner adds in the provider's dashboard: a draft, open or paid. */
async function billExtra(state: 'draft' | 'open' | 'paid'): Promise<void> {
  const { stripe } = world.ctx
  const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
  const of = { customer: onlyCustomer(world), subscription: subscription?.id ?? '' }
  const { id = '' } = await stripe.invoices.create({ ...of, currency: 'gbp', auto_advance: false })
  await stripe.invoiceItems.create({ customer: of.customer, invoice: id, amount: 6000, currency: 'gbp' })
  if (state !== 'draft') await stripe.invoices.finalizeInvoice(id, { auto_advance: false })
  if (state === 'paid') await stripe.invoices.pay(id)
  await world.sandbox.settle()
}

test('an extra that is paid while a renewal waits leaves the renewal to be paid', async () => {
  await renewing()
  await billExtra('paid')
  expect(await providerInvoices(world)).toEqual(['paid 6000', 'draft 30000', 'paid 30000'])
  await world.advance(60 * minute)
  expect(await providerInvoices(world)).toEqual(['paid 6000', 'paid 30000', 'paid 30000'])
})

test('beside a renewal that failed, extras are neither asked for in its place nor its payment', async () => {
  const call = await renewing(cards.failsLater)
  await billExtra('open')
  await billExtra('draft')
  await world.advance(1)
  const { graceEndsOn } = await billingOf(call)
  const renewal = { status: 'past_due', openInvoice: { total: 30_000 }, plan: { total: 30_000 }, graceEndsOn }
  expect(graceEndsOn).not.toBeNull()
  expect(await billingOf(call)).toMatchObject(renewal)
  const { stripe } = world.ctx
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: onlyCustomer(world) })
  const extra = (await stripe.invoices.list({ status: 'open' })).data.find(({ total }) => total === 6000)
  await stripe.invoices.pay(extra?.id ?? '', { payment_method: card.id })
  await world.sandbox.settle()
  expect(await providerInvoices(world)).toEqual(['draft 6000', 'paid 6000', 'open 30000', 'paid 30000'])
  expect(await billingOf(call)).toMatchObject(renewal)
  expect(await acted(call, '/api/billing/pay')).toMatchObject({ total: 30_000, clientSecret: expect.any(String) })
})

test('an extra that nobody has paid yet keeps no tier from starting today', async () => {
  const call = await becomeMember(world)
  await billExtra('draft')
  await billExtra('open')
  const { attemptId } = await acted(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' })
  await acted(call, '/api/billing/upgrade', { attemptId })
  expect(await billingOf(call)).toMatchObject({ plan: { slug: 'xl' }, openInvoice: { total: 6000 } })
  expect(await acted(call, '/api/billing/pay')).toMatchObject({ total: 6000, clientSecret: expect.any(String) })
})
