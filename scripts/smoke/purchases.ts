import type Stripe from 'stripe'
import * as v from 'valibot'
import type { App } from '#api/app.ts'
import type { Context } from '#api/context.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { idOf } from '#api/stripe/ids-and-times.ts'
import { moveNextPayment } from '#api/stripe/subscriptions.ts'
import { BillingSubscription, CreateSubscriptionResponse, InvoiceList } from '#shared/contract/billing.ts'
import { CreateQuotientPaymentResponse } from '#shared/contract/quotient.ts'
import { vatRate, withVat } from '#shared/rules/money.ts'
import { quotientPrices } from '#shared/rules/quotient-setups.ts'

export type Smoke = {
  ctx: Context
  app: Pick<App, 'handle'>
  report: (line: string) => void
}

const address = { line1: '1 Smoke Street', town: 'Leeds', postcode: 'LS1 1AA', country: 'GB' }

function expectEqual(what: string, actual: unknown, expected: unknown): void {
  const [actualJson, expectedJson] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (actualJson !== expectedJson) throw new Error(`${what}: ${actualJson}, not ${expectedJson}`)
}

/** Joins, pays and cancels through our API with the context's Stripe. Leaves no chargeable subscription behind. */
export const smokeJoin = (smoke: Smoke) =>
  withBuyer(smoke, async (email) => {
    const { ctx, report } = smoke
    const joined = await startJoining(smoke, email)
    await checkCatalogue(ctx)
    report('price found by its lookup key, VAT as a tax rate')
    await confirm(ctx, joined.clientSecret)
    report('first invoice confirmed with pm_card_visa')
    await waitUntilActive(smoke, joined.cookie)
    report('read back: the membership is active')
    await checkInvoice(smoke, joined)
    report('its invoice: net, VAT and total to the penny, and a VAT invoice of ours')
    await checkNextPayment(smoke, joined)
    await recordWaiting(smoke, joined)
    await checkPauses(smoke, joined)
    await checkYear(smoke, joined)
    const cancelled = await request(smoke, '/api/billing/cancel', { method: 'POST', cookie: joined.cookie })
    expectEqual('After cancelling', v.parse(BillingSubscription, await cancelled.json()).endsOn !== null, true)
    report('cancelled at the end of the period')
  })

async function billingOf(smoke: Smoke, { cookie, email }: Pick<Joined, 'cookie' | 'email'>) {
  for (const id of await customersOf(smoke.ctx, email)) await syncCustomer(smoke.ctx, id)
  const response = await request(smoke, '/api/billing/subscription', { cookie })
  return v.parse(BillingSubscription, await response.json())
}

async function checkNextPayment(smoke: Smoke, joined: Joined): Promise<void> {
  const { nextPayment } = await billingOf(smoke, joined)
  expectEqual('The next payment', nextPayment && [nextPayment.on, nextPayment.due], [
    joined.nextPaymentOn,
    joined.total,
  ])
  smoke.report('the next payment, by Stripe’s own preview')
}

/** Records what the documentation doesn't tell: whether an upgrade today takes what's waiting for the next payment. */
async function recordWaiting({ ctx, report }: Smoke, { subscriptionId, email }: Joined): Promise<void> {
  const [customer = ''] = await customersOf(ctx, email)
  const waiting = await ctx.stripe.invoiceItems.create({ customer, amount: 1_000, currency: 'gbp' })
  const { items, billing_mode: mode } = await ctx.stripe.subscriptions.retrieve(subscriptionId)
  const changed = [{ id: items.data[0]?.id ?? '', quantity: 2 }]
  const { lines } = await ctx.stripe.invoices.createPreview({
    subscription: subscriptionId,
    subscription_details: { items: changed, proration_behavior: 'always_invoice' },
  })
  await ctx.stripe.invoiceItems.del(waiting.id)
  const isTaken = lines.data.some(({ parent }) => parent?.invoice_item_details?.invoice_item === waiting.id)
  report(`with ${mode.type} billing, an upgrade ${isTaken ? 'takes' : 'leaves'} what’s waiting`)
}

