import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeMonths } from '#api/features/earnings/month-jobs.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { getOrCreateVatRate } from '#api/stripe/prices.ts'
import { beginJoin, onlyCustomer, sam } from '#api/testing/joining.ts'
import { millLane } from '#api/testing/paying.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { RevenueMonthList } from '#shared/contract/revenue.ts'
import { londonMonth, nextMonth, startOfMonth } from '#shared/rules/london.ts'

let world: PaymentWorld
let month: [string, string, string, string, string]
beforeEach(async () => {
  world = await startPaymentWorld()
  const first = londonMonth(world.ctx.billingNow())
  const second = nextMonth(first)
  const third = nextMonth(second)
  month = [first, second, third, nextMonth(third), nextMonth(nextMonth(third))]
})
afterEach(() => world.stop())

const toDay = 86_400_000
async function goTo(ofMonth: string, days = 4) {
  await world.sandbox.advance(new Date(startOfMonth(ofMonth).getTime() + days * toDay))
  await world.sandbox.settle()
}

async function months() {
  const response = await world.signIn(world.addOwner())('/api/admin/revenue-months')
  return v.parse(RevenueMonthList, await response.json())
}
const report = async () =>
  (await months()).map((one) => {
    const moved = Object.entries(one.movements).filter(([, amount]) => amount !== 0)
    return [one.month, one.isFrozen, one.opening, Object.fromEntries(moved), one.closing]
  })
const runMonthEnd = () => runJob(world.ctx, 'month-end')

async function beginAndPay(body: object, card?: string) {
  const joined = await beginJoin(world.call, body)
  await world.pay(joined.response.clientSecret, card)
  await world.sandbox.settle()
  return joined
}
const join = async (body: object = sam, card?: string) => (await beginAndPay(body, card)).response.subscriptionId
async function cancel(id: string) {
  await world.ctx.stripe.subscriptions.cancel(id)
  await world.sandbox.settle()
}
const hold = () => world.control('settings', { webhooks: { hold: true } })
async function release() {
  await world.control('settings', { webhooks: { hold: false } })
  await world.control('webhooks/release')
  await world.sandbox.settle()
}

test('three months that ended while the server was away are closed, oldest first; the running one is open', {
  tags: ['full'],
}, async () => {
  await join()
  await goTo(month[3])
  expect(await runMonthEnd()).toEqual({ skipped: false, report: { frozen: 3, newest: month[2] } })
  const expected = [
    [month[0], true, 0, { new: 25_000 }, 25_000],
    [month[1], true, 25_000, {}, 25_000],
    [month[2], true, 25_000, {}, 25_000],
    [month[3], false, 25_000, {}, 25_000],
  ]
  expect(await report()).toEqual(expected)
  expect(await runMonthEnd()).toEqual({ skipped: false, report: { frozen: 0, newest: null } })
  expect(await report()).toEqual(expected)
  const { tiers, payingCustomers, frozenAt: closedAt } = (await months())[1] ?? {}
  expect([payingCustomers, closedAt]).toEqual([1, world.ctx.billingNow().toISOString()])
  expect(tiers?.map(({ tier, customers, monthlyRevenue }) => [tier, customers, monthlyRevenue])).toEqual([
    ['lite', 0, 0],
    ['standard', 1, 25_000],
    ['xl', 0, 0],
    [null, 0, 0],
  ])
})

test('months of which the server heard nothing are closed as the provider has them, and none while it cannot be read', {
  tags: ['full'],
}, async () => {
  const id = await join()
  await join({ ...sam, email: 'stays@example.com', tierSlug: 'xl' })
  await hold()
  await goTo(month[2])
  await world.ctx.stripe.subscriptions.cancel(id)
  await goTo(month[3])
  await world.control('faults', { kind: 'error', path: '/v1/customers', times: 3 })
  await expect(runMonthEnd()).rejects.toThrow()
  expect((await months()).some(({ isFrozen: isClosed }) => isClosed)).toBe(false)
  expect(await runMonthEnd()).toMatchObject({ report: { frozen: 3 } })
  expect(await report()).toEqual([
    [month[0], true, 0, { new: 70_000 }, 70_000],
    [month[1], true, 70_000, {}, 70_000],
    [month[2], true, 70_000, { churn_voluntary: -25_000 }, 45_000],
    [month[3], false, 45_000, {}, 45_000],
  ])
})

test('each movement is listed, and opening plus movements make the closing', async () => {
  const one = await join({ ...sam, tierSlug: 'lite' })
  const failing = await join({ ...sam, email: 'fay@example.com', tierSlug: 'xl' }, cards.failsLater)
  await goTo(month[1])
  const { stripe } = world.ctx
  const price = (await stripe.prices.list({ lookup_keys: ['xl_45000'] })).data[0]?.id ?? ''
  const item = (await stripe.subscriptions.retrieve(one)).items.data[0]?.id ?? ''
  await stripe.subscriptions.update(one, { items: [{ id: item, price }], proration_behavior: 'none' })
  await goTo(month[2])
  await cancel(one)
  await goTo(month[3])
  await runMonthEnd()
  const [first, second, third, running] = await report()
  expect(first).toEqual([month[0], true, 0, { new: 57_500 }, 57_500])
  expect((await stripe.subscriptions.retrieve(failing)).status).toMatch(/canceled|unpaid/)
  const moved = [second, third, running].flatMap((row) => Object.entries(Object(row?.[3])))
  expect(moved.sort()).toEqual([
    ['churn_failed_payment', -45_000],
    ['churn_voluntary', -45_000],
    ['expansion', 32_500],
  ])
  expect(running?.[4]).toBe(0)
})

