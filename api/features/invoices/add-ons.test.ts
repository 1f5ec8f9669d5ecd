import { afterEach, beforeEach, expect, test } from 'vitest'
import { acted, becomeMember } from '#api/testing/billing.ts'
import { dashboard } from '#api/testing/dashboard.ts'
import { billingOf, onlyCustomer } from '#api/testing/joining.ts'
import { issuedInvoices } from '#api/testing/paying.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { stateLine } from '#shared/rules/state-line.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2026-06-15T09:00:00Z') })
})
afterEach(() => world.stop())

const { addOnPrice } = dashboard(() => world)

const stripe = () => world.ctx.stripe

/** Of June’s 30 days, 15 are over. The owner adds £40.00 a month in the dashboard, which prorates it unless told otherwise. */
async function withAddOn(): Promise<{ call: Call; id: string; item: string }> {
  const call = await becomeMember(world)
  await world.advance(15)
  const [{ id } = { id: '' }] = (await stripe().subscriptions.list({})).data
  const items = [{ price: await addOnPrice() }]
  const changed = await stripe().subscriptions.update(id, { items, proration_behavior: 'create_prorations' })
  await world.sandbox.settle()
  return { call, id, item: changed.items.data.at(-1)?.id ?? '' }
}

const newestAtStripe = async () => (await stripe().invoices.list({ customer: onlyCustomer(world), limit: 1 })).data[0]
const newest = () => issuedInvoices(world).at(-1)
const netsOf = () => newest()?.lines.map(({ net, vat }) => [net, vat])
const commission = () => world.ctx.sqlite.prepare('select net, amount from commission_ledger').all()
const mrr = async () => (await (await world.signIn(world.addOwner())('/api/admin/mrr')).json()).totalMRR

/** What’s said, and what the clock then takes. */
async function saidAndTaken(call: Call) {
  const said = await billingOf(call)
  await world.advance(16)
  await world.sandbox.settle()
  const taken = await newestAtStripe()
  expect([taken?.status, taken?.amount_paid]).toEqual(['paid', said.nextPayment?.due])
  return { line: stateLine(said), said, taken: taken?.amount_paid }
}

test('INV-1 an add-on from the dashboard comes with the next bill, with its part of this month', async () => {
  const { call } = await withAddOn()
  expect(await mrr()).toBe(25_000)
  const { line, said, taken } = await saidAndTaken(call)
  // £250.00 + £40.00 + half of £40.00, and the VAT.
  expect(taken).toBe(37_200)
  expect(line).toBe('Paid until 15 July 2026. Then we’ll take £372.00 for the next month.')
  expect(said.plan).toMatchObject({ slug: 'standard', total: 30_000 })
  expect(said.nextPayment?.others?.map(({ total }: { total: number }) => total)).toEqual([2_400, 4_800])
  expect([newest()?.tierSlug, newest()?.gross]).toEqual(['standard', 37_200])
  expect(netsOf()).toEqual([
    [2_000, 400],
    [25_000, 5_000],
    [4_000, 800],
  ])
  expect(commission()).toEqual([
    { net: 25_000, amount: 2_500 },
    { net: 25_000, amount: 2_500 },
  ])
  expect(await mrr()).toBe(25_000)
  await world.advance(15)
  expect(stateLine(await billingOf(call))).toBe(
    'Paid until 15 August 2026. Then we’ll take £348.00 for the next month.',
  )
})

test('INV-1 an upgrade today changes the tier’s item alone, and leaves what waits for the next bill', async () => {
  const { call, id } = await withAddOn()
  const shown = await acted(call, '/api/billing/upgrade/preview', { tierSlug: 'xl' })
  expect(shown).toMatchObject({ credit: { net: 12_500 }, charge: { net: 22_500 }, nextBill: { due: 61_200 } })
  await acted(call, '/api/billing/upgrade', { attemptId: shown.attemptId })
  expect(netsOf()).toEqual([
    [-12_500, -2_500],
    [22_500, 4_500],
  ])
  const { items } = await stripe().subscriptions.retrieve(id)
  expect(items.data.map(({ price }) => price.unit_amount)).toEqual([45_000, 4_000])
  expect(await mrr()).toBe(45_000)
  const { taken } = await saidAndTaken(call)
  expect([taken, newest()?.tierSlug]).toEqual([61_200, 'xl'])
})

test('INV-1 an add-on taken away again leaves its days, and then nothing', async () => {
  const { call, id, item } = await withAddOn()
  await world.advance(9)
  await stripe().subscriptions.update(id, { items: [{ id: item, deleted: true }] })
  await world.sandbox.settle()
  const { taken } = await saidAndTaken(call)
  // £20.00 for 15 days, less £8.00 for the last six.
  expect(taken).toBe(31_440)
  expect(netsOf()).toEqual([
    [2_000, 400],
    [-800, -160],
    [25_000, 5_000],
  ])
  expect(commission().at(-1)).toEqual({ net: 25_000, amount: 2_500 })
  expect((await billingOf(call)).nextPayment).toMatchObject({ due: 30_000 })
  expect(await mrr()).toBe(25_000)
})

test('INV-1 an add-on that the owner bills straight away has an invoice of its own, and earns nothing', async () => {
  const { call, id, item } = await withAddOn()
  const how = { proration_behavior: 'always_invoice' } as const
  await stripe().subscriptions.update(id, { items: [{ id: item, quantity: 2 }], ...how })
  await world.sandbox.settle()
  expect([newest()?.tierSlug, newest()?.gross]).toEqual([null, 2_400])
  expect(netsOf()).toEqual([
    [-2_000, -400],
    [4_000, 800],
  ])
  expect(commission()).toEqual([{ net: 25_000, amount: 2_500 }])
  expect((await saidAndTaken(call)).taken).toBe(42_000)
})
