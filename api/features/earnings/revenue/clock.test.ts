// @module-tag full
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { closeMonths } from '#api/features/earnings/month-jobs.ts'
import { listFindings } from '#api/features/operations/doctor/service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { beginJoin, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type Call, readError } from '#api/testing/world.ts'
import { RevenueClock, RevenueMonthList } from '#shared/contract/revenue.ts'
import { londonMonth, nextMonth, startOfMonth } from '#shared/rules/london.ts'

let world: PaymentWorld
let month: [string, string, string, string]
beforeEach(async () => {
  // Holds the sandbox's heartbeat, which would renew in the middle of a slow test.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  world = await startPaymentWorld()
  const first = nextMonth(londonMonth(world.ctx.billingNow()))
  const second = nextMonth(first)
  month = [first, second, nextMonth(second), nextMonth(nextMonth(second))]
  // Late enough that no renewal falls in the first days of a month.
  await goTo(first, 12)
})
afterEach(async () => {
  await world.stop()
  vi.useRealTimers()
})

/** Logs in again each time, because a login dated in the future isn't valid. */
const asOwner: Call = (...call) => world.signIn(world.addOwner())(...call)

const toDay = 86_400_000
const [hundredDays, threeYears] = [100 * toDay, 1096 * toDay]

async function goTo(ofMonth: string, days = 4) {
  await world.sandbox.advance(new Date(startOfMonth(ofMonth).getTime() + days * toDay))
  await world.sandbox.settle()
}

async function join(body: object = sam) {
  const joined = await beginJoin(world.call, body)
  await world.pay(joined.response.clientSecret)
  await world.sandbox.settle()
  return joined
}

const months = async () => v.parse(RevenueMonthList, await (await asOwner('/api/admin/revenue-months')).json())
const statement = async (of: string) => (await asOwner(`/api/admin/commission-statements/${of}`)).json()
const report = async () =>
  (await months()).map((one) => {
    const moved = Object.entries(one.movements).filter(([, amount]) => amount !== 0)
    return [one.month, one.isFrozen, one.opening, Object.fromEntries(moved), one.closing, one.vat.total.vat]
  })
async function runMonthEnd() {
  const outcome = await runJob(world.ctx, 'month-end')
  return outcome.skipped ? null : outcome.report
}
const stored = () => world.ctx.sqlite.prepare('select * from revenue_months order by month').all()
const storedMonths = () => world.ctx.sqlite.prepare('select month from revenue_months order by month').pluck().all()
const countOf = (table: string) => world.ctx.sqlite.prepare(`select count(*) from ${table}`).pluck().get()
const readClock = async () => v.parse(RevenueClock, await (await asOwner('/api/admin/revenue-months/clock')).json())
const reopen = (of: readonly unknown[]) => asOwner('/api/admin/revenue-months/reopen', { body: { months: of } })
const finding = async () => (await listFindings(world.ctx)).find(({ check }) => check === 'clock')

describe('a clock that is behind', () => {
  async function closeTwo() {
    await join()
    await goTo(month[2])
    await runMonthEnd()
  }

  test('deletes and opens no month, closes none, and says why it waits', async () => {
    await closeTwo()
    const [closed, figures] = [stored(), await report()]
    expect(storedMonths()).toEqual([month[0], month[1]])

    world.forward(-threeYears)
    expect(await runMonthEnd()).toEqual({
      frozen: 0,
      newest: null,
      waits: expect.stringContaining('2 months are closed at a time after now'),
    })
    expect(stored()).toEqual(closed)
    expect(countOf(`audit_entries where action = 'revenue.opened'`)).toBe(0)
    expect(await report()).toEqual(figures.slice(0, 2))
    expect((await statement(month[0])).isFrozen).toBe(true)
    expect(await finding()).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/2 months are closed at a time after now.+correct the clock.+alliance mrr reopen/),
    })

    world.forward(threeYears)
    expect(await runMonthEnd()).toEqual({ frozen: 0, newest: null })
    expect([stored(), await report()]).toEqual([closed, figures])
    expect(await finding()).toBeUndefined()
  })

  test('loses no payment: what it changes is booked once the clock is right, outside the closed months', async () => {
    await closeTwo()
    const closed = stored()
    world.forward(-threeYears)
    const { call } = await join({ ...sam, email: 'xl@example.com', tierSlug: 'xl' })
    expect((await call('/api/member-videos')).status).toBe(200)
    expect([countOf('invoices'), countOf('revenue_changes')]).toEqual([3, 1])
    await runMonthEnd()
    expect([stored(), countOf('revenue_changes')]).toEqual([closed, 1])

    world.forward(threeYears)
    expect(await runMonthEnd()).toEqual({ frozen: 0, newest: null })
    expect(stored()).toEqual(closed)
    const [, , running] = await report()
    expect(running).toEqual([month[2], false, 25_000, { new: 45_000 }, 70_000, 9_000])
    expect((await statement(month[2])).lines).toHaveLength(1)
  })

  test('closes no month while the newest entry is of more than a day later', async () => {
    await join()
    await goTo(month[2])
    // By this clock the first month has ended.
    world.forward(-30 * toDay)
    expect(await runMonthEnd()).toEqual({
      frozen: 0,
      newest: null,
      waits: expect.stringMatching(/^The newest entry is of .+alliance mrr reopen\.$/),
    })
    expect(await finding()).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/^The newest entry is of/),
    })
    world.forward(30 * toDay)
    expect(await finding()).toBeUndefined()
    expect(await runMonthEnd()).toEqual({ frozen: 2, newest: month[1] })
  })
})

