import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { byTheMonth } from '#api/features/sandbox/purchases-service.ts'
import { getOrCreatePrice } from '#api/stripe/prices.ts'
import { act, acted, becomeMember, personCalled, sellAtProvider } from '#api/testing/billing.ts'
import { billingOf, onlyCustomer, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { UpgradePreview } from '#shared/contract/upgrade.ts'
import { stateLine } from '#shared/rules/state-line.ts'

let world: PaymentWorld
beforeEach(async () => {
  // In a month of 28 days, half a month is 14.
  world = await startPaymentWorld({ startsAt: new Date('2027-02-01T10:00:00.000Z') })
})
afterEach(() => world.stop())

const notPaid = {
  status: 409,
  code: 'conflict',
  message: 'This month hasn’t been paid in full. You can change your tier with your next payment.',
}

const asked = (call: Call, tierSlug = 'xl') => act(call, '/api/billing/upgrade/preview', { tierSlug })
const refused = async (call: Call) => readError(await asked(call))
const shown = async (call: Call, tierSlug = 'xl') =>
  v.parse(UpgradePreview, await acted(call, '/api/billing/upgrade/preview', { tierSlug }))
const start = (call: Call, attemptId: string) => act(call, '/api/billing/upgrade', { attemptId })

/** What Billing says, which the owners' list and record repeat. */
async function told(call: Call): Promise<string> {
  const owner = world.signIn(world.addOwner())
  const { id } = personCalled(world, sam.email)
  const [listed] = await acted(owner, `/api/admin/members?q=${sam.email}`, undefined, 'GET')
  const one = (await acted(owner, `/api/admin/members/${id}/record`, undefined, 'GET')).member
  const line = stateLine(await billingOf(call))
  expect([listed.stateLine, one.stateLine]).toEqual([line, line])
  return line
}

async function newestInvoice(): Promise<string> {
  const [newest] = (await world.ctx.stripe.invoices.list({ customer: onlyCustomer(world) })).data
  return newest?.id ?? ''
}

async function newestCharge(): Promise<string> {
  const [newest] = (await world.ctx.stripe.charges.list({ customer: onlyCustomer(world) })).data
  return newest?.id ?? ''
}

/** Paid at Lite’s price, and moved to Standard’s in the dashboard without prorating. */
async function becomeLite(type: 'classic' | 'flexible'): Promise<Call> {
  const { ctx } = world
  const [lite, standard] = [byTheMonth(ctx, 'lite'), byTheMonth(ctx, 'standard')]
  const person = world.addMember({ email: sam.email })
  const { id: customer } = await ctx.stripe.customers.create({ email: sam.email, metadata: { userId: person.id } })
  ctx.sqlite.prepare('update customers set stripeCustomerId = ? where userId = ?').run(customer, person.id)
  const sold = { customer, billing_mode: { type }, items: [{ price: await getOrCreatePrice(ctx, lite) }] }
  const { id, items } = await sellAtProvider(world, sam.email, sold)
  const item = { id: items.data[0]?.id ?? '', price: await getOrCreatePrice(ctx, standard) }
  await ctx.stripe.subscriptions.update(id, { items: [item], proration_behavior: 'none' })
  await world.sandbox.settle()
  return world.signIn(person)
}

/** A member whose renewal has just failed. */
async function unpaid(): Promise<Call> {
  const call = await becomeMember(world, cards.failsLater)
  await world.advance(29)
  expect(await billingOf(call)).toMatchObject({ status: 'past_due' })
  return call
}

async function pauseCollection(behavior: 'void' | 'mark_uncollectible' | 'keep_as_draft' | null): Promise<void> {
  const { stripe } = world.ctx
  const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
  await stripe.subscriptions.update(subscription?.id ?? '', { pause_collection: behavior === null ? '' : { behavior } })
  await world.sandbox.settle()
}

async function refund(amount?: number): Promise<void> {
  await world.ctx.stripe.refunds.create({ charge: await newestCharge(), ...(amount === undefined ? {} : { amount }) })
  await world.sandbox.settle()
}

async function dispute(): Promise<void> {
  await world.control('disputes', { charge: await newestCharge() })
  await world.sandbox.settle()
}

describe('a month that nobody paid is credited to nobody: the tier starts with the next bill', () => {
  test.each(['markUncollectible', 'voidInvoice'] as const)('a renewal after %s', async (end) => {
    const call = await unpaid()
    await world.ctx.stripe.invoices[end](await newestInvoice())
    await world.sandbox.settle()
    expect(await billingOf(call)).toMatchObject({ status: 'active' })
    expect(await told(call)).toBe('You have access. Then we’ll take £300.00 for the next month on 1 April 2027.')
    expect(await refused(call)).toEqual(expect.objectContaining(notPaid))
    expect(await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })).toMatchObject({
      nextPlan: { slug: 'xl' },
    })
    await acted(call, '/api/billing/cancel')
    expect(await told(call)).toBe('You keep your access until 1 April 2027. We won’t take another payment.')
  })

  test.each(['void', 'mark_uncollectible', 'keep_as_draft'] as const)(
    'a renewal that a pause of payments let go by: %s',
    { tags: ['full'] },
    async (behavior) => {
      const call = await becomeMember(world)
      await pauseCollection(behavior)
      await world.advance(30)
      expect((await refused(call)).message).toMatch(/payments are paused/)
      await pauseCollection(null)
      expect((await refused(call)).status).toBe(409)
      if (behavior !== 'keep_as_draft') expect(await refused(call)).toEqual(expect.objectContaining(notPaid))
    },
  )

  test('one written off isn’t paid by an add-on’s rest of it, which is', async () => {
    const call = await unpaid()
    const { stripe } = world.ctx
    await stripe.invoices.markUncollectible(await newestInvoice())
    const product = (await stripe.products.create({ name: 'Texts' })).id
    const price = await stripe.prices.create({
      currency: 'gbp',
      product,
      unit_amount: 4_000,
      recurring: { interval: 'month' },
    })
    const [subscription] = (await stripe.subscriptions.list({ customer: onlyCustomer(world) })).data
    const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: onlyCustomer(world) })
    await stripe.subscriptions.update(subscription?.id ?? '', { default_payment_method: card.id })
    const items = [{ price: price.id }]
    await stripe.subscriptions.update(subscription?.id ?? '', { items, proration_behavior: 'always_invoice' })
    await world.sandbox.settle()
    expect(await stripe.invoices.retrieve(await newestInvoice())).toMatchObject({ status: 'paid' })
    expect(await told(call)).toMatch(/^You have access\. Then we’ll take/)
  })

  test('one that was refunded whole', async () => {
    const call = await becomeMember(world)
    await refund()
    expect(await refused(call)).toEqual(expect.objectContaining(notPaid))
    expect(await told(call)).toMatch(/^You have access\./)
  })

  test('one that was refunded in part counts with what’s left of it', async () => {
    const call = await becomeMember(world)
    await world.advance(14)
    await refund(15_000)
    expect((await shown(call)).credit.total).toBe(15_000)
    expect(await told(call)).toMatch(/^Paid until 1 March 2027\./)
    await refund(1)
    expect(await refused(call)).toEqual(expect.objectContaining(notPaid))
  })

  test('one that a credit note gave back outside Stripe', { tags: ['full'] }, async () => {
    const call = await becomeMember(world)
    const note = { invoice: await newestInvoice(), amount: 30_000, out_of_band_amount: 30_000 }
    await world.ctx.stripe.creditNotes.create(note)
    await world.sandbox.settle()
    expect(await refused(call)).toEqual(expect.objectContaining(notPaid))
  })

  test('one that the bank was asked to give back', async () => {
    const call = await becomeMember(world)
    await dispute()
    expect(await refused(call)).toEqual(expect.objectContaining(notPaid))
  })

  test('nor one that went back after the price was shown', async () => {
    const call = await becomeMember(world)
    await world.advance(7)
    const { attemptId } = await shown(call)
    await refund()
    expect(await readError(await start(call, attemptId))).toEqual(expect.objectContaining(notPaid))
  })

  test('nor one that was paid at a lower price: the classic billing mode credits the present one', async () => {
    const call = await becomeLite('classic')
    expect(await refused(call)).toEqual(expect.objectContaining(notPaid))
  })

  test('owners read the same', { tags: ['full'] }, async () => {
    await becomeMember(world)
    await refund()
    const owner = world.signIn(world.addOwner())
    const path = `/api/admin/members/${personCalled(world, sam.email).id}/upgrade/preview`
    expect((await readError(await act(owner, path, { tierSlug: 'xl' }))).status).toBe(409)
  })
})

