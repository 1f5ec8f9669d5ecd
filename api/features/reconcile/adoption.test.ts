import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { sellElsewhere } from '#api/testing/adopting.ts'
import { act, acted, personCalled } from '#api/testing/billing.ts'
import { dashboard } from '#api/testing/dashboard.ts'
import { billingOf, countRows, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { readError } from '#api/testing/world.ts'
import type { Invoice } from '#shared/contract/billing.ts'
import { undoAdoption } from './unlink-service.ts'

const path = '/api/admin/subscription-links'
const kim = 'kim@example.com'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const { addOnPrice } = dashboard(() => world)

const owner = () => world.signIn(world.addOwner())
const mails = () => countRows(world, 'mail_outbox')

async function adopt(id: string, tier = 'standard') {
  const person = personCalled(world, kim)
  await acted(owner(), path, { reference: id, email: kim, providerEmail: kim, tier })
  return { person, call: world.signIn(person) }
}

test('a price with its VAT inside goes on as it was: history before, our VAT invoice from the next payment', async () => {
  const { id } = await sellElsewhere(world, { amount: 999 })
  await world.advance(40)
  const asked = `${path}?${new URLSearchParams({ reference: id, email: kim, tier: 'standard' })}`
  world.addUser({ email: kim })
  expect(await acted(owner(), asked, undefined, 'GET')).toMatchObject({
    subscription: { id, status: 'active', tier: 'standard', price: { net: 832, vat: 167, total: 999 } },
    payments: { count: 0, total: 0 },
    adopts: { charged: 999, kept: 832, notes: ['gross'] },
  })
  const before = mails()
  const { call } = await adopt(id)
  expect([countRows(world, 'invoices'), countRows(world, 'commission_ledger'), mails()]).toEqual([0, 0, before])
  expect(countRows(world, 'provider_invoices', 'isHistory')).toBe(2)
  expect(await billingOf(call)).toMatchObject({
    status: 'active',
    hasAccess: true,
    plan: { slug: 'standard', net: 832, vat: 167, total: 999 },
  })
  expect(await acted(owner(), '/api/admin/mrr', undefined, 'GET')).toMatchObject({ totalMRR: 832 })
  const months = await acted(owner(), '/api/admin/revenue-months', undefined, 'GET')
  expect(months.map(({ fromStripe }: { fromStripe?: number }) => fromStripe ?? 0)).toContain(832)
  expect(
    (await (await call('/api/billing/invoices')).json()).map(({ number, total, isHistory }: Invoice) => [
      number,
      total,
      isHistory,
    ]),
  ).toEqual([
    [null, 999, true],
    [null, 999, true],
  ])
  await world.advance(31)
  const { data } = await world.ctx.stripe.charges.list({ limit: 100 })
  expect(data.map(({ amount }) => amount)).toEqual([999, 999, 999])
  const invoices = world.ctx.sqlite.prepare('select number, net, vat, gross from invoices').all()
  expect(invoices).toEqual([{ number: 'A-000001', net: 832, vat: 167, gross: 999 }])
  expect(countRows(world, 'commission_ledger')).toBe(1)
  expect(countRows(world, 'mail_outbox', `cause like 'receipt:%'`)).toBe(1)
  expect(countRows(world, 'mail_outbox', `cause like 'welcome:%' or cause like 'reactivated:%'`)).toBe(0)
})

// A sixth of the credit ends in half a penny: rounded by line the VAT is 4,949, of the whole it would be 4,950.
test('a price with a zero rate has its VAT inside, also where a credit is taken off', { tags: ['full'] }, async () => {
  const tax = { percentage: 0, inclusive: false }
  const { id, customer } = await sellElsewhere(world, { amount: 30_002, tax })
  world.addUser({ email: kim })
  await adopt(id)
  await world.ctx.stripe.invoiceItems.create({ customer: String(customer), amount: -303, currency: 'gbp' })
  await world.advance(32)
  const invoices = world.ctx.sqlite.prepare('select net, vat, gross from invoices').all()
  expect(invoices).toEqual([{ net: 24_750, vat: 4_949, gross: 29_699 }])
})

test('a member who was moved in and left joins again at today’s price', { tags: ['full'] }, async () => {
  const { id } = await sellElsewhere(world, { amount: 999 })
  world.addUser({ email: kim })
  const { call } = await adopt(id)
  await world.ctx.stripe.subscriptions.cancel(id)
  await world.sandbox.settle()
  expect(await billingOf(call)).toMatchObject({ status: 'canceled', hasAccess: false })
  const { clientSecret } = await acted(call, '/api/create-subscription', { ...sam, email: kim })
  await world.pay(clientSecret)
  await world.sandbox.settle()
  expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { net: 25_000, vat: 5000, total: 30_000 } })
})

