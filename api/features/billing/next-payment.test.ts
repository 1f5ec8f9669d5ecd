import type Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { sandboxSecretKey } from '#api/sandbox/server.ts'
import { acted, becomeMember, beginTrial } from '#api/testing/billing.ts'
import { billingOf, onlyCustomer } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { stateLine } from '#shared/rules/state-line.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2026-06-15T09:00:00Z') })
})
afterEach(() => world.stop())

/** What owners do by hand in Stripe's dashboard. */
type Billing = { stripe: Stripe; subscription: Stripe.Subscription; customer: string; call: Call }

async function startBilling(call: Call): Promise<Billing> {
  const { stripe } = world.ctx
  const customer = onlyCustomer(world)
  const [subscription] = (await stripe.subscriptions.list({ customer })).data
  if (subscription === undefined) throw new Error('no subscription')
  return { stripe, subscription, customer, call }
}

const update = ({ stripe, subscription }: Billing, change: Stripe.SubscriptionUpdateParams) =>
  stripe.subscriptions.update(subscription.id, change)

const discounted = (params: Stripe.CouponCreateParams) => async (at: Billing) =>
  update(at, { discounts: [{ coupon: (await at.stripe.coupons.create(params)).id }] })

/** As the dashboard does, by an earlier version of the API. */
const customerDiscounted = (params: Stripe.CouponCreateParams) => async (at: Billing) => {
  const { id } = await at.stripe.coupons.create(params)
  await fetch(`${world.sandbox.url}/v1/customers/${at.customer}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandboxSecretKey}` },
    body: new URLSearchParams({ coupon: id }),
  })
}

const monthly = (unit_amount: number, interval: 'month' | 'year' = 'month') => ({
  currency: 'gbp',
  unit_amount,
  recurring: { interval },
})

async function priceOf({ stripe }: Billing, unit_amount: number, interval: 'month' | 'year'): Promise<string> {
  const product = await stripe.products.create({ name: 'Standard' })
  const metadata = { tier: 'standard' }
  return (await stripe.prices.create({ ...monthly(unit_amount, interval), product: product.id, metadata })).id
}

const half = { percent_off: 50, duration: 'forever' } as const

/** What is said, and what the clock then takes, in pence. */
const cases: [what: string, byHand: (at: Billing) => Promise<unknown>, said: string, taken: number][] = [
  ['nothing', async () => undefined, 'Then we’ll take £300.00 for the next month.', 30_000],
  ['a coupon for good', discounted(half), 'Then we’ll take £150.00 for the next month.', 15_000],
  [
    'a coupon for once',
    discounted({ ...half, duration: 'once' }),
    'Then we’ll take £150.00 for the next month.',
    15_000,
  ],
  [
    'a coupon that ends before',
    discounted({ ...half, duration: 'repeating', duration_in_months: 1 }),
    'Then we’ll take £300.00 for the next month.',
    30_000,
  ],
  [
    'a coupon that lasts',
    discounted({ ...half, duration: 'repeating', duration_in_months: 3 }),
    'Then we’ll take £150.00 for the next month.',
    15_000,
  ],
  ['all of it, once', discounted({ percent_off: 100, duration: 'once' }), 'The month after is free.', 0],
  ['the customer’s coupon', customerDiscounted(half), 'Then we’ll take £150.00 for the next month.', 15_000],
  [
    'the customer’s coupon, which ends before',
    customerDiscounted({ ...half, duration: 'repeating', duration_in_months: 1 }),
    'Then we’ll take £300.00 for the next month.',
    30_000,
  ],
  ['no tax rate', (at) => update(at, { default_tax_rates: '' }), 'Then we’ll take £250.00 for the next month.', 25_000],
  [
    'something to pay with it',
    ({ stripe, customer }) =>
      stripe.invoiceItems.create({ customer, amount: 4_000, currency: 'gbp', description: 'Book' }),
    'Then we’ll take £348.00 for the next month.',
    34_800,
  ],
  [
    'two of it',
    (at) =>
      update(at, { items: [{ id: at.subscription.items.data[0]?.id ?? '', quantity: 2 }], proration_behavior: 'none' }),
    'Then we’ll take £600.00 for the next month.',
    60_000,
  ],
  [
    'credit of theirs',
    ({ stripe, customer }) =>
      stripe.customers.createBalanceTransaction(customer, { amount: -10_000, currency: 'gbp', description: 'Sorry' }),
    'Then we’ll take £200.00 for the next month. Another £100.00 comes from your credit.',
    20_000,
  ],
  [
    'a debit',
    ({ stripe, customer }) => stripe.customers.createBalanceTransaction(customer, { amount: 1_200, currency: 'gbp' }),
    'Then we’ll take £312.00 for the next month.',
    31_200,
  ],
  [
    'more to come back than to pay',
    ({ stripe, customer }) => stripe.invoiceItems.create({ customer, amount: -40_000, currency: 'gbp' }),
    'Nothing to pay for the next month. £180.00 stays as credit.',
    0,
  ],
  [
    'more to come back than to pay, and a debit',
    async ({ stripe, customer }) => {
      await stripe.invoiceItems.create({ customer, amount: -40_000, currency: 'gbp' })
      await stripe.customers.createBalanceTransaction(customer, { amount: 18_000, currency: 'gbp' })
    },
    'Nothing to pay for the next month.',
    0,
  ],
  [
    'another price',
    async (at) => {
      const item = { id: at.subscription.items.data[0]?.id ?? '', price: await priceOf(at, 27_500, 'month') }
      return update(at, { items: [item], proration_behavior: 'none' })
    },
    'Then we’ll take £330.00 for the next month.',
    33_000,
  ],
]

