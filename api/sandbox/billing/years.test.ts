import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import {
  type Catalogue,
  createCatalogue,
  createClock,
  createWorld,
  invoiceOf,
  subscribe,
  subscribeAndPay,
  type World,
} from '#api/sandbox/testing/world.ts'

type Sold = Catalogue & { dearerYear: Stripe.Price }
type Start = { card?: string; mode?: 'classic' | 'flexible'; from?: 'month' | 'year'; startsAt?: string }

const seconds = (at: string) => Date.parse(at.length === 10 ? `${at}T10:00:00Z` : at) / 1000
const now = ({ clock }: World) => Math.floor(clock.now().getTime() / 1000)
const read = (world: World, id: string) => world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
const itemOf = ({ items: { data } }: Stripe.Subscription) => data[0] ?? expect.fail('no item')
const periodOf = (subscription: Stripe.Subscription) => {
  const { current_period_start: start, current_period_end: end } = itemOf(subscription)
  return { start, end }
}
const linesOf = ({ lines }: Stripe.Invoice) =>
  lines.data.map(({ description, amount, parent }) => [
    description,
    amount,
    parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration,
  ])

/** £450.00 and £800.00 by the month, ten of them by the year, excluding 20% VAT. */
async function createYears(world: World): Promise<Sold> {
  const catalogue = await createCatalogue(world)
  const yearly = {
    currency: 'gbp',
    product: String(catalogue.price.product),
    recurring: { interval: 'year' as const },
  }
  return {
    ...catalogue,
    dearerYear: await world.stripe.prices.create({ ...yearly, unit_amount: 800_000 }),
  }
}

async function begin({ card, mode = 'flexible', from = 'month', startsAt = '2027-01-31' }: Start = {}) {
  const world = await createWorld({ clock: createClock(`${startsAt}T10:00:00.000Z`) })
  const sold = await createYears(world)
  if (mode === 'classic') {
    const customer = await world.stripe.customers.create()
    const method = await world.stripe.paymentMethods.attach(card ?? 'pm_card_visa', { customer: customer.id })
    const subscription = await world.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: sold[from === 'month' ? 'price' : 'year'].id }],
      default_tax_rates: [sold.vat.id],
      default_payment_method: method.id,
      billing_mode: { type: 'classic' },
    })
    return { world, sold, id: subscription.id, customer: customer.id }
  }
  const { subscription, customer } = await subscribeAndPay(
    world,
    { ...sold, price: sold[from === 'month' ? 'price' : 'year'] },
    card,
  )
  return { world, sold, id: subscription.id, customer: customer.id }
}

async function halfway(start?: Start) {
  const begun = await begin(start)
  await begun.world.advanceDays(14)
  const item = itemOf(await begun.world.stripe.subscriptions.retrieve(begun.id)).id
  return { ...begun, item, to: (price: Stripe.Price) => [{ id: item, price: price.id }] }
}

const anew = { billing_cycle_anchor: { type: 'now' } } as const
const pending = { payment_behavior: 'pending_if_incomplete', proration_behavior: 'always_invoice' } as const

