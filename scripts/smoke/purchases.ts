import * as v from 'valibot'
import type { createApp } from '#api/app.ts'
import type { Context } from '#api/context.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { BillingSubscription, CreateSubscriptionResponse, InvoiceList } from '#shared/contract/billing.ts'
import { CreateQuotientPaymentResponse } from '#shared/contract/quotient.ts'
import { quotientPrices } from '#shared/contract/quotient-setups.ts'
import { vatRate, withVat } from '#shared/rules/money.ts'

export type Smoke = {
  ctx: Context
  app: Pick<ReturnType<typeof createApp>, 'handle'>
  /** One line for each thing that held. */
  say: (line: string) => void
}

const address = { line1: '1 Smoke Street', town: 'Leeds', postcode: 'LS1 1AA', country: 'GB' }

/** Throws with what was seen where it is not what it should be. */
function hold(what: string, seen: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(seen), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${what}: ${one}, not ${other}`)
}

/** Joins, pays and cancels through our own API, at whichever provider the context has; nothing is left there to be charged. */
export const smokeJoin = (smoke: Smoke) =>
  withBuyer(smoke, async (email) => {
    const { ctx, say } = smoke
    const begun = await begin(smoke, email)
    await checkCatalogue(ctx)
    say('price found by its lookup key, VAT as a tax rate')
    await confirm(ctx, begun.clientSecret)
    say('first invoice confirmed with pm_card_visa')
    await waitUntilActive(smoke, begun.cookie)
    say('read back: the membership is active')
    await checkInvoice(smoke, begun)
    say('its invoice: net, VAT and total to the penny, and a VAT invoice of ours')
    const cancelled = await ask(smoke, '/api/billing/cancel', { method: 'POST', cookie: begun.cookie })
    hold('After cancelling', v.parse(BillingSubscription, await cancelled.json()).endsOn !== null, true)
    say('cancelled at the end of the period')
  })

/** Buys a set-up of the quoting system without an account. */
export const smokeOrder = (smoke: Smoke) =>
  withBuyer(smoke, async (email) => {
    const { ctx, say } = smoke
    const body = { email, name: 'Smoke Test', packageType: 'professional', billingAddress: address }
    const answer = await ask(smoke, '/api/create-quotient-payment', { body })
    const { clientSecret, orderId, total } = v.parse(CreateQuotientPaymentResponse, await answer.json())
    hold('The total of an order', total, withVat(quotientPrices.professional).total)
    say('an order, and an invoice of one line for it')
    await confirm(ctx, clientSecret)
    for (const id of await customersOf(ctx, email)) await syncCustomer(ctx, id)
    const order = ctx.sqlite.prepare('select status from quotient_orders where id = ?').get(orderId)
    hold('The order', order, { status: 'paid' })
    say('paid, and known as paid')
  })

/** Cleans up whatever became of the work, and says first what went wrong with the work. */
async function withBuyer({ ctx, say }: Smoke, work: (email: string) => Promise<void>): Promise<void> {
  const email = `smoke-${ctx.newId()}@example.com`
  const [done] = await Promise.allSettled([work(email)])
  const [cleaned] = await Promise.allSettled([cleanUp(ctx, email)])
  if (cleaned.status === 'fulfilled') say('cleaned up: subscriptions ended, customer deleted')
  if (done.status === 'rejected') throw done.reason
  if (cleaned.status === 'rejected') throw cleaned.reason
}

type Begun = v.InferOutput<typeof CreateSubscriptionResponse> & { cookie: string }

async function begin(smoke: Smoke, email: string): Promise<Begun> {
  const body = { email, name: 'Smoke Test', tierSlug: 'lite', billingAddress: address }
  const answer = await ask(smoke, '/api/create-subscription', { body })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  const begun = { ...v.parse(CreateSubscriptionResponse, await answer.json()), cookie }
  smoke.say('customer and subscription made, waiting for the first payment')
  return begun
}

async function checkCatalogue(ctx: Context): Promise<void> {
  const tier = ctx.sqlite.prepare<[], { price: number }>(`select price from membership_tiers where slug = 'lite'`).get()
  const { data: prices } = await ctx.stripe.prices.list({ lookup_keys: [`lite_${tier?.price}`] })
  hold(
    'The price',
    prices.map(({ unit_amount, currency }) => [unit_amount, currency]),
    [[tier?.price, 'gbp']],
  )
  const rates = await ctx.stripe.taxRates.list({ active: true, limit: 100 })
  const isThere = rates.data.some(({ percentage, inclusive }) => percentage === vatRate && !inclusive)
  hold('The tax rate', isThere, true)
}

/** What the card form does in a browser, with a card that Stripe keeps for tests. */
async function confirm(ctx: Context, clientSecret: string): Promise<void> {
  const [intent = ''] = clientSecret.split('_secret_')
  const { status } = await ctx.stripe.paymentIntents.confirm(intent, {
    payment_method: 'pm_card_visa',
    return_url: `${ctx.settings.publicUrl}/members`,
  })
  hold('The payment', status, 'succeeded')
}

/** The provider may need a moment from the payment to the subscription. */
async function waitUntilActive(smoke: Smoke, cookie: string): Promise<void> {
  let status = ''
  for (let look = 0; look < 30 && status !== 'active'; look += 1) {
    if (look > 0) await Bun.sleep(1_000)
    const answer = await ask(smoke, '/api/billing/subscription', { cookie })
    status = v.parse(BillingSubscription, await answer.json()).status
  }
  hold('The membership', status, 'active')
}

async function checkInvoice(smoke: Smoke, { subscriptionId, cookie, net, vat, total }: Begun): Promise<void> {
  const row = smoke.ctx.sqlite
    .prepare('select status, net, vat, total, amountPaid from provider_invoices where subscriptionId = ?')
    .get(subscriptionId)
  hold('The invoice', row, { status: 'paid', net, vat, total, amountPaid: total })
  const answer = await ask(smoke, '/api/billing/invoices', { cookie })
  const [invoice] = v.parse(InvoiceList, await answer.json())
  hold('Our invoice', [typeof invoice?.number, invoice?.status, invoice?.total], ['string', 'paid', total])
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

type Asked = { method?: string; body?: object; cookie?: string }

async function ask({ app }: Smoke, path: string, { method, body, cookie }: Asked): Promise<Response> {
  const headers = { ...(cookie ? { cookie } : {}), ...(body ? { 'content-type': 'application/json' } : {}) }
  const init = { headers, method: method ?? (body ? 'POST' : 'GET'), ...(body ? { body: JSON.stringify(body) } : {}) }
  const answer = await app.handle(new Request(`http://localhost${path}`, init))
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer
}