const paidOnce = async (call: Call) => (await (await call('/api/billing/invoices')).json()).length

describe('what comes next is Stripe’s word, and what it then takes', () => {
  test.each(cases)('%s', async (_what, byHand, said, taken) => {
    const call = await becomeMember(world)
    await byHand(await startBilling(call))
    await world.sandbox.settle()
    const before = await billingOf(call)
    expect(stateLine(before)).toBe(`Paid until 15 July 2026. ${said}`)
    expect(before.nextPayment).toMatchObject({ on: '2026-07-15', due: taken })
    await world.advance(31)
    const [newest] = (await world.ctx.stripe.invoices.list({ customer: onlyCustomer(world) })).data
    expect([newest?.status, newest?.amount_paid]).toEqual(['paid', taken])
  })

  test('a discount that ends before it isn’t in the price beside the tier’s name either', async () => {
    const call = await becomeMember(world)
    const at = await startBilling(call)
    const priced = async () => (await billingOf(call)).plan
    await discounted({ ...half, duration: 'repeating', duration_in_months: 1 })(at)
    await world.sandbox.settle()
    expect(await priced()).toMatchObject({ net: 25_000, vat: 5_000, total: 30_000 })
    await update(at, { discounts: '' })
    await customerDiscounted({ ...half, duration: 'repeating', duration_in_months: 1 })(at)
    await world.sandbox.settle()
    expect(await priced()).toMatchObject({ net: 25_000, vat: 5_000, total: 30_000 })
    // A tier that’s booked has its own price, and a discount that stays is in it.
    await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
    expect(await priced()).toMatchObject({ slug: 'standard', total: 15_000 })
    await acted(call, '/api/billing/change-tier', undefined, 'DELETE')
    await customerDiscounted(half)(at)
    await world.sandbox.settle()
    expect(await priced()).toMatchObject({ total: 15_000 })
  })

  test('months added by hand only put the next payment off: it’s no first one, and it counts', async () => {
    const call = await becomeMember(world)
    const trial_end = Date.parse('2026-09-15T09:00:00Z') / 1000
    await update(await startBilling(call), { trial_end, proration_behavior: 'none' })
    await world.sandbox.settle()
    const billing = await billingOf(call)
    expect([billing.status, billing.label, billing.firstPaymentOn]).toEqual(['active', 'Active', null])
    expect(stateLine(billing)).toBe('Paid until 15 September 2026. Then we’ll take £300.00 for the next month.')
    const owner = world.signIn(world.addOwner())
    expect(await (await owner('/api/admin/mrr')).json()).toMatchObject({ totalMRR: 25_000, target: { customers: 1 } })
    const upgrade = await call('/api/billing/upgrade/preview', { method: 'POST', body: { tierSlug: 'xl' } })
    expect([upgrade.status, (await upgrade.json()).error.message]).toEqual([
      409,
      'Your next payment has been put off. You can change your tier with your next payment.',
    ])
    await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
    expect(stateLine(await billingOf(call))).toBe(
      'Paid until 15 September 2026. Then we’ll take £540.00 for Alliance XL.',
    )
    await acted(call, '/api/billing/change-tier', undefined, 'DELETE')
    await world.advance(93)
    expect(await paidOnce(call)).toBe(2)
    expect(stateLine(await billingOf(call))).toBe(
      'Paid until 15 October 2026. Then we’ll take £300.00 for the next month.',
    )
  })

  test('an end set by hand beyond what’s paid: the payments before it are said, and taken', async () => {
    const call = await becomeMember(world)
    const at = await startBilling(call)
    const end = Date.parse('2026-08-20T09:00:00Z') / 1000
    await update(at, { cancel_at: end, proration_behavior: 'none' })
    await world.sandbox.settle()
    expect(stateLine(await billingOf(call))).toBe(
      'Paid until 15 July 2026. Then we’ll take £300.00 for the next month. Your membership ends on 20 August 2026.',
    )
    const mail = world.ctx.sqlite.prepare(`select text from mail_outbox where cause like 'ending:%'`).pluck().get()
    expect(mail).toContain('It ends on 20 August 2026.')
    expect(mail).not.toContain('won’t take another payment')
    await world.advance(31)
    expect(await paidOnce(call)).toBe(2)
    await update(at, { cancel_at: Date.parse('2026-08-15T09:00:00Z') / 1000, proration_behavior: 'none' })
    await world.sandbox.settle()
    expect(stateLine(await billingOf(call))).toBe(
      'Paid until 15 August 2026. You keep your access until then. We won’t take another payment.',
    )
  })

  test('beyond ten lines, with VAT inside each that names no rate', async () => {
    const call = await becomeMember(world)
    const at = await startBilling(call)
    await update(at, { default_tax_rates: '' })
    for (let made = 0; made < 11; made += 1) {
      await at.stripe.invoiceItems.create({ customer: at.customer, amount: 1_200, currency: 'gbp' })
    }
    await world.sandbox.settle()
    expect((await billingOf(call)).nextPayment).toMatchObject({ total: 38_200, vat: 4_167 + 11 * 200 })
  })

  test('a trial’s first payment, with its discount', async () => {
    const call = await beginTrial(world, cards.pays)
    await discounted(half)(await startBilling(call))
    await world.sandbox.settle()
    expect(stateLine(await billingOf(call))).toMatch(/^You have access\. Your first payment of £150\.00 is on /)
  })

  test('a change that’s booked, by its schedule, and a free month in front of it', async () => {
    const call = await becomeMember(world)
    await discounted(half)(await startBilling(call))
    await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
    const booked = await billingOf(call)
    expect(stateLine(booked)).toBe('Paid until 15 July 2026. Then we’ll take £270.00 for Alliance XL.')
    expect(booked.nextPlan).toMatchObject({ slug: 'xl', total: 54_000 })
    await world.advance(31)
    const [newest] = (await world.ctx.stripe.invoices.list({ customer: onlyCustomer(world) })).data
    expect(newest?.amount_paid).toBe(27_000)
  })

  test('a yearly price by hand is a year’s', async () => {
    const call = await becomeMember(world)
    const at = await startBilling(call)
    const schedule = await at.stripe.subscriptionSchedules.create({ from_subscription: at.subscription.id })
    const [current] = schedule.phases
    await at.stripe.subscriptionSchedules.update(schedule.id, {
      phases: [
        {
          items: [{ price: String(current?.items[0]?.price) }],
          start_date: current?.start_date ?? 0,
          end_date: current?.end_date ?? 0,
          default_tax_rates: (current?.default_tax_rates ?? []).map((rate) =>
            typeof rate === 'string' ? rate : rate.id,
          ),
        },
        {
          items: [{ price: await priceOf(at, 240_000, 'year') }],
          billing_cycle_anchor: 'phase_start',
          proration_behavior: 'none',
          default_tax_rates: (current?.default_tax_rates ?? []).map((rate) =>
            typeof rate === 'string' ? rate : rate.id,
          ),
        },
      ],
    })
    await world.sandbox.settle()
    expect(stateLine(await billingOf(call))).toContain('Then we’ll take £2,880.00')
    await world.advance(31)
    expect(stateLine(await billingOf(call))).toBe(
      'Paid until 15 July 2027. Then we’ll take £2,880.00 for the next year.',
    )
    expect((await billingOf(call)).plan).toMatchObject({ total: 288_000, months: 12 })
    await acted(call, '/api/billing/cancel')
    const { nextPayment } = await (await call('/api/billing/next-payment?change=resume')).json()
    const { due, isEveryMonth, isEveryYear } = nextPayment
    expect({ due, isEveryMonth, isEveryYear }).toEqual({ due: 288_000, isEveryYear: true })
  })
})

