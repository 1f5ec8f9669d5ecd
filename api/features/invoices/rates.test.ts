import { afterEach, beforeEach, expect, test } from 'vitest'
import { listMailbox } from '#api/features/mail/mailbox-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { act, acted, becomeMember, personCalled } from '#api/testing/billing.ts'
import { dashboard } from '#api/testing/dashboard.ts'
import { download } from '#api/testing/downloads.ts'
import { billingOf, onlyCustomer, sam } from '#api/testing/joining.ts'
import { issuedInvoices } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { everyPeriod } from '#shared/rules/price-words.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const quarterOf = (day: string) => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`

const newest = () => issuedInvoices(world).at(-1)

const linesOf = (invoice: ReturnType<typeof newest>) =>
  invoice?.lines.map(({ net, rate, vat }) => ({ net, rate, vat })) ?? []

const { rateOf, priceOfTier, addOnPrice, sellToSam } = dashboard(() => world)

const subscriptionRow = (id: string) =>
  world.ctx.sqlite.prepare('select status, tierSlug, yearlyNet, chargeTotal from subscriptions where id = ?').get(id)

test('INV-1 each line keeps its tax rate’s own percentage, and documents have a row for each', async () => {
  await becomeMember(world)
  const customer = onlyCustomer(world)
  const items = [
    { amount: 1_000, tax_rates: [await rateOf(0)], description: 'Printed book' },
    { amount: 2_000, tax_rates: [await rateOf(5)], description: 'Insulation' },
    { amount: 1_200, tax_rates: [await rateOf(20, true)], description: 'Tape' },
    { amount: 999, tax_rates: [await rateOf(12.5)], description: 'Odd one' },
  ]
  for (const item of items) await world.ctx.stripe.invoiceItems.create({ customer, currency: 'gbp', ...item })
  await world.advance(31)
  await world.sandbox.settle()
  const invoice = newest()
  expect(linesOf(invoice)).toEqual(
    expect.arrayContaining([
      { net: 1_000, rate: 0, vat: 0 },
      { net: 2_000, rate: 5, vat: 100 },
      { net: 1_000, rate: 20, vat: 200 },
      { net: 999, rate: 12.5, vat: 125 },
      { net: 25_000, rate: 20, vat: 5_000 },
    ]),
  )
  expect([invoice?.net, invoice?.vat, invoice?.gross]).toEqual([29_999, 5_425, 35_424])
  const half = { invoice: invoice?.providerInvoiceId ?? '', amount: 17_712, credit_amount: 17_712 }
  await world.ctx.stripe.creditNotes.create(half)
  await world.sandbox.settle()
  const owner = world.signIn(world.addOwner())
  const csv = await (await download(owner, 'invoices.csv')).text()
  const ofMixed = csv.split('\r\n').filter((row) => /^(Invoice,A-000002|Credit note)/.test(row))
  const amountsOf = (row: string) =>
    row
      .match(/,(-?[\d.]+),(-?[\d.]+),(-?[\d.]+),[^,]*,[^,]*$/)
      ?.slice(1)
      .map(Number) ?? []
  expect(ofMixed.map(amountsOf)).toEqual([
    [260, 52, 312],
    [9.99, 1.25, 11.24],
    [20, 1, 21],
    [10, 0, 10],
    [-130, -26, -156],
    [-4.99, -0.63, -5.62],
    [-10, -0.5, -10.5],
    [-5, 0, -5],
  ])
  const vat = await (await owner(`/api/admin/vat/${quarterOf(invoice?.taxPoint ?? '')}`)).json()
  const sum = (what: 'net' | 'vat') =>
    vat.rates.reduce((all: number, rate: Record<string, number>) => all + (rate[what] ?? 0), 0)
  expect(vat.rates.map(({ rate }: { rate: number }) => rate)).toEqual([20, 12.5, 5, 0])
  expect([sum('net'), sum('vat')]).toEqual([vat.boxes[6], vat.boxes[1]])
})

const rows = (sql: string) => world.ctx.sqlite.prepare(sql).all()

