import Database from 'better-sqlite3'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { readMigrations, withSchemaWritable } from '#api/db/migrations.ts'
import { revenueMonths } from '#api/db/schema/revenue.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { sellElsewhere } from '#api/testing/adopting.ts'
import { acted } from '#api/testing/billing.ts'
import { beginJoin } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { Mrr, RevenueMonthList } from '#shared/contract/revenue.ts'
import { londonMonth } from '#shared/rules/london.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2027-03-10T10:00:00.000Z') })
})
afterEach(() => world.stop())

const owner = () => world.signIn(world.addOwner())

/** A member another program sold a year to, taken over as a member of the tier. */
async function adoptYearly(email: string, amount: number, tier = 'standard') {
  const price = { recurring: { interval: 'year' as const } }
  const { id } = await sellElsewhere(world, { email, amount, price, tax: { percentage: 20, inclusive: false } })
  world.addUser({ email })
  await acted(owner(), '/api/admin/subscription-links', { reference: id, email, providerEmail: email, tier })
  return id
}

async function joinMonthly() {
  const { response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
}

const mrr = async () => v.parse(Mrr, await (await owner()('/api/admin/mrr')).json())
const months = async () => v.parse(RevenueMonthList, await (await owner()('/api/admin/revenue-months')).json())
const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0)

test('a year counts as a twelfth: totals are rounded once, rows for themselves, tiers so that they add up', async () => {
  await joinMonthly()
  // £1,000, £1,000 and £1,000.01 a year: 83.333, 83.333 and 83.334 a month.
  await adoptYearly('one@example.com', 100_000, 'lite')
  await adoptYearly('two@example.com', 100_000, 'standard')
  await adoptYearly('three@example.com', 100_001, 'xl')
  const { totalMRR, subscriptionDetails, target } = await mrr()
  expect(totalMRR).toBe(25_000 + 25_000)
  expect(subscriptionDetails.map(({ monthlyAmount }) => monthlyAmount).sort()).toEqual([25_000, 8_333, 8_333, 8_333])
  expect(Math.round(sum(subscriptionDetails.map(({ yearlyAmount }) => yearlyAmount)) / 12)).toBe(totalMRR)
  expect(target.customers).toBe(4)
  const now = (await months()).at(-1)
  expect(now).toMatchObject({ opening: 0, movements: { new: 50_000 }, closing: 50_000, payingCustomers: 4 })
  expect(sum((now?.tiers ?? []).map(({ monthlyRevenue }) => monthlyRevenue))).toBe(50_000)
})

test('opening and movements make the closing in every month, closed ones too, and stay as they were closed', async () => {
  await joinMonthly()
  await adoptYearly('one@example.com', 100_000)
  await world.advance(32)
  const leaver = await adoptYearly('two@example.com', 100_000)
  await adoptYearly('three@example.com', 99_995, 'xl')
  await world.advance(32)
  await world.ctx.stripe.subscriptions.cancel(leaver)
  await world.sandbox.settle()
  const before = await months()
  expect(await runJob(world.ctx, 'month-end')).toMatchObject({ report: { frozen: before.length - 1 } })
  const after = await months()
  expect(after.map(({ isFrozen: _is, frozenAt: _at, ...figures }) => figures)).toEqual(
    before.map(({ isFrozen: _is, frozenAt: _at, ...figures }) => figures),
  )
  for (const { opening, movements, closing, tiers } of after) {
    expect(opening + sum(Object.values(movements))).toBe(closing)
    expect(sum(tiers.map(({ monthlyRevenue }) => monthlyRevenue))).toBe(closing)
  }
  expect(after.map(({ closing }) => closing)).toEqual([33_333, 50_000, 41_666])
  expect((await mrr()).totalMRR).toBe(41_666)
})

test('a month closed before years were counted is the next one’s opening', async () => {
  const frozenAt = world.ctx.billingNow().toISOString()
  const figures = { closing: 8_333, payingCustomers: 1, 'lite.customers': 1, 'lite.monthlyRevenue': 8_333 }
  insertRow(world.ctx, revenueMonths, { month: londonMonth(world.ctx.billingNow()), figures, frozenAt })
  await world.advance(32)
  await adoptYearly('one@example.com', 100_000, 'xl')
  const [closed, open] = await months()
  expect(closed).toMatchObject({ closing: 8_333, isFrozen: true })
  // 99,996 and 100,000 a year.
  expect(open).toMatchObject({ opening: 8_333, movements: { new: 8_333 }, closing: 16_666 })
  expect(open?.tiers.map(({ monthlyRevenue }) => monthlyRevenue)).toEqual([8_333, 0, 8_333, 0])
})

test('what was kept by the month is kept by the year', () => {
  const migrations = readMigrations()
  const turn = migrations.findIndex(({ sql }) => sql.some((one) => one.includes('TO "yearlyNet"')))
  const sqlite = new Database(':memory:')
  const apply = (some: typeof migrations) =>
    withSchemaWritable(sqlite, () => some.flatMap(({ sql }) => sql).map((one) => sqlite.exec(one)))
  apply(migrations.slice(0, turn))
  sqlite.exec(`
    insert into customers (id, stripeCustomerId, createdAt) values ('c', 'cus', '');
    insert into subscriptions (id, customerId, status, tierSlug, monthlyNet, created, updatedAt)
      values ('s', 'c', 'active', 'standard', 8333, '', '');
    insert into revenue_changes (id, customerId, subscriptionId, kind, tierSlug, before, after, at, month, createdAt)
      values ('r', 'c', 's', 'expansion', 'standard', 8000, 8333, '', '2026-01', '')`)
  apply(migrations.slice(turn))
  expect(sqlite.prepare('select yearlyNet from subscriptions').pluck().get()).toBe(8_333 * 12)
  expect(sqlite.prepare('select beforeYearly, afterYearly from revenue_changes').raw().get()).toEqual([96_000, 99_996])
  expect(() => sqlite.exec('update revenue_changes set afterYearly = 1')).toThrow(/only ever appended/)
})