describe('a month that was paid, however, is credited', () => {
  test('with what it was paid at, where the flexible billing mode credits that', async () => {
    const call = await becomeLite('flexible')
    expect((await shown(call)).credit.total).toBe(15_000)
  })

  test('outside Stripe', async () => {
    const call = await unpaid()
    await world.ctx.stripe.invoices.pay(await newestInvoice(), { paid_out_of_band: true })
    await world.sandbox.settle()
    expect((await shown(call)).credit.total).toBeGreaterThan(25_000)
  })

  test('with an upgrade before, which took the rest of it', async () => {
    const call = await becomeMember(world, undefined, { ...sam, tierSlug: 'lite' })
    await world.advance(1)
    expect((await start(call, (await shown(call, 'standard')).attemptId)).status).toBe(200)
    await world.advance(1)
    const second = await shown(call)
    // More than the month's own invoice, less than both.
    expect(second.credit.total).toBeGreaterThan(15_000)
    expect((await start(call, second.attemptId)).status).toBe(200)
    expect(await billingOf(call)).toMatchObject({ plan: { slug: 'xl' } })
  })

  test('an upgrade before that went back leaves the month’s own payment', { tags: ['full'] }, async () => {
    const call = await becomeMember(world, undefined, { ...sam, tierSlug: 'lite' })
    await world.advance(1)
    expect((await start(call, (await shown(call, 'standard')).attemptId)).status).toBe(200)
    await refund()
    expect(await refused(call)).toEqual(expect.objectContaining(notPaid))
    await world.advance(14)
    expect((await shown(call)).credit.total).toBeLessThan(15_000)
  })

  test('from credit, once an owner says that it was money', { tags: ['full'] }, async () => {
    const call = await becomeMember(world)
    const owner = world.signIn(world.addOwner())
    const credit = { amount: -30_000, currency: 'gbp' } as const
    await world.ctx.stripe.customers.createBalanceTransaction(onlyCustomer(world), credit)
    await world.advance(29)
    expect(await refused(call)).toEqual(expect.objectContaining(notPaid))
    const [{ id }] = await acted(owner, '/api/admin/credits', undefined, 'GET')
    await acted(owner, `/api/admin/credits/${id}/answer`, { answer: 'money' })
    expect((await shown(call)).credit.total).toBeGreaterThan(25_000)
  })

  test('a month that we gave for nothing is upgraded with a credit of £0', async () => {
    const call = await becomeMember(world)
    const owner = world.signIn(world.addOwner())
    await acted(owner, `/api/admin/members/${personCalled(world, sam.email).id}/free-month`, { isFree: true }, 'PUT')
    await world.advance(29)
    const { credit, attemptId, charge, total } = await shown(call)
    expect([credit.total, charge.total]).toEqual([0, total])
    expect(await told(call)).toMatch(/^Paid until 1 April 2027\./)
    expect((await start(call, attemptId)).status).toBe(200)
  })
})