test('INV-1 a line that names no tax rate includes 20% VAT, and so does our own price', async () => {
  const id = await sellToSam({ default_tax_rates: [] })
  expect(linesOf(newest())).toEqual([{ net: 20_833, rate: 20, vat: 4_167 }])
  expect(rows('select net, amount from commission_ledger')).toEqual([{ net: 20_833, amount: 2_083 }])
  expect(subscriptionRow(id)).toMatchObject({ yearlyNet: 249_996, chargeTotal: 25_000 })
})

async function untaxed() {
  // Findings are known for five minutes.
  world.forward(360_000)
  const { findings: all } = await (await world.signIn(world.addOwner())('/api/admin/today')).json()
  return all.flatMap(({ check, message }: Record<string, string>) => (check === 'lines without VAT' ? [message] : []))
}

test('owners read of payments that name no rate, for a month after the last one: then it’s mended', async () => {
  const id = await sellToSam({ default_tax_rates: [] })
  expect(await untaxed()).toEqual([expect.stringMatching(/^1 payment at Stripe had no tax rate, so .* included: in_/)])
  await world.ctx.stripe.subscriptions.update(id, { default_tax_rates: [await rateOf(20)] })
  await world.advance(40)
  expect(linesOf(newest())).toEqual([{ net: 25_000, rate: 20, vat: 5_000 }])
  expect(await untaxed()).toEqual([])
})

test('an open invoice that names no rate is no payment yet, and owners read of it once it’s paid', async () => {
  await becomeMember(world)
  const customer = onlyCustomer(world)
  const draft = await world.ctx.stripe.invoices.create({ customer, auto_advance: false })
  await world.ctx.stripe.invoiceItems.create({ customer, invoice: draft.id, amount: 9_900 })
  const { id } = await world.ctx.stripe.invoices.finalizeInvoice(draft.id)
  await world.sandbox.settle()
  expect(await untaxed()).toEqual([])
  const [card] = (await world.ctx.stripe.paymentMethods.list({ customer })).data
  await world.ctx.stripe.invoices.pay(id, { payment_method: card?.id ?? '' })
  await world.sandbox.settle()
  expect(await untaxed()).toEqual([expect.stringContaining(id)])
})

test('INV-1 a customer the dashboard calls exempt has paid with VAT inside', async () => {
  await becomeMember(world)
  await world.ctx.stripe.customers.update(onlyCustomer(world), { tax_exempt: 'exempt' })
  await world.advance(31)
  await world.sandbox.settle()
  expect(linesOf(newest())).toEqual([{ net: 20_833, rate: 20, vat: 4_167 }])
})