type Waiting = [what: string, byHand: (at: Billing) => Promise<unknown>, said: string, taken: number]

const book = ({ stripe, customer }: Billing, amount = 4_000) =>
  stripe.invoiceItems.create({ customer, amount, currency: 'gbp', description: 'Book' })

const waiting: Waiting[] = [
  ['nothing', async () => undefined, 'We won’t take another payment.', 0],
  ['a book', (at) => book(at), 'We’ll take one last payment of £48.00 that day.', 4_800],
  [
    'an add-on’s rest of the month',
    async (at) => {
      const product = (await at.stripe.products.create({ name: 'Texts' })).id
      const price = (await at.stripe.prices.create({ ...monthly(4_000), product })).id
      await world.advance(15)
      return update(at, { items: [{ price }], proration_behavior: 'create_prorations' })
    },
    'We’ll take one last payment of £24.00 that day.',
    2_400,
  ],
  [
    'a book, and credit that pays for it',
    async (at) => {
      await book(at)
      await at.stripe.customers.createBalanceTransaction(at.customer, { amount: -10_000, currency: 'gbp' })
    },
    'Your credit pays for one last payment that day, £48.00.',
    0,
  ],
  ['more to come back', (at) => book(at, -4_000), 'We won’t take another payment. £48.00 stays as credit.', 0],
  [
    'a book, and no card',
    async (at) => {
      await book(at)
      const [card] = (await at.stripe.paymentMethods.list({ customer: at.customer })).data
      await at.stripe.paymentMethods.detach(card?.id ?? '')
    },
    'You’ve no card saved for one last payment of £48.00 that day.',
    0,
  ],
  [
    'a book, and payments paused',
    async (at) => {
      await book(at)
      return update(at, { pause_collection: { behavior: 'void' } })
    },
    'We won’t take another payment.',
    0,
  ],
]

