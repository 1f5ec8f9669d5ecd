// @module-tag full
import type Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listMailbox } from '#api/features/mail/mailbox-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { act, acted, becomeMember, providerInvoices, timesCharged } from '#api/testing/billing.ts'
import { billingOf, countRows, onlyCustomer } from '#api/testing/joining.ts'
import { cards, consent, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { addYearlyPrice } from '#api/testing/tiers.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { stateLine } from '#shared/rules/state-line.ts'

let world: PaymentWorld
const years: Record<string, string> = {}
beforeEach(async () => {
  // In a month of 28 days, half a month is 14.
  world = await startPaymentWorld({ startsAt: new Date('2027-02-01T10:00:00.000Z') })
  for (const [slug, net] of Object.entries({ lite: 125_000, standard: 250_000, xl: 450_000 })) {
    years[slug] = addYearlyPrice(world, slug, net)
  }
})
afterEach(() => world.stop())

const byYear = (tierSlug: string) => ({ tierSlug, priceId: years[tierSlug] })
const preview = (call: Call, body: object) => acted(call, '/api/billing/upgrade/preview', body)
const start = (call: Call, attemptId: string) => acted(call, '/api/billing/upgrade', { attemptId })
const change = (call: Call, body: object) => acted(call, '/api/billing/change-tier', body)
const refused = async (call: Call, path: string, body: object) =>
  readError(await act(call, `/api/billing/${path}`, body))
const nextOf = async (call: Call, body: { tierSlug: string; priceId?: string | undefined }) => {
  const query = new URLSearchParams({
    change: 'tier',
    tierSlug: body.tierSlug,
    ...(body.priceId ? { priceId: body.priceId } : {}),
  })
  return (await (await call(`/api/billing/next-payment?${query}`)).json()).nextPayment
}

const subscriptionAtStripe = async () =>
  (await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world), status: 'all' })).data

async function halfway(card?: string): Promise<Call> {
  const call = await becomeMember(world, card)
  await world.advance(14)
  return call
}

/** Standard by the year since 15 February, less half a month. */
async function yearly(): Promise<Call> {
  const call = await halfway()
  await start(call, (await preview(call, byYear('standard'))).attemptId)
  return call
}