describe('a clock that ran ahead', () => {
  /** The first month is over and closed. The next ones are closed too early. */
  async function closeAhead() {
    await join()
    await goTo(month[1])
    await runMonthEnd()
    await join({ ...sam, email: 'xl@example.com', tierSlug: 'xl' })
    const right = await report()
    world.forward(hundredDays)
    // The provider's clock is right, but nothing reads it in between.
    expect(closeMonths(world.ctx)).toEqual({ frozen: 3, newest: month[3] })
    world.forward(-hundredDays)
    return right
  }

  test('leaves closed months that an owner opens; what was paid meanwhile is then in its own month', async () => {
    const right = await closeAhead()
    expect(storedMonths()).toEqual([...month])
    expect(await runMonthEnd()).toMatchObject({
      frozen: 0,
      waits: expect.stringContaining('3 months are closed at a time after now'),
    })
    expect(storedMonths()).toEqual([...month])

    const { call } = await join({ ...sam, email: 'lite@example.com', tierSlug: 'lite' })
    expect((await call('/api/member-videos')).status).toBe(200)
    expect(countOf('invoices')).toBe(3)
    // The payment and its invoice are written. The bookings are held.
    expect([countOf('revenue_changes'), countOf('commission_ledger')]).toEqual([2, 2])

    expect(await readClock()).toMatchObject({ months: month.slice(1), newest: null })
    const late = await reopen([month[1]])
    expect([late.status, (await readError(late)).code]).toEqual([409, 'conflict'])
    expect(await (await reopen(month.slice(1))).json()).toMatchObject({ months: [], newest: null })

    const grown = [right[0], [month[1], false, 25_000, { new: 57_500 }, 82_500, 9_000 + 2_500]]
    expect(await report()).toEqual(grown)
    expect((await statement(month[1])).lines).toHaveLength(2)
    expect(await finding()).toBeUndefined()
    const opened = world.ctx.sqlite
      .prepare(`select targetId, detail ->> '$.figures.closing' from audit_entries where action = 'revenue.opened'`)
      .raw()
      .all()
    expect(opened).toEqual([1, 2, 3].map((at) => [month[at], 70_000]))

    await goTo(month[2])
    expect(await runMonthEnd()).toEqual({ frozen: 1, newest: month[1] })
    // Includes the first member's renewal.
    const ended = [month[1], true, 25_000, { new: 57_500 }, 82_500, 9_000 + 2_500 + 5_000]
    expect((await report())[1]).toEqual(ended)
    // A month that was reopened and closed again is as final as any other.
    for (const closed of storedMonths()) {
      const remove = () => world.ctx.sqlite.prepare('delete from revenue_months where month = ?').run(closed)
      expect(remove).toThrow('A month that is frozen stays as it is.')
    }
  })

  test('leaves invoices of later days that say nothing against it once an owner has said that it is right', async () => {
    await join()
    world.forward(hundredDays)
    await runMonthEnd()
    world.forward(-hundredDays)
    const { months: closed, newest } = await readClock()
    expect([closed, newest]).toEqual([month.slice(0, 3), expect.any(String)])
    expect(await (await reopen(closed)).json()).toMatchObject({ months: [], newest: null })
    expect(await runMonthEnd()).toEqual({ frozen: 0, newest: null })
    // Documents issued then stay, and doctor names them.
    expect(await finding()).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(
        /3 invoices in future months\. .+correct it.+they count when their month comes\.$/,
      ),
    })
    world.forward(3 * toDay)
    await join({ ...sam, email: 'xl@example.com', tierSlug: 'xl' })
    world.forward(-2 * toDay)
    expect(await readClock()).toMatchObject({ newest: expect.any(String) })
  })

  test('leaves closed months that only an owner who proved themselves opens', async () => {
    await closeAhead()
    const { call } = await join({ ...sam, email: 'lite@example.com', tierSlug: 'lite' })
    expect((await call('/api/admin/revenue-months/reopen', { body: { months: [] } })).status).toBe(403)
    const owner = world.signIn(world.addOwner())
    world.forward(11 * 60_000)
    const late = await owner('/api/admin/revenue-months/reopen', { body: { months: month.slice(1) } })
    expect([late.status, (await readError(late)).code]).toEqual([403, 'password_needed'])
    expect(storedMonths()).toEqual([...month])
  })

  test('lets the database delete what an owner’s order names, and nothing by any other entry', async () => {
    await closeAhead()
    const { sqlite } = world.ctx
    const entry = sqlite.prepare(`insert into audit_entries (id, actor, action, targetId, detail, at)
      select 'entry-' || ?, ?, 'revenue.opened', month, json_object('frozenAt', frozenAt, 'openedAt', ?), '2026-01-01T00:00:00.000Z'
      from revenue_months where month = ?`)
    const remove = () => sqlite.prepare('delete from revenue_months where month = ?').run(month[1])
    expect(remove).toThrow('A month that is frozen stays as it is.')
    const now = world.ctx.billingNow().toISOString()
    entry.run(1, 'system', now, month[1])
    entry.run(2, 'local:olive', '2099-01-01T00:00:00.000Z', month[1])
    entry.run(3, 'local:olive', null, month[1])
    expect(remove).toThrow('A month that is frozen stays as it is.')
    entry.run(4, 'local:olive', now, month[1])
    expect(remove().changes).toBe(1)
  })

  test('keeps commission from being changed by hand where it would go to a month far ahead', async () => {
    await closeAhead()
    const sale = { description: 'Van wrap', totalAmount: 900, commissionAmount: 90, saleDate: `${month[1]}-01` }
    const refused = await asOwner('/api/admin/manual-commissions', { body: sale })
    expect([refused.status, (await readError(refused)).message]).toEqual([
      409,
      expect.stringContaining('alliance doctor'),
    ])
    await reopen(month.slice(1))
    expect((await asOwner('/api/admin/manual-commissions', { body: sale })).status).toBeLessThan(300)
    expect((await statement(month[1])).upSells).toBe(9_000)
  })
})

