import fc from 'fast-check'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isPutOff as isPutOffInSql } from '#api/db/expressions.ts'
import { insertRow } from '#api/db/insert.ts'
import { paymentStatuses, providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { becomeMember, beginTrial } from '#api/testing/billing.ts'
import { billingOf, onlyCustomer } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { RevenueMonthList } from '#shared/contract/revenue.ts'
import { isPutOff } from '#shared/rules/membership.ts'

let world: PaymentWorld
let owner: Call
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2027-03-15T10:00:00.000Z') })
  owner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())

async function subscriptionId() {
  const { data } = await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })
  return data[0]?.id ?? ''
}
async function putOffUntil(day: string) {
  const trial_end = Date.parse(`${day}T10:00:00Z`) / 1000
  await world.ctx.stripe.subscriptions.update(await subscriptionId(), { trial_end, proration_behavior: 'none' })
  await world.sandbox.settle()
}
async function trials() {
  const listed = v.parse(RevenueMonthList, await (await owner('/api/admin/revenue-months')).json())
  return listed.map(({ month, trialsEnded, trialsConverted }) => `${month} ${trialsEnded} ${trialsConverted}`)
}
const mrr = async () => (await (await owner('/api/admin/mrr')).json()).totalMRR
const begun = () => world.ctx.sqlite.prepare('select kind, substr(at, 1, 10) from revenue_changes').raw().all()

test('a renewal put off is no trial: none ends or converts, while it runs and after', async () => {
  await becomeMember(world)
  await putOffUntil('2027-05-15')
  expect(await mrr()).toBe(25_000)
  await world.advance(70)
  expect(await trials()).toEqual(['2027-03 0 0', '2027-04 0 0', '2027-05 0 0'])
  expect(begun()).toEqual([['new', '2027-03-15']])
})

test('one first read after it was put off counts from its first payment', async () => {
  await becomeMember(world)
  await world.control('settings', { webhooks: { hold: true } })
  await putOffUntil('2027-05-15')
  await world.advance(70)
  world.ctx.sqlite.exec('drop trigger revenue_changes_no_delete; delete from revenue_changes')
  await syncCustomer(world.ctx, onlyCustomer(world))
  expect(begun()).toEqual([['new', '2027-03-15']])
})

test('what owners charge during a trial is no first payment: it’s still to come', async () => {
  const call = await beginTrial(world, cards.pays)
  const { stripe } = world.ctx
  const subscription = await subscriptionId()
  const customer = onlyCustomer(world)
  const { id } = await stripe.invoices.create({ customer, subscription, pending_invoice_items_behavior: 'exclude' })
  await stripe.invoiceItems.create({ customer, invoice: id ?? '', amount: 2_000, currency: 'gbp', description: 'Jig' })
  await stripe.invoices.pay((await stripe.invoices.finalizeInvoice(id ?? '')).id ?? '')
  await world.sandbox.settle()
  expect(await billingOf(call)).toMatchObject({ status: 'trialing', firstPaymentOn: '2027-04-04' })
  expect(await mrr()).toBe(0)
  await world.advance(31)
  expect(await trials()).toEqual(['2027-03 0 0', '2027-04 1 1'])
  expect(begun()).toEqual([['new', '2027-04-04']])
})

test('whether a trial puts a renewal off is the same in SQL, over any payments before and after', () => {
  const day = fc.integer({ min: 1, max: 28 }).map((one) => `2027-02-${String(one).padStart(2, '0')}T10:00:00.000Z`)
  const payment = fc.record({
    status: fc.constantFrom(...paymentStatuses),
    amountPaid: fc.constantFrom(0, 30_000),
    fromCredit: fc.constantFrom(0, 0, 100),
    freeMonthNet: fc.constantFrom(null, null, 25_000),
    isUpgrade: fc.boolean(),
    billingReason: fc.constantFrom(null, 'manual', 'subscription_cycle'),
    created: day,
  })
  world.addMember()
  const { ctx } = world
  const [subscription] = ctx.db.select().from(subscriptions).all()
  const ids = { subscriptionId: subscription?.id ?? '', customerId: subscription?.customerId ?? '' }
  fc.assert(
    fc.property(fc.option(day), fc.array(payment, { maxLength: 4 }), (trialEnd, payments) => {
      ctx.db.delete(providerInvoices).run()
      ctx.db.update(subscriptions).set({ trialEnd }).run()
      const amounts = { net: 25_000, vat: 5_000, total: 30_000 }
      for (const one of payments) insertRow(ctx, providerInvoices, { id: ctx.newId(), ...ids, ...amounts, ...one })
      const [row] = ctx.db
        .select({ isPutOff: isPutOffInSql(subscriptions).mapWith(Boolean) })
        .from(subscriptions)
        .all()
      expect(row?.isPutOff).toBe(isPutOff(trialEnd, payments))
    }),
  )
})
