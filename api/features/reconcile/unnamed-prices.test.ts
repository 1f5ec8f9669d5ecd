import { afterEach, beforeEach, expect, test } from 'vitest'
import { act, acted, becomeMember, personCalled, sellAtProvider } from '#api/testing/billing.ts'
import { creditTools } from '#api/testing/credits.ts'
import { dashboard } from '#api/testing/dashboard.ts'
import { billingOf, countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { issuedInvoices } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { stateAction, stateLine } from '#shared/rules/state-line.ts'
import { syncCustomer } from './service.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const { stripe, commission, renew } = creditTools(() => world)
const { addOnPrice, priceOfTier, sellToSam } = dashboard(() => world)

async function findings(): Promise<string[]> {
  // Findings are known for five minutes.
  world.forward(360_000)
  const { findings: all } = await (await world.signIn(world.addOwner())('/api/admin/today')).json()
  return all.flatMap(({ check, message }: Record<string, string>) => (check === 'tiers' ? [message] : []))
}

async function endMembership(): Promise<void> {
  const subscription = (await stripe().subscriptions.list({ customer: onlyCustomer(world) })).data.at(-1)
  await stripe().subscriptions.cancel(subscription?.id ?? '')
  await world.sandbox.settle()
}

const sell = (price: string, more: object = {}) =>
  sellAtProvider(world, sam.email, { customer: onlyCustomer(world), items: [{ price }], ...more })

const tierOfNewest = () => issuedInvoices(world).at(-1)?.tierSlug

test('a member moved to a price that names no tier keeps their tier, and earns commission on what they pay', async () => {
  const call = await becomeMember(world)
  const [subscription] = (await stripe().subscriptions.list({})).data
  const items = [{ id: subscription?.items.data[0]?.id ?? '', price: await addOnPrice(20_000) }]
  await stripe().subscriptions.update(subscription?.id ?? '', { items, proration_behavior: 'none' })
  await renew()
  expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true, openInvoice: null })
  expect([tierOfNewest(), commission()]).toEqual(['standard', [2_500, 2_000]])
  expect(countRows(world, 'subscriptions', 'yearlyNet = 240000')).toBe(1)
  expect(await findings()).toEqual([expect.stringMatching(/Add metadata “tier” to its price/)])
})

test.each([
  { order: 'before', isBefore: true },
  { order: 'after', isBefore: false },
])(
  'a new subscription at a price that names no tier, begun $order the old one ended, takes its place',
  async ({ isBefore }) => {
    const call = await becomeMember(world)
    const price = await addOnPrice(20_000)
    if (isBefore) await sell(price)
    await endMembership()
    if (!isBefore) await sell(price)
    const billing = await billingOf(call)
    expect(billing).toMatchObject({ status: 'active', hasAccess: true, plan: { slug: 'standard', total: 24_000 } })
    expect(stateLine(billing)).toMatch(/^Paid until .* Then we’ll take £240\.00/)
    expect(await findings()).toEqual([expect.stringMatching(/Add metadata “tier” to its price/)])
    await acted(call, '/api/billing/change-tier', { tierSlug: 'xl' })
    await acted(call, '/api/billing/change-tier', undefined, 'DELETE')
    await renew()
    expect(commission()).toEqual([2_500, 2_000, 2_000])
    expect((await billingOf(call)).status).toBe('active')
  },
)

test('who was no member before gets no access by a price that names no tier, and reads nothing of a payment due', async () => {
  const id = await sellToSam({ items: [{ price: await addOnPrice(20_000) }] })
  const call = world.signIn(personCalled(world, sam.email))
  const billing = await billingOf(call)
  expect([billing.hasAccess, billing.openInvoice]).toEqual([false, null])
  expect(stateLine(billing)).toBe('You’re paying, but we haven’t set up your membership yet. Contact us.')
  expect(stateAction(billing)).toEqual({ kind: 'contact', label: 'Contact us' })
  const refused = await (await act(call, '/api/billing/change-tier', { tierSlug: 'xl' })).json()
  expect(refused.error.message).not.toContain('unpaid')
  const owner = world.signIn(world.addOwner())
  const { failures } = await (await owner('/api/admin/today')).json()
  const due = await (await owner('/api/admin/members?show=payment-due')).json()
  expect([failures.total, due]).toEqual([0, []])
  expect(await findings()).toEqual([expect.stringContaining(id)])
  const membersOf = async () =>
    (await (await owner('/api/admin/tiers')).json()).flatMap(({ slug, members }: { slug: string; members: number }) =>
      members > 0 ? [slug] : [],
    )
  const moving = async () => (await (await owner('/api/admin/tiers/standard/price?price=27500')).json()).members
  expect([await membersOf(), await moving()]).toEqual([[], []])
  // The owner names it at the product, and everything follows.
  const [subscription] = (await stripe().subscriptions.list({})).data
  const product = subscription?.items.data[0]?.price.product
  await stripe().products.update(String(product), { metadata: { tier: 'lite' } })
  await syncCustomer(world.ctx, onlyCustomer(world))
  expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true, plan: { slug: 'lite' } })
  expect([await membersOf(), await findings()]).toEqual([['lite'], []])
  await renew()
  expect([tierOfNewest(), commission()]).toEqual(['lite', [2_000]])
})