describe('from a month to a year', () => {
  test('it bills a year at once less the month’s rest, as its preview says, and counts from then on', async () => {
    const { world, sold, id, to } = await halfway()
    const change = { items: to(sold.year), proration_date: now(world), ...anew }
    const shown = await world.stripe.invoices.createPreview({
      subscription: id,
      subscription_details: { ...change, proration_behavior: 'always_invoice' },
    })
    expect(linesOf(shown)).toEqual([
      ['Unused time on XL after 14 Feb 2027', -22_500, true],
      ['1 × XL (at £4,500.00 / year)', 450_000, false],
    ])
    expect(shown).toMatchObject({ total: 513_000, billing_reason: 'subscription_update' })
    const changed = await world.stripe.subscriptions.update(id, { ...change, ...pending, expand: ['latest_invoice'] })
    expect([linesOf(invoiceOf(changed)), invoiceOf(changed).amount_paid]).toEqual([linesOf(shown), 513_000])
    expect(invoiceOf(changed).lines.data.map(({ period }) => period)).toEqual([
      { start: now(world), end: seconds('2027-02-28') },
      { start: now(world), end: seconds('2028-02-14') },
    ])
    expect(changed).toMatchObject({ status: 'active', pending_update: null, billing_cycle_anchor: now(world) })
    expect(periodOf(changed)).toEqual({ start: now(world), end: seconds('2028-02-14') })
    const next = await world.stripe.invoices.createPreview({ subscription: id })
    expect([next.amount_due, next.lines.data[0]?.period.start]).toEqual([540_000, seconds('2028-02-14')])
    await world.advanceDays(366)
    expect(invoiceOf(await read(world, id))).toMatchObject({ billing_reason: 'subscription_cycle', total: 540_000 })
    expect((await world.stripe.invoices.list({ subscription: id })).data).toHaveLength(3)
  })

  test('in classic billing the interval moves the anchor by itself, in flexible it has to be said', async () => {
    const classic = await halfway({ mode: 'classic' })
    const changed = await classic.world.stripe.subscriptions.update(classic.id, {
      items: classic.to(classic.sold.year),
    })
    expect([changed.billing_cycle_anchor, periodOf(changed).end]).toEqual([now(classic.world), seconds('2028-02-14')])
    const { world, sold, id, to } = await halfway()
    const unsaid = world.stripe.subscriptions.update(id, { items: to(sold.year) })
    await expect(unsaid).rejects.toMatchObject({ param: 'billing_cycle_anchor', statusCode: 400 })
    const shown = { subscription: id, subscription_details: { items: to(sold.year) } }
    await expect(world.stripe.invoices.createPreview(shown)).rejects.toMatchObject({ param: 'billing_cycle_anchor' })
  })

  test.each([
    ['none', [450_000]],
    ['create_prorations', [-22_500, 450_000]],
    ['always_invoice', [-22_500, 450_000]],
  ] as const)('it’s billed at once with proration_behavior=%s', async (proration_behavior, amounts) => {
    const { world, sold, id, to } = await halfway()
    const change = { items: to(sold.year), proration_behavior, ...anew }
    const shown = await world.stripe.invoices.createPreview({ subscription: id, subscription_details: change })
    expect(shown.lines.data.map(({ amount }) => amount)).toEqual(amounts)
    const changed = await world.stripe.subscriptions.update(id, { ...change, expand: ['latest_invoice'] })
    expect(invoiceOf(changed)).toMatchObject({ status: 'paid', total: shown.total })
    expect(invoiceOf(changed).lines.data.map(({ amount }) => amount)).toEqual(amounts)
  })

  test.each([
    ['flexible', 'always_invoice', true],
    ['flexible', 'create_prorations', true],
    ['classic', 'always_invoice', false],
    ['classic', 'create_prorations', true],
  ] as const)('in %s billing with %s it takes what’s pending: %s', async (mode, proration_behavior, isTaken) => {
    const { world, sold, id, customer, to } = await halfway({ mode })
    await world.stripe.invoiceItems.create({ customer, amount: 700, currency: 'gbp' })
    const change = { items: to(sold.year), proration_behavior, ...anew }
    await world.stripe.subscriptions.update(id, change)
    const [newest] = (await world.stripe.invoices.list({ subscription: id })).data
    const amounts = newest?.lines.data.map(({ amount }) => amount)
    expect(amounts).toEqual([...(isTaken ? [700] : []), -22_500, 450_000])
  })

  test('a coupon for once is used up by it, and one for good comes off the year', async () => {
    const { world, sold, id, to } = await halfway()
    const { stripe } = world
    const once = await stripe.coupons.create({ amount_off: 1_000, currency: 'gbp', duration: 'once' })
    const always = await stripe.coupons.create({ percent_off: 10, duration: 'forever' })
    await stripe.subscriptions.update(id, { discounts: [{ coupon: once.id }, { coupon: always.id }] })
    const changed = await stripe.subscriptions.update(id, {
      items: to(sold.year),
      proration_behavior: 'always_invoice',
      ...anew,
      expand: ['latest_invoice'],
    })
    expect(changed.discounts).toHaveLength(1)
    // (450000 − 1000) × 90% − 22500, which had been paid whole.
    expect(invoiceOf(changed).total_excluding_tax).toBe(381_600)
  })

  test('a declined change waits with its own anchor; voiding its invoice leaves the month as it was', async () => {
    const { world, sold, id, to } = await halfway({ card: 'pm_card_chargeCustomerFail' })
    const before = await world.stripe.subscriptions.retrieve(id)
    const refused = await world.stripe.subscriptions.update(id, {
      items: to(sold.year),
      ...anew,
      ...pending,
      expand: ['latest_invoice'],
    })
    expect(refused).toMatchObject({
      status: 'active',
      billing_cycle_anchor: before.billing_cycle_anchor,
      items: { data: [{ price: { id: sold.price.id } }] },
      pending_update: {
        billing_cycle_anchor: now(world),
        expires_at: now(world) + 23 * 3600,
        subscription_items: [{ price: { id: sold.year.id } }],
      },
    })
    await world.stripe.invoices.voidInvoice(invoiceOf(refused).id)
    const after = await world.stripe.subscriptions.retrieve(id)
    expect({ ...after, latest_invoice: null }).toEqual({ ...before, latest_invoice: null })
    await world.advanceDays(14.1)
    expect((await world.stripe.subscriptions.retrieve(id)).status).toBe('past_due')
  })

  test('one that the bank asks about begins when it was asked for, though it’s paid later', async () => {
    const { world, sold, id, customer, to } = await halfway()
    const card = await world.stripe.paymentMethods.attach('pm_card_authenticationRequired', { customer })
    await world.stripe.subscriptions.update(id, { default_payment_method: card.id })
    const expand = ['latest_invoice.confirmation_secret']
    const waiting = await world.stripe.subscriptions.update(id, { items: to(sold.year), ...anew, ...pending, expand })
    const asked = now(world)
    const intent = invoiceOf(waiting).confirmation_secret?.client_secret.split('_secret_')[0]
    await world.advanceDays(0.1)
    await fetch(`${world.sandbox.url}/3ds/${intent}/complete`, { method: 'POST' })
    const after = await world.stripe.subscriptions.retrieve(id)
    expect(after).toMatchObject({ pending_update: null, billing_cycle_anchor: asked })
    expect(periodOf(after)).toEqual({ start: asked, end: seconds('2028-02-14') })
  })

  test('without pending updates a declined card makes it past due, and it’s retried', async () => {
    const { world, sold, id, to } = await halfway({ card: 'pm_card_chargeCustomerFail' })
    const change = { items: to(sold.year), proration_behavior: 'always_invoice' as const, ...anew }
    const changed = await world.stripe.subscriptions.update(id, { ...change, expand: ['latest_invoice'] })
    expect([changed.status, invoiceOf(changed).status]).toEqual(['past_due', 'open'])
    expect(itemOf(changed).price.id).toBe(sold.year.id)
  })
})