describe('a membership that ends takes what waits for its last bill, and says so before', () => {
  test.each(waiting)('%s', async (_what, byHand, said, taken) => {
    const call = await becomeMember(world)
    const at = await startBilling(call)
    await byHand(at)
    await world.sandbox.settle()
    const asked = await (await call('/api/billing/next-payment?change=cancel')).json()
    await acted(call, '/api/billing/cancel')
    const billing = await billingOf(call)
    expect(stateLine(billing)).toMatch(new RegExp(`15 July 2026\\. .*${said.replaceAll(/[.?]/g, '\\$&')}$`))
    if (billing.nextPayment) expect(asked.nextPayment).toEqual(billing.nextPayment)
    const mail = world.ctx.sqlite.prepare(`select text from mail_outbox where cause like 'ending:%'`).pluck().get()
    expect(String(mail).includes('won’t take another payment')).toBe(said.includes('won’t take another payment'))
    await world.advance(33)
    await world.sandbox.settle()
    const invoices = (await world.ctx.stripe.invoices.list({ customer: at.customer })).data
    const after = invoices.filter(
      ({ status, billing_reason }) => status === 'paid' && billing_reason === 'subscription_cycle',
    )
    expect(after.reduce((sum, { amount_paid }) => sum + amount_paid, 0)).toBe(taken)
    expect((await billingOf(call)).status).toBe('canceled')
  })

  test('the last payment has its VAT invoice and receipt, no commission, and stays taken', async () => {
    const call = await becomeMember(world)
    await world.control('settings', { draftMinutes: 60 })
    await book(await startBilling(call))
    await acted(call, '/api/billing/cancel')
    await world.advance(33)
    await world.sandbox.settle()
    await world.advance(3)
    await syncCustomer(world.ctx, onlyCustomer(world))
    const rows = (sql: string) => world.ctx.sqlite.prepare(sql).raw().all()
    expect(rows('select net, vat, gross from invoices order by sequence')).toEqual([
      [25_000, 5_000, 30_000],
      [4_000, 800, 4_800],
    ])
    expect(rows('select amount from commission_ledger where isSettlement = 0')).toEqual([[2_500]])
    expect(rows('select 1 from provider_refunds')).toEqual([])
    expect(rows(`select count(*) from mail_outbox where cause like 'receipt:%' and text like '%£48.00%'`)).toEqual([
      [1],
    ])
    const ended = rows(`select text from mail_outbox where cause like 'ended:%'`).flat().join('')
    expect(ended).toContain('We’ll take one last payment of £48.00 for what was still to pay.')
  })

  test('at the end of a trial', async () => {
    const trial = await beginTrial(world, cards.pays)
    await book(await startBilling(trial))
    await acted(trial, '/api/billing/cancel')
    expect(stateLine(await billingOf(trial))).toMatch(/ We’ll take one last payment of £48\.00 that day\.$/)
  })

  test('a booked tier goes with the cancellation, and the dialog has asked for what’s left', async () => {
    const call = await becomeMember(world)
    await book(await startBilling(call))
    await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
    const { nextPayment } = await (await call('/api/billing/next-payment?change=cancel')).json()
    expect(nextPayment).toMatchObject({ on: '2026-07-15', due: 4_800 })
    expect(stateLine(await billingOf(call))).toContain('Then we’ll take £588.00 for Alliance XL.')
    await acted(call, '/api/billing/cancel')
    expect((await billingOf(call)).nextPayment).toEqual(nextPayment)
  })

  test('with a renewal unpaid, its mail names the last payment too', async () => {
    const call = await becomeMember(world, cards.failsLater)
    await world.control('settings', { retryDays: [3, 20] })
    await world.advance(32)
    await book(await startBilling(call))
    await acted(call, '/api/billing/cancel')
    const mail = world.ctx.sqlite.prepare(`select text from mail_outbox where cause like 'ending:%'`).pluck().get()
    expect(mail).toContain('We’ll take one last payment of £48.00 that day. Until then')
    expect(mail).not.toContain('won’t take any more')
  })

  test('a last payment that fails is asked for as any invoice, and isn’t written off', async () => {
    const call = await becomeMember(world, cards.failsLater)
    await book(await startBilling(call))
    await acted(call, '/api/billing/cancel')
    await world.advance(33)
    await world.sandbox.settle()
    const [last] = (await world.ctx.stripe.invoices.list({ customer: onlyCustomer(world) })).data
    expect([last?.status, last?.amount_due]).toEqual(['open', 4_800])
    expect(await (await call('/api/billing/invoices')).json()).toMatchObject([{ status: 'open', total: 4_800 }, {}])
  })
})