test('a subscription sold beside a membership never takes its place when that ends later', async () => {
  const call = await becomeMember(world)
  await sell(await addOnPrice(4_000))
  await world.advance(5)
  await endMembership()
  expect(await billingOf(call)).toMatchObject({ hasAccess: false })
})

test('a tier is read from the product’s metadata where the price names none, as from the price’s own', async () => {
  const price = await addOnPrice(20_000, {})
  const { product } = await stripe().prices.retrieve(price)
  await stripe().products.update(String(product), { metadata: { tier: 'xl' } })
  const id = await sellToSam({ items: [{ price }, { price: await addOnPrice() }] })
  expect(countRows(world, 'subscriptions', `id = '${id}' and status = 'active' and tierSlug = 'xl'`)).toBe(1)
  expect([tierOfNewest(), await findings()]).toEqual(['xl', []])
  expect(await priceOfTier()).not.toBe(price)
})

const linesOfNewest = () =>
  issuedInvoices(world)
    .at(-1)
    ?.lines.map(({ description }) => description)

test('INV-1 what an add-on is billed for between renewals is no membership’s, and earns no commission', async () => {
  const id = await sellToSam({ items: [{ price: await priceOfTier() }, { price: await addOnPrice() }] })
  await world.advance(10)
  const { items } = await stripe().subscriptions.retrieve(id)
  await stripe().subscriptions.update(id, {
    items: [{ id: items.data.at(-1)?.id ?? '', quantity: 3 }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  })
  await world.sandbox.settle()
  expect(linesOfNewest()).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('Text messages')))
  expect([tierOfNewest(), commission()]).toEqual([null, [2_500]])
})

test('INV-1 an invoice made by hand for a subscription is about what’s on it', async () => {
  await becomeMember(world)
  const [subscription] = (await stripe().subscriptions.list({})).data
  const customer = onlyCustomer(world)
  const draft = await stripe().invoices.create({ customer, subscription: subscription?.id ?? '', auto_advance: false })
  const price = await addOnPrice(9_900, { recurring: undefined })
  await stripe().invoiceItems.create({ customer, invoice: draft.id, pricing: { price }, description: 'Van sign' })
  await stripe().invoices.finalizeInvoice(draft.id)
  await stripe().invoices.pay(draft.id)
  await world.sandbox.settle()
  expect(linesOfNewest()).toEqual(['Van sign'])
  expect([tierOfNewest(), commission()]).toEqual([null, [2_500]])
})

test('a member moved from one price that names no tier to another in mid-month earns commission on what that costs', async () => {
  await becomeMember(world)
  const [subscription] = (await stripe().subscriptions.list({})).data
  const move = async (amount: number, proration_behavior: 'none' | 'always_invoice') =>
    stripe().subscriptions.update(subscription?.id ?? '', {
      items: [{ id: subscription?.items.data[0]?.id ?? '', price: await addOnPrice(amount) }],
      proration_behavior,
      payment_behavior: 'pending_if_incomplete' as const,
    })
  await move(20_000, 'none')
  await renew()
  await move(30_000, 'always_invoice')
  await world.sandbox.settle()
  expect(tierOfNewest()).toBe('standard')
  expect(commission().length).toBe(3)
})

test('an end that owners set at Stripe is told on Billing, also where no tier is named', async () => {
  const id = await sellToSam({ items: [{ price: await addOnPrice(20_000) }] })
  const call = world.signIn(personCalled(world, sam.email))
  await stripe().subscriptions.update(id, { cancel_at_period_end: true })
  await world.sandbox.settle()
  expect(await billingOf(call)).toMatchObject({ status: 'unrecognised', endsOn: expect.stringMatching(/^20/) })
})

test('a member whose price names no tier has a payment due once it fails', async () => {
  const id = await sellToSam({ items: [{ price: await addOnPrice(20_000) }] })
  // Of an upgrade, say: no renewal is unpaid.
  world.ctx.sqlite.prepare(`update subscriptions set status = 'past_due' where id = ?`).run(id)
  const owner = world.signIn(world.addOwner())
  const due = await (await owner('/api/admin/members?show=payment-due')).json()
  expect(due).toMatchObject([{ email: sam.email, status: 'past_due' }])
})

test('a price that Stripe is slow to return delays no other sync', async () => {
  const slow = await addOnPrice(20_000)
  await sellToSam({ items: [{ price: slow }] })
  const kim = world.addMember({ email: 'kim@example.com' })
  const other = await stripe().customers.create({ email: kim.email, metadata: { userId: kim.id } })
  world.ctx.sqlite.prepare('update customers set stripeCustomerId = ? where userId = ?').run(other.id, kim.id)
  const { prices } = stripe()
  const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const retrieve = prices.retrieve.bind(prices)
  prices.retrieve = (async (...about: Parameters<typeof retrieve>) => {
    if (about[0] === slow) {
      asked.resolve()
      await told.promise
    }
    return retrieve(...about)
  }) as typeof retrieve
  const [sams] = (await stripe().customers.list({ email: sam.email })).data
  const waiting = syncCustomer(world.ctx, sams?.id ?? '')
  await asked.promise
  await syncCustomer(world.ctx, other.id)
  told.resolve()
  await waiting
})