test('a yearly price is paid by the year, counts by the month, and changes tier when it ends', async () => {
  const tax = { percentage: 20, inclusive: false }
  const { id } = await sellElsewhere(world, { amount: 250_000, price: { recurring: { interval: 'year' } }, tax })
  await world.advance(10)
  world.addUser({ email: kim })
  const { call } = await adopt(id)
  const plan = { slug: 'standard', net: 250_000, vat: 50_000, total: 300_000, months: 12 }
  expect(await billingOf(call)).toMatchObject({ status: 'active', plan })
  expect(await acted(owner(), '/api/admin/mrr', undefined, 'GET')).toMatchObject({ totalMRR: 20_833 })
  expect(await readError(await act(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' }))).toMatchObject({
    message: 'Your price is from before you moved here. You can change your tier with your next payment.',
  })
  const changed = await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
  const end = new Date(world.ctx.billingNow().getTime() + 355 * 86_400_000).toISOString().slice(0, 10)
  expect(changed).toMatchObject({ plan, nextPlan: { slug: 'xl', total: 54_000, from: end } })
  await world.advance(356)
  expect(await billingOf(call)).toMatchObject({ plan: { slug: 'xl', net: 45_000, vat: 9000, total: 54_000 } })
  expect(countRows(world, 'invoices', `net = 45000 and gross = 54000 and tierSlug = 'xl'`)).toBe(1)
})

test('what isn’t named goes on untouched, and sells to no one twice', async () => {
  const { id, customer } = await sellElsewhere(world)
  const other = await sellElsewhere(world, { more: { customer: String(customer) }, amount: 900 })
  world.addUser({ email: kim })
  const { call } = await adopt(id)
  await world.advance(45)
  await runJob(world.ctx, 'reconcile')
  const { status } = await world.ctx.stripe.subscriptions.retrieve(other.id)
  expect([status, countRows(world, 'subscriptions'), countRows(world, 'withdrawals')]).toEqual(['active', 1, 0])
  expect(countRows(world, 'provider_invoices', `total = 900`)).toBe(0)
  expect(countRows(world, 'invoices')).toBe(1)
  expect((await world.ctx.stripe.refunds.list({})).data).toEqual([])
  expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { net: 25_000, vat: 5000, total: 30_000 } })
})

test('a move by an old portal to a price we don’t know keeps the access, and owners are told', async () => {
  const { id, items } = await sellElsewhere(world)
  world.addUser({ email: kim })
  const { call } = await adopt(id)
  const recurring = { interval: 'month' as const }
  const { stripe } = world.ctx
  const price = await stripe.prices.create({
    currency: 'gbp',
    unit_amount: 36_000,
    recurring,
    product_data: { name: 'Gold' },
  })
  const item = { id: items.data[0]?.id ?? '', price: price.id }
  await stripe.subscriptions.update(id, { items: [item], proration_behavior: 'none' })
  await world.sandbox.settle()
  expect(await billingOf(call)).toMatchObject({
    status: 'active',
    hasAccess: true,
    plan: { slug: 'standard', total: 36_000 },
  })
  const told = `action = 'subscription.unrecognised' and detail ->> '$.price' = '${price.id}'`
  expect(countRows(world, 'audit_entries', told)).toBe(1)
  await world.advance(31)
  expect(countRows(world, 'invoices', `gross = 36000 and tierSlug = 'standard'`)).toBe(1)
})

test('moved to a price we don’t know, with an add-on beside it, the dearest is the membership and earns alone', async () => {
  const { id, items } = await sellElsewhere(world)
  world.addUser({ email: kim })
  const { call } = await adopt(id)
  const [gold, texts] = [await addOnPrice(36_000), await addOnPrice(4_800)]
  const changed = [{ price: texts }, { id: items.data[0]?.id ?? '', price: gold }]
  await world.ctx.stripe.subscriptions.update(id, { items: changed, proration_behavior: 'none' })
  await world.advance(31)
  await world.sandbox.settle()
  expect(countRows(world, 'invoices', `gross = 40800 and tierSlug = 'standard'`)).toBe(1)
  const ledger = world.ctx.sqlite.prepare('select net, amount from commission_ledger').all()
  expect(ledger).toEqual([{ net: 30_000, amount: 3_000 }])
  const { plan, nextPayment } = await billingOf(call)
  expect([plan?.total, nextPayment?.due]).toEqual([36_000, 40_800])
  const record = await (await owner()(`/api/admin/members/${personCalled(world, kim).id}/record`)).json()
  expect(record.addOns).toMatchObject([{ total: 4_800 }])
})

test('what can’t be adopted is refused by name, with what to do about it', async () => {
  world.addUser({ email: kim })
  const refusal = async (id: string) =>
    (await readError(await act(owner(), path, { reference: id, email: kim, providerEmail: kim, tier: 'xl' }))).message
  const seats = await sellElsewhere(world, { more: {} })
  await world.ctx.stripe.subscriptions.update(seats.id, { pause_collection: { behavior: 'void' } })
  expect(await refusal(seats.id)).toBe(
    `${seats.id} is paused, so it isn’t linked. Resume it in Stripe, then read again.`,
  )
  const dollars = await sellElsewhere(world, { price: { currency: 'usd' } })
  expect(await refusal(dollars.id)).toContain('isn’t in pounds')
  expect(await refusal(String(dollars.customer))).toContain('Name the subscription')
  expect(countRows(world, 'adopted_subscriptions')).toBe(0)
})

test('an adoption can be undone until something of ours has followed from it', async () => {
  const { id } = await sellElsewhere(world)
  world.addUser({ email: kim })
  const { call } = await adopt(id)
  const actor = 'program:test'
  expect(undoAdoption(world.ctx, { actor }, id)).toBe('undone')
  expect([
    countRows(world, 'customers'),
    countRows(world, 'revenue_changes'),
    countRows(world, 'users', `email = '${kim}'`),
  ]).toEqual([0, 0, 1])
  expect(await billingOf(call)).toMatchObject({ status: 'none', hasAccess: false })
  expect((await world.ctx.stripe.subscriptions.retrieve(id)).status).toBe('active')
  await acted(owner(), path, { reference: id, email: kim, providerEmail: kim, tier: 'xl' })
  await world.advance(31)
  expect(undoAdoption(world.ctx, { actor }, id)).toBe('used')
  expect(await billingOf(call)).toMatchObject({ status: 'active', plan: { slug: 'xl' } })
})