describe('from a month to a year, today', () => {
  test('it’s shown to the penny with VAT and what comes a year later, and taken as shown', async () => {
    const call = await halfway()
    const shown = await preview(call, byYear('standard'))
    expect(shown).toMatchObject({
      charge: { net: 250_000, vat: 50_000, total: 300_000 },
      credit: { net: 12_500, vat: 2_500, total: 15_000 },
      total: 285_000,
      due: 285_000,
      nextBill: { on: '2028-02-15', net: 250_000, total: 300_000, due: 300_000 },
    })
    expect(await start(call, shown.attemptId)).toMatchObject({
      status: 'upgraded',
      subscription: { status: 'active', plan: { slug: 'standard', net: 250_000, total: 300_000, months: 12 } },
    })
    expect(await providerInvoices(world)).toEqual(['paid 285000', 'paid 30000'])
    expect(stateLine(await billingOf(call))).toBe(
      'Paid until 15 February 2028. Then we’ll take £3,000.00 for the next year.',
    )
    expect(countRows(world, 'subscriptions', 'yearlyNet = 250000 and chargeMonths = 12')).toBe(1)
    expect(await timesCharged(world)).toBe(2)
    await world.advance(366)
    expect(await providerInvoices(world)).toEqual(['paid 300000', 'paid 285000', 'paid 30000'])
    expect(await subscriptionAtStripe()).toHaveLength(1)
  })

  test('of a dearer tier as well, which starts straight away', async () => {
    const call = await halfway()
    const shown = await preview(call, byYear('xl'))
    expect(shown).toMatchObject({ total: (450_000 - 12_500) * 1.2, nextBill: { total: 540_000 } })
    expect(await start(call, shown.attemptId)).toMatchObject({ subscription: { plan: { slug: 'xl', months: 12 } } })
    expect(countRows(world, 'users', `membershipTier = 'xl' and isMember = 1`)).toBe(1)
  })

  test('a declined card: the bank’s sentence, nothing owed, and no mail that a payment failed', async () => {
    const call = await halfway(cards.failsLater)
    const { attemptId } = await preview(call, byYear('standard'))
    expect(await refused(call, 'upgrade', { attemptId })).toMatchObject({
      status: 402,
      message: 'Your card was declined. Nothing has changed.',
    })
    await world.sandbox.settle()
    expect(await providerInvoices(world)).toEqual(['void 285000', 'paid 30000'])
    expect(await billingOf(call)).toMatchObject({ openInvoice: null, showsBanner: false, plan: { total: 30_000 } })
    expect((await (await call('/api/billing/invoices')).json()).length).toBe(1)
    expect(countRows(world, 'mail_outbox', `cause like 'payment-failed:%'`)).toBe(0)
  })

  test.each(['complete', 'fail'] as const)(
    'the bank asks, and %s decides; until then nothing is owed',
    async (button) => {
      const call = await halfway()
      const { clientSecret } = await acted(call, '/api/billing/card')
      await consent(await world.pay(clientSecret, cards.asks3ds), 'complete')
      await acted(call, '/api/billing/card/settle')
      const { attemptId } = await preview(call, byYear('standard'))
      const asked = await start(call, attemptId)
      expect(asked).toMatchObject({ status: 'action_required', subscription: { plan: { total: 30_000 } } })
      await world.sandbox.settle()
      expect(await billingOf(call)).toMatchObject({ openInvoice: null, showsBanner: false, status: 'active' })
      expect((await (await call('/api/billing/invoices')).json()).length).toBe(1)
      expect(countRows(world, 'mail_outbox', `cause like 'payment-failed:%'`)).toBe(0)
      const intent = await world.ctx.stripe.paymentIntents.retrieve(asked.clientSecret.split('_secret')[0])
      await consent({ body: JSON.stringify(intent) }, button)
      const { status } = await acted(call, '/api/billing/upgrade/settle', { attemptId })
      expect(status).toBe(button === 'complete' ? 'upgraded' : 'unchanged')
      expect((await billingOf(call)).plan?.months).toBe(button === 'complete' ? 12 : undefined)
    },
  )

  test('what’s waiting for the next payment, or comes off it, or is bought beside it, keeps it for later', async () => {
    const call = await halfway()
    const { stripe } = world.ctx
    const customer = onlyCustomer(world)
    const why = async () => (await refused(call, 'upgrade/preview', byYear('standard'))).message
    const waiting = await stripe.invoiceItems.create({ customer, amount: 4_000, currency: 'gbp' })
    expect(await why()).toMatch(/^There’s something else on your next payment\./)
    await stripe.invoiceItems.del(waiting.id)
    const [subscription] = await subscriptionAtStripe()
    const id = subscription?.id ?? ''
    for (const duration of ['once', 'repeating'] as const) {
      const months = duration === 'repeating' ? { duration_in_months: 3 } : {}
      const coupon = await stripe.coupons.create({ percent_off: 50, duration, ...months })
      await stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] })
      expect(await why()).toMatch(/^You’ve got a discount /)
    }
    const sentence = 'You’ve got a discount for some months. You can pay by the year once it’s ended.'
    expect((await refused(call, 'change-tier', byYear('standard'))).message).toBe(sentence)
    await stripe.subscriptions.update(id, { discounts: '' })
    const product = await stripe.products.create({ name: 'Text messages' })
    const recurring = { interval: 'month' as const }
    const addOn = await stripe.prices.create({ product: product.id, currency: 'gbp', unit_amount: 500, recurring })
    await stripe.subscriptions.update(id, { items: [{ price: addOn.id }], proration_behavior: 'none' })
    expect(await why()).toMatch(/^You pay for something else with your membership\./)
    expect((await refused(call, 'change-tier', byYear('standard'))).message).toMatch(/^You pay for something else/)
    expect(await nextOf(call, byYear('standard'))).toBeNull()
  })

  test('a smaller tier waits for the next payment, and so does a year that costs less than what’s unused', async () => {
    const call = await halfway()
    expect((await refused(call, 'upgrade/preview', byYear('lite'))).message).toMatch(
      /^Only an upgrade can start today\./,
    )
    world.ctx.sqlite.exec(`update tier_prices set net = 12500 where id = '${years.standard}'`)
    expect((await refused(call, 'upgrade/preview', byYear('standard'))).message).toBe(
      'Today’s payment comes to less than £1.00. Change with your next payment.',
    )
    expect(await providerInvoices(world)).toEqual(['paid 30000'])
  })
})

