import * as v from 'valibot'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { acted, beginTrial, personCalled } from '#api/testing/billing.ts'
import { countRows, onlyCustomer, sam } from '#api/testing/joining.ts'
import { cards, type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import type { Call } from '#api/testing/world.ts'
import { RevenueMonthList } from '#shared/contract/revenue.ts'
import { londonDay } from '#shared/rules/london.ts'

let world: PaymentWorld
let owner: Call
beforeEach(async () => {
  world = await startPaymentWorld({ startsAt: new Date('2027-03-15T10:00:00.000Z') })
  owner = world.signIn(world.addOwner())
})
afterEach(() => world.stop())

async function months() {
  const listed = v.parse(RevenueMonthList, await (await owner('/api/admin/revenue-months')).json())
  return listed.map(({ month, isFrozen: isClosed, movements, closing, payingCustomers }) => {
    const moved = Object.entries(movements).filter(([, amount]) => amount !== 0)
    return [month, isClosed, Object.fromEntries(moved), closing, payingCustomers]
  })
}
const mrr = async () => (await (await owner('/api/admin/mrr')).json()).totalMRR
const changes = () =>
  world.ctx.sqlite
    .prepare<[], { line: string }>(
      `select kind || ' ' || (beforeYearly / 12) || '-' || (afterYearly / 12) || ' ' || substr(at, 1, 10) as line from revenue_changes order by at, id`,
    )
    .all()
    .map(({ line }) => line)

/** A trial until 4 April. An owner has made its first paid month free. */
async function beginFreeTrial(): Promise<void> {
  await beginTrial(world, cards.pays)
  const { id } = personCalled(world, sam.email)
  await acted(owner, `/api/admin/members/${id}/free-month`, { isFree: true }, 'PUT')
}
const begins = 'new 0-25000 2027-04-04'
const hold = () => world.control('settings', { webhooks: { hold: true } })
const readAgain = () => syncCustomer(world.ctx, onlyCustomer(world))

async function endInFreeMonth(): Promise<void> {
  await world.advance(25)
  const { data } = await world.ctx.stripe.subscriptions.list({ customer: onlyCustomer(world) })
  await world.ctx.stripe.subscriptions.cancel(data[0]?.id ?? '')
  await world.sandbox.settle()
  await world.advance(5)
}

test('a trial whose first month is free counts from the end of the trial, in MRR as in the movements', {
  tags: ['full'],
}, async () => {
  await beginFreeTrial()
  const seen: unknown[] = []
  for (const days of [10, 9, 2, 12, 24]) {
    await world.advance(days)
    expect((await months()).at(-1)?.[3]).toBe(await mrr())
    seen.push([londonDay(world.ctx.billingNow()), await mrr(), countRows(world, 'invoices')])
  }
  expect(seen).toEqual([
    ['2027-03-25', 0, 0],
    ['2027-04-03', 0, 0],
    ['2027-04-05', 25_000, 0],
    ['2027-04-17', 25_000, 0],
    ['2027-05-11', 25_000, 1],
  ])
  expect(await runJob(world.ctx, 'month-end')).toMatchObject({ report: { newest: '2027-04' } })
  expect(changes()).toEqual([begins])
  expect((await months()).slice(-2)).toEqual([
    ['2027-04', true, { new: 25_000 }, 25_000, 1],
    ['2027-05', false, {}, 25_000, 1],
  ])
})

test('the same where the server hears of it only after the next payment', async () => {
  await beginFreeTrial()
  await hold()
  await world.advance(55)
  await readAgain()
  expect(changes()).toEqual([begins])
})

for (const [how, before] of [
  ['when we hear of it straight away', () => {}],
  ['as it is read once all is over', hold],
] as const)
  test(`one that ends within its free month has come and gone, ${how}`, { tags: ['full'] }, async () => {
    await beginFreeTrial()
    await before()
    await endInFreeMonth()
    await readAgain()
    expect(changes()).toEqual([begins, 'churn_voluntary 25000-0 2027-04-09'])
    expect((await months()).at(-1)).toEqual(['2027-04', false, { new: 25_000, churn_voluntary: -25_000 }, ...[0, 0]])
  })