/** Records what the documentation alone told us: where a pause's credit begins, and what resuming costs. */
async function checkPauses(smoke: Smoke, joined: Joined): Promise<void> {
  const { ctx, report } = smoke
  const { subscriptionId: id } = joined
  await ctx.stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } })
  const collected = await billingOf(smoke, joined)
  expectEqual('With collection paused', [collected.status, collected.pause], ['active', { until: null }])
  await ctx.stripe.subscriptions.update(id, { pause_collection: '' })
  await ctx.stripe.subscriptions.pause(id, { bill_for: { unused_time_from: { type: 'now' } } })
  const paused = await billingOf(smoke, joined)
  expectEqual('Paused', [paused.status, paused.pause, paused.hasAccess], ['paused', { until: null }, false])
  const [customer = ''] = await customersOf(ctx, joined.email)
  const { data: pending } = await ctx.stripe.invoiceItems.list({ customer, pending: true })
  report(`both pauses read; the credit: ${JSON.stringify(pending.map(({ amount, period }) => ({ amount, period })))}`)
  const cost = await ctx.stripe.invoices.createPreview({ subscription: id, subscription_details: { resume_at: 'now' } })
  await ctx.stripe.subscriptions.resume(id)
  const resumed = await billingOf(smoke, joined)
  expectEqual('Resumed', [resumed.status, resumed.hasAccess], ['active', true])
  report(`resumed for ${cost.amount_due}, as its preview said`)
}

const amountsOf = ({ lines }: Stripe.Invoice) =>
  lines.data.map(({ amount, parent }) => [amount, parent?.subscription_item_details?.proration ?? true])

/** Checks and records what docs/not-seen-here.md lists of years. Leaves the membership at a year. */
async function checkYear({ ctx, report }: Smoke, { subscriptionId: id }: Joined): Promise<void> {
  const { subscriptions, prices, invoices } = ctx.stripe
  const { items, customer } = await subscriptions.retrieve(id)
  const [month] = items.data
  if (month === undefined) throw new Error('The subscription has no item.')
  const year = await prices.create({
    currency: 'gbp',
    product: idOf(month.price.product),
    recurring: { interval: 'year' },
    unit_amount: (month.price.unit_amount ?? 0) * 10,
  })
  const change = { items: [{ id: month.id, price: year.id }], proration_behavior: 'always_invoice' as const }
  const unsaid = await said(() => invoices.createPreview({ subscription: id, subscription_details: change }))
  report(`a year without an anchor: ${JSON.stringify(unsaid)}`)
  const proration_date = Math.floor(ctx.billingNow().getTime() / 1000)
  const late = { trial_end: proration_date + 740 * 86_400 }
  const trial = await said(() => invoices.createPreview({ subscription: id, subscription_details: late }))
  report(`a trial of 740 days: ${JSON.stringify(trial)}`)
  const waiting = await ctx.stripe.invoiceItems.create({ customer: idOf(customer), amount: 1_000, currency: 'gbp' })
  const anew = { ...change, proration_date, billing_cycle_anchor: { type: 'now' as const } }
  const taking = await invoices.createPreview({ subscription: id, subscription_details: anew })
  await ctx.stripe.invoiceItems.del(waiting.id)
  report(`a year today, with £10.00 waiting: ${JSON.stringify(amountsOf(taking))}`)
  const shown = await invoices.createPreview({ subscription: id, subscription_details: anew })
  const payment_behavior = 'pending_if_incomplete'
  const changed = await subscriptions.update(id, { ...anew, payment_behavior, expand: ['latest_invoice'] })
  const invoice = changed.latest_invoice
  if (invoice === null || typeof invoice === 'string') throw new Error('The invoice of the year is missing.')
  expectEqual('The year, as its preview said', amountsOf(invoice), amountsOf(shown))
  expectEqual('The line of the year', amountsOf(invoice).at(-1), [year.unit_amount, false])
  expectEqual('The invoice of the year', [invoice.status, changed.pending_update], ['paid', null])
  const [begun] = changed.items.data
  const next = await invoices.createPreview({ subscription: id })
  expectEqual('The next year', next.lines.data[0]?.period.start, begun?.current_period_end)
  report(`a year began today: ${JSON.stringify(amountsOf(invoice))}`)
  await checkMonthAfterYear(ctx, { id, year: year.id, month: month.price.id })
  report('a month booked after the year, from its end')
  await checkPutOff({ ctx, report }, id)
}