describe('with the next payment', () => {
  test('a year begins where the month ends, as its preview says', async () => {
    const call = await halfway()
    const said = await nextOf(call, byYear('lite'))
    expect(said).toMatchObject({ on: '2027-03-01', total: 150_000, due: 150_000 })
    expect(await change(call, byYear('lite'))).toMatchObject({
      nextPlan: { slug: 'lite', total: 150_000, months: 12, from: '2027-03-01' },
    })
    expect(await nextOf(call, byYear('lite'))).toEqual(said)
    await world.advance(15)
    expect(await providerInvoices(world)).toEqual(['paid 150000', 'paid 30000'])
    expect((await billingOf(call)).plan).toMatchObject({ slug: 'lite', months: 12 })
    expect((await billingOf(call)).nextPayment).toMatchObject({ on: '2028-03-01', due: 150_000 })
  })

  test('everything that leaves a year: the same tier by the month, said in a mail, and undone', async () => {
    const call = await yearly()
    const why = async (body: object) => (await refused(call, 'upgrade/preview', body)).message
    for (const tierSlug of ['lite', 'standard', 'xl'])
      expect(await why({ tierSlug })).toMatch(/^You’ve paid for a year\./)
    expect(await nextOf(call, { tierSlug: 'standard' })).toMatchObject({ on: '2028-02-15', due: 30_000 })
    const booked = await change(call, { tierSlug: 'standard' })
    expect(booked).toMatchObject({
      plan: { months: 12 },
      nextPlan: { slug: 'standard', total: 30_000, from: '2028-02-15' },
    })
    await runJob(world.ctx, 'mail')
    const texts = (await listMailbox(world.ctx)).map(({ text }) => text)
    expect(texts.filter((text) => / by the year to .+ by the month on 15 February 2028/.test(text))).toHaveLength(1)
    expect((await acted(call, '/api/billing/change-tier', undefined, 'DELETE')).nextPlan).toBeNull()
    await change(call, { tierSlug: 'standard' })
    await change(call, { tierSlug: 'standard' })
    expect((await change(call, byYear('standard'))).nextPlan).toBeNull()
    await change(call, { tierSlug: 'standard' })
    await world.advance(366)
    expect((await providerInvoices(world)).slice(0, 2)).toEqual(['paid 30000', 'paid 285000'])
    expect((await billingOf(call)).plan).toMatchObject({ slug: 'standard', total: 30_000 })
    await world.advance(29)
    expect((await providerInvoices(world))[0]).toBe('paid 30000')
  })

  test('a month that isn’t paid after a year reads as a month', async () => {
    const call = await yearly()
    await change(call, { tierSlug: 'standard' })
    const card = await world.ctx.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: onlyCustomer(world),
    })
    const [subscription] = await subscriptionAtStripe()
    await world.ctx.stripe.subscriptions.update(subscription?.id ?? '', { default_payment_method: card.id })
    await world.advance(366)
    expect(await billingOf(call)).toMatchObject({
      status: 'past_due',
      plan: { total: 30_000 },
      openInvoice: { total: 30_000 },
    })
  })

  test('a change of period that’s booked is undone before anything starts today', async () => {
    const call = await yearly()
    await change(call, { tierSlug: 'standard' })
    expect((await refused(call, 'upgrade/preview', byYear('xl'))).message).toMatch(/ is already booked\. Undo it first/)
  })

  test('a dearer year starts today for the rest of the year', async () => {
    const call = await yearly()
    await world.advance(73)
    const shown = await preview(call, byYear('xl'))
    expect(shown).toMatchObject({ credit: { net: 200_000 }, charge: { net: 360_000 }, nextBill: { on: '2028-02-15' } })
    await start(call, shown.attemptId)
    expect((await billingOf(call)).plan).toMatchObject({ slug: 'xl', months: 12 })
  })
})

test('a year booked in a month that began by a booked change begins where that month ends, not a day or two before', async () => {
  await world.stop()
  world = await startPaymentWorld({ startsAt: new Date('2027-01-31T10:00:00.000Z') })
  years.standard = addYearlyPrice(world, 'standard', 250_000)
  const call = await becomeMember(world)
  await change(call, { tierSlug: 'xl' })
  await world.advance(30)
  expect(await nextOf(call, byYear('standard'))).toMatchObject({ on: '2027-03-31', net: 250_000 })
  await change(call, byYear('standard'))
  expect(await billingOf(call)).toMatchObject({ nextPayment: { on: '2027-03-31', due: 300_000 } })
  await world.advance(27)
  expect((await providerInvoices(world)).length).toBe(2)
  await world.advance(3)
  expect((await providerInvoices(world))[0]).toBe('paid 300000')
  expect(stateLine(await billingOf(call))).toMatch(/^Paid until 31 March 2028\./)
})

test('a yearly price by hand is read by its metadata, or else reported', async () => {
  const { stripe } = world.ctx
  const product = await stripe.products.create({ name: 'By hand' })
  const yearAt = (metadata: Stripe.MetadataParam) =>
    stripe.prices.create({
      product: product.id,
      currency: 'gbp',
      unit_amount: 240_000,
      recurring: { interval: 'year' },
      metadata,
    })
  const call = await halfway()
  const [subscription] = await subscriptionAtStripe()
  const item = subscription?.items.data[0]?.id ?? ''
  const to = async (price: Stripe.Price) => {
    await stripe.subscriptions.update(subscription?.id ?? '', {
      items: [{ id: item, price: price.id }],
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'always_invoice',
    })
    await world.sandbox.settle()
  }
  await to(await yearAt({ tier: 'xl' }))
  expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { slug: 'xl', total: 288_000, months: 12 } })
  const reported = () => countRows(world, 'audit_entries', `action = 'subscription.unrecognised'`)
  expect(reported()).toBe(0)
  await to(await yearAt({}))
  expect(reported()).toBe(1)
  expect(countRows(world, 'subscriptions', 'isUnrecognised')).toBe(1)
})