test('INV-1 an upgrade changes the tier’s item and leaves an add-on that stands before it', async () => {
  const price = await addOnPrice()
  const id = await sellToSam({ items: [{ price }, { price: await priceOfTier() }] })
  const call = world.signIn(personCalled(world, sam.email))
  const shown = await acted(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' })
  expect(shown).toMatchObject({ credit: { net: 25_000 }, charge: { net: 45_000 }, nextBill: { net: 49_000 } })
  expect(await acted(call, '/api/billing/upgrade', { attemptId: shown.attemptId })).toMatchObject({
    status: 'upgraded',
  })
  const { items } = await world.ctx.stripe.subscriptions.retrieve(id)
  expect(items.data.map((item) => item.price.unit_amount)).toEqual([4_000, 45_000])
  expect(subscriptionRow(id)).toMatchObject({ tierSlug: 'xl', yearlyNet: 540_000 })
  expect(newest()?.lines.map(({ net }) => net)).toEqual([-25_000, 45_000])
})

test('INV-1 a tier change with the next bill leaves an add-on, in what we promise and in what Stripe takes', async () => {
  const price = await addOnPrice()
  const id = await sellToSam({ items: [{ price }, { price: await priceOfTier() }] })
  const call = world.signIn(personCalled(world, sam.email))
  const asked = async () => (await call('/api/billing/next-payment?change=tier&tierSlug=xl')).json()
  expect(await asked()).toMatchObject({ nextPayment: { due: 58_800 } })
  await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
  expect(await asked()).toMatchObject({ nextPayment: { due: 58_800 } })
  expect(await billingOf(call)).toMatchObject({ nextPayment: { due: 58_800 } })
  await world.advance(31)
  await world.sandbox.settle()
  expect([newest()?.tierSlug, newest()?.gross]).toEqual(['xl', 58_800])
  const { items } = await world.ctx.stripe.subscriptions.retrieve(id)
  expect(items.data.map((item) => item.price.unit_amount).sort()).toEqual([4_000, 45_000])
})

test('INV-1 a tier change with the next bill keeps the coupons of its item and of an add-on', async () => {
  const { id: half } = await world.ctx.stripe.coupons.create({ percent_off: 50, duration: 'forever' })
  const { id: tenth } = await world.ctx.stripe.coupons.create({ percent_off: 10, duration: 'forever' })
  const addOn = await addOnPrice()
  const id = await sellToSam({
    items: [
      { price: addOn, discounts: [{ coupon: tenth }] },
      { price: await priceOfTier(), discounts: [{ coupon: half }] },
    ],
  })
  expect(subscriptionRow(id)).toMatchObject({ yearlyNet: 150_000 })
  const call = world.signIn(personCalled(world, sam.email))
  const due = Math.round((22_500 + 3_600) * 1.2)
  const asked = await (await call('/api/billing/next-payment?change=tier&tierSlug=xl')).json()
  expect(asked).toMatchObject({ nextPayment: { due } })
  await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
  expect(await billingOf(call)).toMatchObject({ nextPayment: { due } })
  await world.advance(31)
  await world.sandbox.settle()
  expect([newest()?.tierSlug, newest()?.gross]).toEqual(['xl', due])
  expect(subscriptionRow(id)).toMatchObject({ tierSlug: 'xl', yearlyNet: 270_000 })
})

test('INV-1 behind ten add-ons the tier is changed all the same, with its own quantity, and everything is read', async () => {
  const addOns = await Promise.all(Array.from({ length: 11 }, () => addOnPrice(100)))
  const id = await sellToSam({
    items: [...addOns.map((price) => ({ price })), { price: await priceOfTier(), quantity: 2 }],
  })
  const call = world.signIn(personCalled(world, sam.email))
  expect(await billingOf(call)).toMatchObject({ nextPayment: { due: 61_320 } })
  const shown = await acted(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' })
  expect(shown).toMatchObject({ credit: { net: 50_000 }, charge: { net: 90_000 }, nextBill: { net: 91_100 } })
  const asked = async () => (await call('/api/billing/next-payment?change=tier&tierSlug=xl')).json()
  expect(await asked()).toMatchObject({ nextPayment: { due: 109_320 } })
  await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
  expect(await asked()).toMatchObject({ nextPayment: { due: 109_320 } })
  expect(await billingOf(call)).toMatchObject({ nextPayment: { due: 109_320 } })
  await world.advance(31)
  await world.sandbox.settle()
  expect([newest()?.tierSlug, newest()?.gross]).toEqual(['xl', 109_320])
  expect(subscriptionRow(id)).toMatchObject({ tierSlug: 'xl' })
})

test('INV-1 a tier bought beside add-ons is found wherever it stands, and earns commission alone', async () => {
  const price = await addOnPrice()
  const id = await sellToSam({ items: [{ price }, { price: await priceOfTier() }] })
  expect(subscriptionRow(id)).toEqual({ status: 'active', tierSlug: 'standard', yearlyNet: 300_000, chargeTotal: null })
  expect([newest()?.tierSlug, newest()?.gross]).toEqual(['standard', 34_800])
  const { plan, nextPayment } = await billingOf(world.signIn(personCalled(world, sam.email)))
  expect([plan?.total, nextPayment?.due]).toEqual([30_000, 34_800])
  expect(nextPayment?.others).toEqual([{ description: expect.stringContaining('Text messages'), total: 4_800 }])
  expect(newest()?.lines.map(({ isPeriod, description }) => [isPeriod, description])).toEqual([
    [undefined, expect.stringContaining('Text messages')],
    [true, expect.stringMatching(/^Alliance membership, /)],
  ])
  expect(rows('select net, amount from commission_ledger')).toEqual([{ net: 25_000, amount: 2_500 }])
  const record = await world.signIn(world.addOwner())(`/api/admin/members/${personCalled(world, sam.email).id}/record`)
  expect((await record.json()).addOns).toEqual([
    { description: expect.stringContaining('Text messages'), total: 4_800 },
  ])
})

test('a payment that an earlier version read says nothing of the tier’s line, so none is shown as an add-on', async () => {
  await sellToSam({ items: [{ price: await priceOfTier() }] })
  const record = async () => {
    const owner = world.signIn(world.addOwner())
    return (await owner(`/api/admin/members/${personCalled(world, sam.email).id}/record`)).json()
  }
  world.ctx.sqlite.exec(`update provider_invoices set lines = json_remove(lines, '$[0].tierSlug')`)
  expect((await record()).addOns).toEqual([])
})

test.each([
  { what: 'one other rate', addsBooks: false, row: 'VAT 5%: £12.50' },
  { what: 'several rates', addsBooks: true, row: 'VAT: £12.50' },
])(
  'INV-1 with $what, receipts, failed payments and Billing name the VAT as it is',
  { tags: ['full'] },
  async (sale) => {
    await sellToSam({ default_tax_rates: [await rateOf(5)] })
    const texts = async () => {
      await runJob(world.ctx, 'mail')
      return (await listMailbox(world.ctx)).map(({ text }) => text)
    }
    const sent = await texts()
    expect(sent.join()).not.toContain('VAT 20%')
    expect(sent.filter((text) => text.includes('VAT 5%: £12.50'))).toHaveLength(2)
    expect((await billingOf(world.signIn(personCalled(world, sam.email)))).plan).toMatchObject({
      net: 25_000,
      vat: 1_250,
    })
    const customer = onlyCustomer(world)
    if (sale.addsBooks) {
      const tax_rates = [await rateOf(0)]
      await world.ctx.stripe.invoiceItems.create({ customer, currency: 'gbp', amount: 4_000, tax_rates })
    }
    const card = await world.ctx.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    const [subscription] = (await world.ctx.stripe.subscriptions.list({ customer })).data
    await world.ctx.stripe.subscriptions.update(subscription?.id ?? '', { default_payment_method: card.id })
    await world.advance(31)
    await world.sandbox.settle()
    const failed = (await texts()).find((text) => text.includes('your payment didn’t go through'))
    expect(failed).toContain(sale.row)
    const { openInvoice } = await billingOf(world.signIn(personCalled(world, sam.email)))
    expect(openInvoice).toMatchObject({ vat: 1_250, vatRate: sale.addsBooks ? null : 5 })
  },
)

test.each([
  {
    every: 'every 4 weeks',
    recurring: { interval: 'week', interval_count: 4 },
    rate: 20,
    plan: { net: 100_000, vat: 20_000 },
  },
  { every: 'a week', recurring: { interval: 'week' }, rate: 20, plan: { net: 100_000, vat: 20_000 } },
  { every: 'a week', recurring: { interval: 'week' }, rate: 5, plan: { net: 100_000, vat: 5_000 } },
  { every: 'a week', recurring: { interval: 'week' }, rate: 0, plan: { net: 100_000, vat: 0 } },
  { every: 'a week', recurring: { interval: 'week' }, rate: 8.25, plan: { net: 100_000, vat: 8_250 } },
  { every: 'a week', recurring: { interval: 'week' }, rate: 5, inclusive: true, plan: { net: 95_238, vat: 4_762 } },
  { every: 'a week', recurring: { interval: 'week' }, rate: null, plan: { net: 83_333, vat: 16_667 } },
  {
    every: 'every 10 days',
    recurring: { interval: 'day', interval_count: 10 },
    rate: 5,
    plan: { net: 100_000, vat: 5_000 },
  },
  { every: 'a month', recurring: { interval: 'month' }, rate: 5, plan: { net: 100_000, vat: 5_000 } },
  { every: 'a month', recurring: { interval: 'month' }, rate: 0, plan: { net: 100_000, vat: 0 } },
  { every: 'a month', recurring: { interval: 'month' }, rate: 5, inclusive: true, plan: { net: 95_238, vat: 4_762 } },
  { every: 'a month', recurring: { interval: 'month' }, rate: null, plan: { net: 83_333, vat: 16_667 } },
  { every: 'a year', recurring: { interval: 'year' }, rate: 5, plan: { net: 100_000, vat: 5_000 } },
  { every: 'a year', recurring: { interval: 'year' }, rate: 0, plan: { net: 100_000, vat: 0 } },
  { every: 'a year', recurring: { interval: 'year' }, rate: null, plan: { net: 83_333, vat: 16_667 } },
] as const)(
  'INV-1 £1,000 $every at $rate% reads before its first invoice as that has it: $plan',
  async ({ every, recurring, rate, plan, ...more }) => {
    const price = await addOnPrice(100_000, { recurring, metadata: { tier: 'standard' } })
    const rates = rate === null ? [] : [await rateOf(rate, 'inclusive' in more)]
    await sellToSam({ items: [{ price }], default_tax_rates: rates, trial_period_days: 3 })
    const call = world.signIn(personCalled(world, sam.email))
    const vatRate = rate ?? 20
    const total = plan.net + plan.vat
    const { nextPayment, ...shown } = await billingOf(call)
    const { vatRate: shownRate = 20, ...shownPlan } = shown.plan ?? {}
    expect([shownPlan, shownRate]).toMatchObject([{ ...plan, total }, vatRate])
    expect(everyPeriod(shown.plan ?? {})).toBe(every)
    const { due, isEveryMonth = false, isEveryYear = false } = nextPayment ?? {}
    expect([due, isEveryMonth, isEveryYear]).toEqual([total, every === 'a month', every === 'a year'])
    await runJob(world.ctx, 'mail')
    const welcome = (await listMailbox(world.ctx))
      .map(({ text }) => text)
      .find((text) => text.includes(`Total ${every}`))
    expect(welcome).toContain(`VAT ${vatRate}%: ${formatPoundsAndPence(plan.vat)}`)
    await world.advance(5)
    await world.sandbox.settle()
    expect(newest()).toMatchObject(plan)
    expect((await billingOf(call)).plan).toMatchObject({ ...plan, total })
    if (every === 'a month') return
    const refused = await act(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' })
    expect((await refused.json()).error.message).toMatch(
      every === 'a year' ? /^You’ve paid for a year\./ : /^You don’t pay by the month\./,
    )
  },
)

test('INV-1 a tier that the dashboard has booked reads in Billing and in the mail at its own rate and period', async () => {
  const id = await sellToSam({})
  const { stripe } = world.ctx
  const { id: schedule, phases } = await stripe.subscriptionSchedules.create({ from_subscription: id })
  const price = await addOnPrice(90_000, {
    recurring: { interval: 'month', interval_count: 3 },
    metadata: { tier: 'xl' },
  })
  const [now] = phases
  const current = { items: [{ price: await priceOfTier() }], start_date: now?.start_date, end_date: now?.end_date }
  const duration = { interval: 'month' as const, interval_count: 3 }
  const next = {
    items: [{ price }],
    default_tax_rates: [await rateOf(5)],
    duration,
    proration_behavior: 'none' as const,
    billing_cycle_anchor: 'phase_start' as const,
  }
  await stripe.subscriptionSchedules.update(schedule, { phases: [current, next], proration_behavior: 'none' })
  await world.sandbox.settle()
  const { nextPlan } = await billingOf(world.signIn(personCalled(world, sam.email)))
  expect(nextPlan).toMatchObject({ slug: 'xl', net: 90_000, vat: 4_500, total: 94_500, vatRate: 5, months: 3 })
  await runJob(world.ctx, 'mail')
  const text = (await listMailbox(world.ctx))
    .map((mail) => mail.text)
    .find((one) => one.includes('membership changes on'))
  expect(text).toContain('VAT 5%: £45.00')
  expect(text).toContain('Total every 3 months: £945.00')
})