/** Whether a year that's put off makes an invoice of £0, or begins another period, isn't documented: recorded. */
async function checkPutOff({ ctx, report }: Pick<Smoke, 'ctx' | 'report'>, id: string): Promise<void> {
  const periodOf = ({ items: { data } }: Stripe.Subscription) => [
    data[0]?.current_period_start,
    data[0]?.current_period_end,
  ]
  const before = await ctx.stripe.subscriptions.retrieve(id)
  for (const months of [1, 2]) {
    const to = (periodOf(before)[1] ?? 0) + months * 30 * 86_400
    await moveNextPayment(ctx, id, new Date(to * 1000).toISOString())
    const put = await ctx.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
    expectEqual('A year put off', [put.status, put.trial_end], ['trialing', to])
    const { latest_invoice: invoice } = put
    const made = invoice !== null && typeof invoice === 'object' && invoice.id !== idOf(before.latest_invoice)
    report(
      `put off ${months}: ${made ? `an invoice of ${invoice.total}` : 'no invoice'}, ${JSON.stringify([periodOf(before), periodOf(put)])}`,
    )
  }
}

async function checkMonthAfterYear(
  { stripe }: Context,
  { id, year, month }: { id: string; year: string; month: string },
): Promise<void> {
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id })
  const [current] = schedule.phases
  const start = current?.start_date ?? 0
  const end = current?.end_date ?? 0
  const phases: Stripe.SubscriptionScheduleUpdateParams.Phase[] = [
    { items: [{ price: year }], start_date: start, end_date: end },
    {
      items: [{ price: month }],
      billing_cycle_anchor: 'phase_start',
      duration: { interval: 'month', interval_count: 1 },
      proration_behavior: 'none',
    },
  ]
  const schedule_details = { end_behavior: 'release' as const, phases }
  const { lines } = await stripe.invoices.createPreview({ schedule: schedule.id, schedule_details })
  await stripe.subscriptionSchedules.release(schedule.id)
  expectEqual('The month after the year', [lines.data.length, lines.data[0]?.period.start], [1, end])
}