describe('when it’s asked', () => {
  const askedAt = () => world.ctx.db.select({ at: subscriptions.nextPaymentAskedAt }).from(subscriptions).get()?.at
  const sync = () => syncCustomer(world.ctx, onlyCustomer(world))

  test('again only when something changed, and once in the three days before it’s due', async () => {
    await becomeMember(world)
    const first = askedAt()
    await world.advance(20)
    await sync()
    expect(askedAt()).toBe(first)
    await world.advance(8)
    await sync()
    const second = askedAt()
    expect(second).not.toBe(first)
    await world.advance(1)
    await sync()
    expect(askedAt()).toBe(second)
  })

  test('no preview, no promise: the sync goes on without, and the next one asks again', async () => {
    const call = await becomeMember(world)
    await world.control('settings', { webhooks: { hold: true } })
    await discounted(half)(await startBilling(call))
    await world.control('faults', { kind: 'error', method: 'POST', path: '/v1/invoices/create_preview', times: 3 })
    expect(await sync()).toBe('written')
    expect(stateLine(await billingOf(call))).toBe('Paid until 15 July 2026.')
    await sync()
    expect(stateLine(await billingOf(call))).toBe(
      'Paid until 15 July 2026. Then we’ll take £150.00 for the next month.',
    )
  })
})