describe('within a year, and out of one', () => {
  test('a dearer year is prorated by the seconds of the year, and the day stays', async () => {
    const { world, sold, id } = await begin({ from: 'year' })
    await world.advanceDays(73)
    const before = await world.stripe.subscriptions.retrieve(id)
    const changed = await world.stripe.subscriptions.update(id, {
      items: [{ id: itemOf(before).id, price: sold.dearerYear.id }],
      ...pending,
      expand: ['latest_invoice'],
    })
    expect(invoiceOf(changed).lines.data.map(({ amount }) => amount)).toEqual([-360_000, 640_000])
    expect([changed.billing_cycle_anchor, periodOf(changed)]).toEqual([before.billing_cycle_anchor, periodOf(before)])
  })

  test('to a month: the year’s rest is credited, and what’s left of it goes to the balance', async () => {
    const { world, sold, id, customer } = await begin({ from: 'year' })
    await world.advanceDays(73)
    const items = [{ id: itemOf(await world.stripe.subscriptions.retrieve(id)).id, price: sold.price.id }]
    const refused = world.stripe.subscriptions.update(id, { items, ...anew, ...pending })
    await expect(refused).rejects.toMatchObject({ param: 'items', statusCode: 400 })
    const changed = await world.stripe.subscriptions.update(id, {
      items,
      proration_behavior: 'always_invoice',
      ...anew,
      expand: ['latest_invoice'],
    })
    expect(invoiceOf(changed)).toMatchObject({ status: 'paid', total: (45_000 - 360_000) * 1.2, amount_due: 0 })
    expect(await world.stripe.customers.retrieve(customer)).toMatchObject({ balance: -378_000 })
    expect(periodOf(changed)).toEqual({ start: now(world), end: seconds('2027-05-14') })
  })

  test('the cycle can be begun anew at the same price', async () => {
    const { world, id } = await halfway()
    const change = { proration_behavior: 'create_prorations' as const, ...anew }
    const changed = await world.stripe.subscriptions.update(id, { ...change, expand: ['latest_invoice'] })
    expect(invoiceOf(changed).lines.data.map(({ amount }) => amount)).toEqual([-22_500, 45_000])
    expect(periodOf(changed)).toEqual({ start: now(world), end: seconds('2027-03-14') })
  })

  test('one that ends with its period ends with the new one', async () => {
    const { world, sold, id, to } = await halfway()
    await world.stripe.subscriptions.update(id, { cancel_at_period_end: true })
    await world.stripe.subscriptions.update(id, { items: to(sold.year), ...anew, ...pending })
    expect((await world.stripe.subscriptions.retrieve(id)).cancel_at).toBe(seconds('2028-02-14'))
  })

  test('items of several intervals are refused', async () => {
    const { world, sold, id, to } = await halfway()
    await world.stripe.subscriptions.update(id, { items: [{ price: sold.dearer.id }], proration_behavior: 'none' })
    const mixed = world.stripe.subscriptions.update(id, { items: to(sold.year), ...anew })
    await expect(mixed).rejects.toMatchObject({ param: 'items', statusCode: 400 })
    const customer = await world.stripe.customers.create()
    const items = [{ price: sold.price.id }, { price: sold.year.id }]
    const created = world.stripe.subscriptions.create({ customer: customer.id, items })
    await expect(created).rejects.toMatchObject({ param: 'items', statusCode: 400 })
  })
})