/** What Stripe responds where we don't know whether it refuses. */
async function said(ask: () => Promise<Stripe.Invoice>): Promise<unknown> {
  try {
    return amountsOf(await ask())
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export const smokeOrder = (smoke: Smoke) =>
  withBuyer(smoke, async (email) => {
    const { ctx, report } = smoke
    const body = { email, name: 'Smoke Test', packageType: 'professional', billingAddress: address }
    const response = await request(smoke, '/api/create-quotient-payment', { body })
    const { clientSecret, orderId, total } = v.parse(CreateQuotientPaymentResponse, await response.json())
    expectEqual('The total of an order', total, withVat(quotientPrices.professional).total)
    report('an order, and an invoice of one line for it')
    await confirm(ctx, clientSecret)
    for (const id of await customersOf(ctx, email)) await syncCustomer(ctx, id)
    const order = ctx.sqlite.prepare('select status from quotient_orders where id = ?').get(orderId)
    expectEqual('The order', order, { status: 'paid' })
    report('paid, and known as paid')
  })

/** Cleans up even if the work failed, and rethrows the work's own error. */
async function withBuyer({ ctx, report }: Smoke, work: (email: string) => Promise<void>): Promise<void> {
  const email = `smoke-${ctx.newId()}@example.com`
  const [done] = await Promise.allSettled([work(email)])
  const [cleaned] = await Promise.allSettled([cleanUp(ctx, email)])
  if (cleaned.status === 'fulfilled') report('cleaned up: subscriptions ended, customer deleted')
  if (done.status === 'rejected') throw done.reason
  if (cleaned.status === 'rejected') throw cleaned.reason
}

type Joined = v.InferOutput<typeof CreateSubscriptionResponse> & { cookie: string }

async function startJoining(smoke: Smoke, email: string): Promise<Joined> {
  const body = { email, name: 'Smoke Test', tierSlug: 'lite', billingAddress: address }
  const response = await request(smoke, '/api/create-subscription', { body })
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  const joined = { ...v.parse(CreateSubscriptionResponse, await response.json()), cookie }
  smoke.report('customer and subscription made, waiting for the first payment')
  return joined
}

async function checkCatalogue(ctx: Context): Promise<void> {
  const tier = ctx.sqlite
    .prepare<[], { price: number }>(`select net as price from tier_prices where every = 'month' and tierSlug = 'lite'`)
    .get()
  const { data: prices } = await ctx.stripe.prices.list({ lookup_keys: [`lite_${tier?.price}`] })
  expectEqual(
    'The price',
    prices.map(({ unit_amount, currency }) => [unit_amount, currency]),
    [[tier?.price, 'gbp']],
  )
  const rates = await ctx.stripe.taxRates.list({ active: true, limit: 100 })
  const isThere = rates.data.some(({ percentage, inclusive }) => percentage === vatRate && !inclusive)
  expectEqual('The tax rate', isThere, true)
}

async function confirm(ctx: Context, clientSecret: string): Promise<void> {
  const [intent = ''] = clientSecret.split('_secret_')
  const { status } = await ctx.stripe.paymentIntents.confirm(intent, {
    payment_method: 'pm_card_visa',
    return_url: `${ctx.settings.publicUrl}/members`,
  })
  expectEqual('The payment', status, 'succeeded')
}

/** Stripe may take a moment from payment to active subscription. */
async function waitUntilActive(smoke: Smoke, cookie: string): Promise<void> {
  let status = ''
  for (let tries = 0; tries < 30 && status !== 'active'; tries += 1) {
    if (tries > 0) await Bun.sleep(1_000)
    const response = await request(smoke, '/api/billing/subscription', { cookie })
    status = v.parse(BillingSubscription, await response.json()).status
  }
  expectEqual('The membership', status, 'active')
}

async function checkInvoice(smoke: Smoke, { subscriptionId, cookie, net, vat, total }: Joined): Promise<void> {
  const row = smoke.ctx.sqlite
    .prepare('select status, net, vat, total, amountPaid from provider_invoices where subscriptionId = ?')
    .get(subscriptionId)
  expectEqual('The invoice', row, { status: 'paid', net, vat, total, amountPaid: total })
  const response = await request(smoke, '/api/billing/invoices', { cookie })
  const [invoice] = v.parse(InvoiceList, await response.json())
  expectEqual('Our invoice', [typeof invoice?.number, invoice?.status, invoice?.total], ['string', 'paid', total])
}

async function cleanUp(ctx: Context, email: string): Promise<void> {
  for (const customer of await customersOf(ctx, email)) {
    const { data } = await ctx.stripe.subscriptions.list({ customer })
    for (const { id } of data) await ctx.stripe.subscriptions.cancel(id)
    await ctx.stripe.customers.del(customer)
  }
}

async function customersOf(ctx: Context, email: string): Promise<string[]> {
  const { data } = await ctx.stripe.customers.list({ email, limit: 10 })
  return data.map(({ id }) => id)
}

type RequestOptions = { method?: string; body?: object; cookie?: string }

async function request({ app }: Smoke, path: string, { method, body, cookie }: RequestOptions): Promise<Response> {
  const headers = { ...(cookie ? { cookie } : {}), ...(body ? { 'content-type': 'application/json' } : {}) }
  const init = { headers, method: method ?? (body ? 'POST' : 'GET'), ...(body ? { body: JSON.stringify(body) } : {}) }
  const response = await app.handle(new Request(`http://localhost${path}`, init))
  if (response.status !== 200) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`)
  return response
}