describe('a dialog asks with the change in it', () => {
  const asked = async (call: Call, query: string) => (await call(`/api/billing/next-payment?${query}`)).json()

  test('resuming, another tier, and a free month', async () => {
    const call = await becomeMember(world)
    await discounted({ ...half, duration: 'once' })(await startBilling(call))
    await world.sandbox.settle()
    expect(await asked(call, 'change=tier&tierSlug=xl')).toMatchObject({
      nextPayment: { on: '2026-07-15', due: 27_000 },
    })
    expect(await asked(call, 'change=free-month')).toMatchObject({ nextPayment: { due: 0 } })
    await acted(call, '/api/billing/cancel')
    expect((await billingOf(call)).nextPayment).toBeUndefined()
    expect(await asked(call, 'change=resume')).toMatchObject({ nextPayment: { on: '2026-07-15', due: 15_000 } })
    await acted(call, '/api/billing/resume')
    expect(stateLine(await billingOf(call))).toBe(
      'Paid until 15 July 2026. Then we’ll take £150.00 for the next month.',
    )
  })

  test('each month after is the same only where nothing else is on that invoice', async () => {
    const call = await becomeMember(world)
    const at = await startBilling(call)
    const same = async () => {
      const tier = await asked(call, 'change=tier&tierSlug=xl')
      const { nextBill } = await acted(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' })
      return [tier.nextPayment.due, tier.nextPayment.isEveryMonth, nextBill.due, nextBill.isEveryMonth]
    }
    expect(await same()).toEqual([54_000, true, 54_000, true])
    const { id } = await at.stripe.invoiceItems.create({ customer: at.customer, amount: 4_000, currency: 'gbp' })
    expect(await same()).toEqual([58_800, undefined, 58_800, undefined])
    await at.stripe.invoiceItems.del(id)
    await at.stripe.customers.createBalanceTransaction(at.customer, { amount: 1_200, currency: 'gbp' })
    expect((await same()).slice(0, 2)).toEqual([55_200, undefined])
  })

  test('another tier in the place of one that’s booked, for an owner too', async () => {
    const call = await becomeMember(world)
    await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
    expect(await asked(call, 'change=tier&tierSlug=lite')).toMatchObject({ nextPayment: { due: 15_000 } })
    const { id } = await (await call('/api/auth/user')).json()
    const owner = world.signIn(world.addOwner())
    const path = `/api/admin/members/${id}/next-payment?change=tier&tierSlug=lite`
    expect(await (await owner(path)).json()).toMatchObject({ nextPayment: { due: 15_000, vat: 2_500 } })
  })
})
