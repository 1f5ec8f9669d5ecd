import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { byTheMonth } from '#api/features/sandbox/purchases-service.ts'
import { getOrCreatePrice, getOrCreateVatRate } from '#api/stripe/prices.ts'
import { act, acted, becomeMember, personCalled, timesCharged } from '#api/testing/billing.ts'
import { billingOf, countRows, onlyCustomer, providerSubscriptions, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { stateLine } from '#shared/rules/state-line.ts'

let world: PaymentWorld
let call: Call
beforeEach(async () => {
  world = await startPaymentWorld()
  call = await becomeMember(world)
})
afterEach(() => world.stop())

const inDays = (days: number) => Math.floor(world.ctx.billingNow().getTime() / 1000) + days * 86_400

/** What the dashboard's “Start date” makes. */
async function startLater(at: number, slug: 'lite' | 'xl' = 'xl'): Promise<string> {
  const tier = byTheMonth(world.ctx, slug)
  const price = await getOrCreatePrice(world.ctx, tier)
  const customer = onlyCustomer(world)
  const [subscription] = (await world.ctx.stripe.subscriptions.list({ customer, status: 'all' })).data
  const method = subscription?.default_payment_method
  const { id } = await world.ctx.stripe.subscriptionSchedules.create({
    customer,
    start_date: at,
    default_settings: { default_payment_method: typeof method === 'string' ? method : (method?.id ?? '') },
    phases: [{ items: [{ price }], default_tax_rates: [await getOrCreateVatRate(world.ctx)] }],
  })
  await world.sandbox.settle()
  return id
}

const line = async () => stateLine(await billingOf(call))
const dayOf = (at: number) => formatLongDate(new Date(at * 1000).toISOString())
const periodEnd = async () =>
  (await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })).data[0]?.items.data[0]
    ?.current_period_end ?? 0
const lastMail = (kind: string) =>
  String(
    world.ctx.sqlite
      .prepare('select text from mail_outbox where cause like ? order by id desc limit 1')
      .pluck()
      .get(`${kind}:%`),
  )
const found = async () => {
  const { findings } = await acted(world.signIn(world.addOwner()), '/api/admin/today', undefined, 'GET')
  return findings.find(({ check }: { check: string }) => check === 'memberships to come')?.message
}

test('an ending member with one to begin reads what it will take and when, owners are told, and that is taken', async () => {
  await acted(call, '/api/billing/cancel')
  expect(await line()).toContain('We won’t take another payment.')
  const end = await periodEnd()
  await startLater(end)
  const promise = `We’ll take £540.00 on ${dayOf(end)}, when your next membership starts.`
  expect(await line()).toBe(`Paid until ${dayOf(end)}. You keep your access until then. ${promise}`)
  expect(await billingOf(call)).toMatchObject({ offer: 'nothing', waitingStart: { payment: { due: 54_000 } } })
  expect(await found()).toBe(
    `Stripe starts a membership on ${dayOf(end)}, and we’ll take £540.00. They can’t join or resume before. Change it in Stripe.`,
  )
  const resumed = await readError(await act(call, '/api/billing/resume'))
  expect([resumed.status, resumed.message]).toEqual([
    409,
    `Your membership is already set to start on ${dayOf(end)}. Contact us to change it.`,
  ])
  const charged = await timesCharged(world)
  await world.advance(32)
  expect(await timesCharged(world)).toBe(charged + 1)
  expect(countRows(world, 'provider_invoices', 'amountPaid = 54000')).toBe(1)
  expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { slug: 'xl' } })
  expect((await billingOf(call)).waitingStart).toBeUndefined()
  expect(countRows(world, 'customers', '"waitingStart" is not null')).toBe(0)
})

test('cancelling with one to begin says so before and after, in Billing and by mail', async () => {
  const end = await periodEnd()
  await startLater(end)
  const promise = `We’ll take £540.00 on ${dayOf(end)}, when your next membership starts.`
  const preview = await acted(call, '/api/billing/next-payment?change=cancel', undefined, 'GET')
  expect(preview).toMatchObject({ nextPayment: null, waitingStart: { payment: { due: 54_000 } } })
  await acted(call, '/api/billing/cancel')
  expect(await line()).toContain(promise)
  expect(lastMail('ending')).toContain(promise)
  expect(lastMail('ending')).not.toMatch(/won’t take another|Resume membership/)
})

test('someone who left and has one to begin can’t join besides; once it’s cancelled in Stripe they can', async () => {
  await acted(call, '/api/billing/cancel')
  await world.advance(32)
  const at = inDays(20)
  const schedule = await startLater(at)
  expect(await line()).toMatch(
    /^Your membership ended on .*\. We’ll take £540\.00 on .*, when your next membership starts\.$/,
  )
  const join = () => call('/api/create-subscription', { body: { ...sam, tierSlug: 'standard' } })
  expect((await join()).status).toBe(409)
  await world.ctx.stripe.subscriptionSchedules.cancel(schedule)
  await world.sandbox.settle()
  expect(await line()).toMatch(/Start again and pick up where you left off\.$/)
  expect((await join()).status).toBe(200)
})

test('it is refused also where no event came: the join reads it', async () => {
  await acted(call, '/api/billing/cancel')
  await world.advance(32)
  await world.control('settings', { webhooks: { hold: true } })
  await startLater(inDays(20))
  const joined = await call('/api/create-subscription', { body: { ...sam, tierSlug: 'standard' } })
  expect([joined.status, (await joined.json()).error?.code]).toEqual([409, 'already_subscribed'])
  expect(await providerSubscriptions(world)).not.toContain('active')
})

test('the nightly run finds one of a member who left long ago', async () => {
  await acted(call, '/api/billing/cancel')
  await world.advance(70)
  world.forward(70 * 86_400_000)
  await runJob(world.ctx, 'reconcile', {})
  await world.control('settings', { webhooks: { hold: true } })
  await startLater(inDays(20))
  await runJob(world.ctx, 'reconcile', {})
  call = world.signIn(personCalled(world, sam.email))
  expect(await line()).toContain('We’ll take £540.00 on')
})

test('removing the member cancels it', async () => {
  await acted(call, '/api/billing/cancel')
  const schedule = await startLater(await periodEnd())
  const owner = world.signIn(world.addOwner())
  await acted(owner, `/api/admin/members/${personCalled(world, sam.email).id}`, undefined, 'DELETE')
  expect(await world.ctx.stripe.subscriptionSchedules.retrieve(schedule)).toMatchObject({ status: 'canceled' })
})

test('a price that names no tier of ours promises and stops nothing, and a sync of a member who goes on asks for none', async () => {
  let asked = 0
  world.ctx.stripe.on('request', ({ path }: { path: string }) => {
    if (path.startsWith('/v1/subscription_schedules?')) asked += 1
  })
  await syncCustomer(world.ctx, onlyCustomer(world))
  expect(asked).toBe(0)
  await acted(call, '/api/billing/cancel')
  const { stripe } = world.ctx
  const product = await stripe.products.create({ name: 'Van wash' })
  const recurring = { interval: 'month' as const }
  const price = await stripe.prices.create({ product: product.id, currency: 'gbp', unit_amount: 900, recurring })
  await stripe.subscriptionSchedules.create({
    customer: onlyCustomer(world),
    start_date: inDays(20),
    phases: [{ items: [{ price: price.id }] }],
  })
  await world.sandbox.settle()
  expect(await line()).toContain('We won’t take another payment.')
})