test.each([
  ['2027-02-28', ['2028-02-28', '2029-02-28', '2030-02-28']],
  ['2028-02-29', ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
  ['2027-12-31', ['2028-12-31', '2029-12-31']],
])('a year begun on %s is renewed on %j', async (startsAt, days) => {
  const { world, id } = await begin({ from: 'year', startsAt })
  for (const day of days) {
    expect(periodOf(await world.stripe.subscriptions.retrieve(id)).end).toBe(seconds(day))
    await world.sandbox.advance(new Date((seconds(day) + 60) * 1000))
    const renewed = await read(world, id)
    expect(invoiceOf(renewed)).toMatchObject({ status: 'paid', total: 540_000 })
    expect(periodOf(renewed).start).toBe(seconds(day))
  }
})

describe('by a schedule', () => {
  type Phase = Stripe.SubscriptionScheduleUpdateParams.Phase

  async function booked(begun: Awaited<ReturnType<typeof begin>>, price: Stripe.Price, more: Partial<Phase> = {}) {
    const { world, sold, id } = begun
    const schedule = await world.stripe.subscriptionSchedules.create({ from_subscription: id })
    const [current] = schedule.phases
    const rates = { default_tax_rates: [sold.vat.id] }
    const phases: Phase[] = [
      {
        ...rates,
        items: (current?.items ?? []).map((item) => ({ price: String(item.price) })),
        start_date: current?.start_date ?? 0,
        end_date: current?.end_date ?? 0,
      },
      { ...rates, items: [{ price: price.id }], proration_behavior: 'none', ...more },
    ]
    return world.stripe.subscriptionSchedules.update(schedule.id, { end_behavior: 'release', phases })
  }

  const ofItsOwn = { billing_cycle_anchor: 'phase_start', duration: { interval: 'year' } } as const

  test('a year begins where the month ends, counts from there, and is what the preview said', async () => {
    const begun = await begin()
    const { world, sold, id } = begun
    const schedule = await booked(begun, sold.year, ofItsOwn)
    expect(schedule.phases.at(-1)).toMatchObject({
      billing_cycle_anchor: 'phase_start',
      start_date: seconds('2027-02-28'),
      end_date: seconds('2028-02-28'),
    })
    const shown = await world.stripe.invoices.createPreview({ schedule: schedule.id })
    expect([shown.amount_due, shown.lines.data.map(({ amount }) => amount)]).toEqual([540_000, [450_000]])
    await world.advanceDays(28.1)
    const year = await read(world, id)
    expect(linesOf(invoiceOf(year))).toEqual(linesOf(shown))
    expect([year.billing_cycle_anchor, periodOf(year).end]).toEqual([seconds('2027-02-28'), seconds('2028-02-28')])
    expect((await world.stripe.subscriptionSchedules.retrieve(schedule.id)).status).toBe('active')
    await world.advanceDays(366)
    expect((await world.stripe.subscriptionSchedules.retrieve(schedule.id)).status).toBe('released')
    expect(periodOf(await read(world, id)).end).toBe(seconds('2029-02-28'))
  })

  test('a month follows a year', async () => {
    const begun = await begin({ from: 'year' })
    const { world, sold, id } = begun
    const month = { billing_cycle_anchor: 'phase_start', duration: { interval: 'month' } } as const
    await booked(begun, sold.price, month)
    await world.advanceDays(365.1)
    const after = await read(world, id)
    expect(invoiceOf(after)).toMatchObject({ status: 'paid', total: 54_000 })
    expect(periodOf(after)).toEqual({ start: seconds('2028-01-31'), end: seconds('2028-02-29') })
    await world.advanceDays(29)
    expect((await world.stripe.invoices.list({ subscription: id })).data.map(({ total }) => total)).toEqual([
      54_000, 54_000, 540_000,
    ])
  })

  test('in flexible billing the anchor has to be said where the new interval wouldn’t begin with a period; classic moves it', async () => {
    const begun = await begin()
    await expect(booked(begun, begun.sold.year)).rejects.toMatchObject({ param: 'phases', statusCode: 400 })
    const classic = await begin({ mode: 'classic' })
    await booked(classic, classic.sold.year)
    await classic.world.advanceDays(28.1)
    expect(periodOf(await read(classic.world, classic.id)).end).toBe(seconds('2028-02-28'))
  })

  test('a phase of the same interval may count anew too', async () => {
    const begun = await begin()
    await booked(begun, begun.sold.dearer, { billing_cycle_anchor: 'phase_start' })
    await begun.world.advanceDays(28.1)
    expect(periodOf(await read(begun.world, begun.id)).end).toBe(seconds('2027-03-28'))
  })
})

describe('a trial', () => {
  test('before a year: its first payment is a year’s, and it counts from there', async () => {
    const world = await createWorld()
    const sold = await createYears(world)
    const { customer } = await subscribe(world, sold)
    const method = await world.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
    const { id } = await world.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: sold.year.id }],
      default_tax_rates: [sold.vat.id],
      default_payment_method: method.id,
      trial_end: seconds('2027-03-01'),
    })
    const shown = await world.stripe.invoices.createPreview({ subscription: id })
    expect([shown.amount_due, shown.lines.data[0]?.period.end]).toEqual([540_000, seconds('2028-03-01')])
    await world.advanceDays(30)
    const begun = await read(world, id)
    expect([invoiceOf(begun).amount_paid, begun.billing_cycle_anchor]).toEqual([540_000, seconds('2027-03-01')])
  })

  test('its price may become a year’s, without a charge', async () => {
    const world = await createWorld()
    const sold = await createYears(world)
    const { customer } = await subscribe(world, sold)
    const created = await world.stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: sold.price.id }],
      trial_end: seconds('2027-03-01'),
    })
    const items = [{ id: itemOf(created).id, price: sold.year.id }]
    const changed = await world.stripe.subscriptions.update(created.id, { items })
    expect([changed.status, changed.latest_invoice]).toEqual(['trialing', created.latest_invoice])
    expect((await world.stripe.invoices.createPreview({ subscription: created.id })).amount_due).toBe(450_000)
  })

  test('puts a year’s renewal off by a month, and the years count from then', async () => {
    const { world, id } = await begin({ from: 'year' })
    await world.advanceDays(350)
    const until = { trial_end: seconds('2028-02-29'), proration_behavior: 'none' } as const
    const put = await world.stripe.subscriptions.update(id, until)
    expect([put.status, periodOf(put).end]).toEqual(['trialing', seconds('2028-02-29')])
    const shown = await world.stripe.invoices.createPreview({ subscription: id })
    await world.sandbox.advance(new Date((seconds('2028-02-29') + 60) * 1000))
    const renewed = await read(world, id)
    expect([renewed.status, invoiceOf(renewed).amount_paid]).toEqual(['active', shown.amount_due])
    expect(periodOf(renewed).end).toBe(seconds('2029-02-28'))
  })

  test('ends within two years', async () => {
    const { world, sold, id, customer } = await begin()
    const until = (at: string) => ({ trial_end: seconds(at), proration_behavior: 'none' as const })
    for (const late of [
      world.stripe.subscriptions.update(id, until('2029-02-01')),
      world.stripe.subscriptions.create({
        customer,
        items: [{ price: sold.year.id }],
        trial_end: seconds('2029-02-01'),
      }),
    ]) {
      await expect(late).rejects.toMatchObject({ param: 'trial_end', statusCode: 400 })
    }
    expect((await world.stripe.subscriptions.update(id, until('2029-01-31'))).status).toBe('trialing')
  })
})