test('a discount that ends with a month counts to its last instant', { tags: ['full'] }, async () => {
  const id = await join()
  const { stripe } = world.ctx
  await goTo(month[1], 0)
  const coupon = await stripe.coupons.create({ percent_off: 20, duration: 'repeating', duration_in_months: 1 })
  await stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] })
  await goTo(month[2], 1)
  await runMonthEnd()
  expect((await report()).slice(1)).toEqual([
    [month[1], true, 25_000, { contraction: -5_000 }, 20_000],
    [month[2], false, 20_000, { expansion: 5_000 }, 25_000],
  ])
})

test('what comes back later is a reactivation', async () => {
  const id = await join()
  await goTo(month[1])
  await cancel(id)
  const { stripe } = world.ctx
  const price = (await stripe.prices.list({ lookup_keys: ['lite_12500', 'standard_25000'] })).data[0]?.id ?? ''
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: onlyCustomer(world) })
  await stripe.subscriptions.create({
    customer: onlyCustomer(world),
    items: [{ price }],
    default_payment_method: card.id,
    default_tax_rates: [await getOrCreateVatRate(world.ctx)],
  })
  await world.sandbox.settle()
  expect((await report())[1]).toEqual([
    ...[month[1], false, 25_000],
    { churn_voluntary: -25_000, reactivation: 25_000 },
    25_000,
  ])
})

test('news of a month that is closed counts from the first instant of the open one; closed figures stay', {
  tags: ['full'],
}, async () => {
  await join()
  await hold()
  const late = await join({ ...sam, email: 'late@example.com', tierSlug: 'xl' })
  await world.ctx.stripe.subscriptions.cancel(late)
  const later = await join({ ...sam, email: 'later@example.com', tierSlug: 'lite' })
  await goTo(month[1])
  closeMonths(world.ctx)
  const closed = (await months())[0]
  await release()
  expect((await months())[0]).toEqual(closed)
  expect((await report())[1]).toEqual([
    ...[month[1], false, 25_000],
    { new: 45_000 + 12_500, churn_voluntary: -45_000 },
    25_000 + 12_500,
  ])
  expect(later).not.toBe(late)
  const row = world.ctx.sqlite.prepare<[], { at: string }>('select at from revenue_changes order by rowid desc').get()
  expect(row?.at).toBe(startOfMonth(month[1]).toISOString())
})

test('the same news again adds nothing', async () => {
  await join()
  const rows = () => world.ctx.sqlite.prepare('select * from revenue_changes').all()
  const before = rows()
  for (let done = 0; done < 3; done += 1) await syncCustomer(world.ctx, onlyCustomer(world))
  await runJob(world.ctx, 'reconcile')
  expect(rows()).toEqual(before)
  expect(before).toHaveLength(1)
})

test('a month that does not add up is not closed, and the job says so', async () => {
  await join()
  await goTo(month[1])
  world.ctx.sqlite.exec(
    `insert into revenue_changes (id, customerId, subscriptionId, kind, tierSlug, tierBefore, beforeYearly, afterYearly, at, month, createdAt)
     select 'zzz', customerId, subscriptionId, 'contraction', tierSlug, tierSlug, 240000, 120000, at, month, createdAt from revenue_changes`,
  )
  await expect(runMonthEnd()).rejects.toThrow(
    `${month[0]} doesn’t add up, so it stays open. Its movements come to £150.00 from 1, but we count £100.00 from 1.`,
  )
  expect((await months()).map(({ isFrozen: isClosed }) => isClosed)).toEqual([false, false])
})

test('nor one whose commission isn’t the ledger’s, whatever the kept sum says', async () => {
  await join()
  await goTo(month[1])
  const add = (pence: number) =>
    world.ctx.sqlite.prepare('update month_sums set commission = commission + ? where month = ?').run(pence, month[0])
  add(100)
  await expect(runMonthEnd()).rejects.toThrow(`${month[0]} doesn’t add up, so it stays open. Its commission comes to`)
  add(-100)
})

test('a corrected invoice counts once: in its own month, or where that is closed, as zero in the open one', async () => {
  const net = (...values: number[]) => values.map((value) => ({ net: value, vat: value / 5, gross: (value * 6) / 5 }))
  const vat = async () => {
    const listed = await months()
    return listed.map(({ vat: { invoiced, credited, late, total } }) => [invoiced, credited, late, total])
  }
  const giveAddress = (call: Call) => call('/api/billing/address', { method: 'PUT', body: millLane })
  const first = (await beginAndPay(sam)).call
  const second = (await beginAndPay({ ...sam, email: 'second@example.com', tierSlug: 'lite' })).call
  expect((await giveAddress(first)).status).toBe(200)
  expect((await vat())[0]).toEqual(net(62_500, 25_000, 0, 37_500))
  await goTo(month[1])
  await runMonthEnd()
  const [closed] = await vat()
  expect((await giveAddress(second)).status).toBe(200)
  expect(await vat()).toEqual([closed, net(0, 0, 0, 0)])
})
