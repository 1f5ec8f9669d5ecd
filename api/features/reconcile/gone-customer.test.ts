import { afterEach, beforeEach, expect, test } from 'vitest'
import { acted, becomeMember, personCalled } from '#api/testing/billing.ts'
import { beginJoin, billingOf, countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { londonMonth } from '#shared/rules/london.ts'
import { syncCustomer } from './service.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

async function joinsAgain(call: Call) {
  const { response } = await beginJoin(call)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  expect(await billingOf(call)).toMatchObject({ status: 'active', hasAccess: true })
}

test('BILL-01 MRR-2 what was paid through a deleted customer is still the member’s: their invoices, and their name for owners', {
  tags: ['full'],
}, async () => {
  const call = await becomeMember(world)
  const first = onlyCustomer(world)
  await world.ctx.stripe.customers.del(first)
  await world.sandbox.settle()
  await syncCustomer(world.ctx, first)
  await joinsAgain(call)
  const mine: { id: string; number: string }[] = await (await call('/api/billing/invoices')).json()
  expect(mine.map(({ number }) => number)).toEqual(['A-000002', 'A-000001'])
  for (const { id } of mine) expect((await call(`/api/billing/invoices/${id}`)).status).toBe(200)
  const owner = world.signIn(world.addOwner())
  const read = async (path: string) => (await owner(path)).json()
  const { id } = personCalled(world, sam.email)
  const ofOwners = await read(`/api/admin/invoices?member=${sam.email}`)
  expect(ofOwners).toMatchObject([{ memberId: id }, { memberId: id }])
  const month = londonMonth(world.ctx.billingNow())
  const { lines } = await read(`/api/admin/commission-statements/${month}`)
  expect(lines).toMatchObject([{ member: 'Sam Field' }, { member: 'Sam Field' }])
  const [payments, ...others] = await read('/api/admin/member-payments')
  const both = { paymentMonth: month, membershipAmount: 50_000, commissionAmount: 5_000 }
  expect([payments, others]).toMatchObject([{ id, email: sam.email, monthlyPayments: [both] }, []])
  expect(await read('/api/admin/commission-history')).toMatchObject({ totalMembers: 1, membersUnpaid: 1 })
  await world.advance(16)
  const body = { commissionPaid: true, commissionMonth: month }
  await acted(owner, `/api/admin/commission-status/${id}`, body, 'PATCH')
  expect(await read('/api/admin/commission-history')).toMatchObject({ totalCommissionPaid: 5_000, membersPaid: 1 })
})

/** Customers in order of creation, whether they still have a person, and what each paid. */
const paidThrough = () =>
  world.ctx.sqlite
    .prepare(
      `select userId is not null as isSomebodys, (select sum(amountPaid) from provider_invoices where customerId = customers.id) as paid
       from customers order by customers.rowid`,
    )
    .all()

test('a customer deleted at the provider is read to the end, and the person can join again', {
  tags: ['full'],
}, async () => {
  const call = await becomeMember(world)
  const first = onlyCustomer(world)
  await world.ctx.stripe.customers.del(first)
  await world.sandbox.settle()
  expect(await syncCustomer(world.ctx, first)).toBe('written')
  expect(await billingOf(call)).toMatchObject({ status: 'canceled', hasAccess: false })
  expect(countRows(world, 'provider_events', 'processedAt is null')).toBe(0)
  await joinsAgain(call)
  const expected = [
    { isSomebodys: 0, paid: 30_000 },
    { isSomebodys: 1, paid: 30_000 },
  ]
  expect(paidThrough()).toEqual(expected)
  // The old customer is still synced, because it may get a refund.
  expect(await syncCustomer(world.ctx, first)).toBe('written')
  expect(paidThrough()).toEqual(expected)
  expect(countRows(world, 'audit_entries', `action = 'customer.forgotten'`)).toBe(1)
})

test('a customer that the provider does not know does not keep the person from joining again', async () => {
  const call = await becomeMember(world)
  const { stripe, sqlite } = world.ctx
  await stripe.subscriptions.cancel((await stripe.subscriptions.list({})).data[0]?.id ?? '')
  await world.sandbox.settle()
  sqlite.exec(`update customers set stripeCustomerId = 'cus_elsewhere'`)
  await joinsAgain(call)
  expect(paidThrough()).toEqual([
    { isSomebodys: 0, paid: 30_000 },
    { isSomebodys: 1, paid: 30_000 },
  ])
})

test('while the provider cannot say whether it has a customer, no other is created', { tags: ['full'] }, async () => {
  const call = await becomeMember(world)
  const { stripe } = world.ctx
  await stripe.subscriptions.cancel((await stripe.subscriptions.list({})).data[0]?.id ?? '')
  await world.sandbox.settle()
  await world.control('faults', { kind: 'error', method: 'GET', path: '/v1/customers', times: 9 })
  expect(
    (await call('/api/create-subscription', { body: { email: 'sam@example.com', name: 'Sam Field' } })).status,
  ).toBe(502)
  expect(paidThrough()).toEqual([{ isSomebodys: 1, paid: 30_000 }])
})