describe('a clock that was ahead for a while, and then nobody acts', () => {
  const beat = () => runJob(world.ctx, 'heartbeat')
  const newlyBooked = () =>
    world.ctx.sqlite.prepare('select month from commission_ledger order by rowid').pluck().all().slice(1)

  /** On day six of the first month the server runs 25 days ahead for a moment, which closes the month. Then time goes on. */
  async function closeEarlyAndPass() {
    await join()
    await beat()
    world.forward(25 * toDay)
    await beat()
    closeMonths(world.ctx)
    world.forward(-23 * toDay)
    await beat()
    await join({ ...sam, email: 'xl@example.com', tierSlug: 'xl' })
    world.forward(24 * toDay)
    await beat()
  }

  test('leaves a month that stays found after its time has come, and that an owner opens', async () => {
    await closeEarlyAndPass()
    expect(storedMonths()).toEqual([month[0]])
    const says = `1 month was closed too early by a clock that was ahead: ${month[0]}.`
    expect(await runMonthEnd()).toMatchObject({ frozen: 0, waits: expect.stringContaining(says) })
    expect(await finding()).toMatchObject({ state: 'failed', message: expect.stringContaining(says) })
    const today = await (await asOwner('/api/admin/today')).json()
    expect(JSON.stringify(today)).toContain(says)
    expect(await readClock()).toMatchObject({ months: [month[0]], early: [month[0]] })
    expect(newlyBooked()).toEqual([])

    expect(await (await reopen([month[0]])).json()).toMatchObject({ months: [], early: [] })
    // The held bookings land in their own month.
    expect(newlyBooked()).toEqual([month[0]])
    expect(await finding()).toBeUndefined()
    expect(await runMonthEnd()).toEqual({ frozen: 1, newest: month[0] })
    expect((await report())[0]).toEqual([month[0], true, 0, { new: 70_000 }, 70_000, 5_000 + 9_000])
    await beat()
    expect(await readClock()).toMatchObject({ months: [], early: [] })
    const remove = () => world.ctx.sqlite.prepare('delete from revenue_months').run()
    expect(remove).toThrow('A month that is frozen stays as it is.')
  })

  test('leaves a month that an owner may leave closed: what waited is booked in the first open one', async () => {
    await closeEarlyAndPass()
    const closed = stored()
    const kept = await asOwner('/api/admin/revenue-months/reopen', { body: { months: [month[0]], keep: true } })
    expect(await kept.json()).toMatchObject({ months: [], early: [] })
    expect(stored()).toEqual(closed)
    expect(newlyBooked()).toEqual([month[1]])
    await beat()
    expect(await finding()).toBeUndefined()
  })

  test('lets nobody leave closed what is closed at a time after now', async () => {
    await join()
    world.forward(hundredDays)
    await runMonthEnd()
    world.forward(-hundredDays)
    const { months: closed } = await readClock()
    const kept = await asOwner('/api/admin/revenue-months/reopen', { body: { months: closed, keep: true } })
    expect([kept.status, (await readError(kept)).message]).toEqual([409, expect.stringContaining('orrect the clock')])
  })

  test('is told from a clock that is behind, and from a server that was off', async () => {
    await join()
    await beat()
    // The server is off for the rest of the month.
    world.forward(25 * toDay)
    await beat()
    expect(await runMonthEnd()).toMatchObject({ frozen: 1, newest: month[0] })
    world.forward(-threeYears)
    await beat()
    expect(await readClock()).toMatchObject({ months: [month[0]], early: [] })
    world.forward(threeYears)
    await beat()
    expect(await finding()).toBeUndefined()
  })
})
