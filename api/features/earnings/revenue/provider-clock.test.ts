// @module-tag full
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setOverride } from '#api/features/members/access-service.ts'
import { listFindings } from '#api/features/operations/doctor/service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import { sandboxSecretKey } from '#api/sandbox/server.ts'
import { beginJoin, sam } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { readError } from '#api/testing/world.ts'
import { JobReport } from '#shared/contract/jobs.ts'

let world: PaymentWorld
beforeEach(async () => {
  world = await startPaymentWorld()
})
afterEach(() => world.stop())

const hour = 60 * 60_000
const day = 24 * hour

async function run(name: string, ctx = world.ctx) {
  const outcome = await runJob(ctx, name)
  return outcome.skipped ? null : v.parse(JobReport, outcome.report)
}
const beat = () => run('heartbeat')
const countOf = (table: string) => world.ctx.sqlite.prepare(`select count(*) from ${table}`).pluck().get()
const finding = async () => (await listFindings(world.ctx)).find(({ check }) => check === 'clock')
const waiting = (says: string) => ({ waits: expect.stringContaining(says) })

/** Shifts the provider's clock by this much from ours for all further responses. */
async function differBy(ms: number) {
  await world.control('faults', { kind: 'date', ms, times: 10_000 })
}

async function agreeAgain() {
  const headers = { authorization: `Bearer ${sandboxSecretKey}` }
  await fetch(`${world.sandbox.url}/_sandbox/faults`, { method: 'DELETE', headers })
}

async function join() {
  const { response } = await beginJoin(world.call, sam)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
}

describe('a clock that is ahead of the provider’s', () => {
  test('deletes nothing and closes no month, and says so, until it is right', async () => {
    world.signIn(world.addOwner())
    await join()
    await beat()
    const sessions = countOf('sessions')
    world.forward(100 * day)
    await differBy(-100 * day)
    const says = 'The server’s clock is 100 days ahead of Stripe’s. Correct it.'
    await beat()
    for (const job of ['clean-up', 'abandoned', 'unpaid-orders', 'unfinished'])
      expect([job, await run(job)]).toEqual([job, waiting(says)])
    expect(await run('month-end')).toMatchObject({ frozen: 0, ...waiting(says) })
    expect([countOf('sessions'), countOf('revenue_months')]).toEqual([sessions, 0])
    expect(await finding()).toMatchObject({ state: 'failed', message: expect.stringContaining(says) })
    const owner = world.signIn(world.addOwner())
    expect(await (await owner('/api/admin/today')).text()).toContain(says)
    // And after days of running like this.
    for (let days = 0; days < 3; days += 1) {
      world.forward(day - hour)
      await beat()
      expect(await run('clean-up')).toEqual(waiting('days ahead'))
    }

    await world.sandbox.settle()
    await agreeAgain()
    world.forward(-103 * day)
    await beat()
    expect((await finding())?.message ?? '').not.toContain('payment provider')
    expect(await run('clean-up')).toMatchObject({ sessions: 0 })
  })
})

test('free access that ends by a clock that is ahead is not taken back, and shows as over until the clock is right', async () => {
  const { id } = world.addUser()
  const end = new Date(world.ctx.now().getTime() + 30 * day).toISOString()
  setOverride(world.ctx, id, { override: 'granted', until: end })
  const stored = () => world.ctx.sqlite.prepare('select accessOverride, accessUntil from users where id = ?').get(id)
  await beat()
  world.forward(31 * day)
  await differBy(-31 * day)
  await beat()
  expect(await run('free-access')).toEqual(waiting('31 days ahead'))
  expect([accessOfUser(world.ctx, id).hasAccess, stored()]).toEqual([
    false,
    { accessOverride: 'granted', accessUntil: end },
  ])
  await agreeAgain()
  world.forward(-31 * day)
  await beat()
  expect(await run('free-access')).toEqual({ ended: 0, mails: 0 })
  expect(accessOfUser(world.ctx, id).hasAccess).toBe(true)
  world.forward(31 * day + hour)
  await beat()
  // The sandbox's time doesn't count.
  expect(await run('free-access')).toEqual(waiting('was off'))
  world.forward(day / 2)
  await beat()
  world.forward(day / 2)
  expect(await run('free-access')).toEqual({ ended: 1, mails: 1 })
})

describe('a clock that is behind the provider’s', () => {
  test('fails the check, and opens no month', async () => {
    await join()
    await differBy(3 * day)
    await run('reconcile')
    await beat()
    const says = 'The server’s clock is 3 days behind Stripe’s'
    expect(await finding()).toMatchObject({ state: 'failed', message: expect.stringContaining(says) })
    const owner = world.signIn(world.addOwner())
    const refused = await owner('/api/admin/revenue-months/reopen', { body: { months: [] } })
    expect([refused.status, (await readError(refused)).message]).toEqual([409, expect.stringContaining(says)])

    world.forward(3 * day)
    await agreeAgain()
    await beat()
    // The job asks again until the two agree.
    await run('clean-up')
    expect(await finding()).toBeUndefined()
  })
})

describe('a server that was off', () => {
  test('for months deletes nothing for a day, as long as nothing tells that its clock is right', async () => {
    world.signIn(world.addOwner())
    await beat()
    world.forward(90 * day)
    await beat()
    const says = 'Nothing old is deleted or ended for a day.'
    for (const job of ['clean-up', 'abandoned']) expect([job, await run(job)]).toEqual([job, waiting(says)])
    expect(countOf('sessions')).toBe(1)
    expect(await finding()).toBeUndefined()
    for (let hours = 0; hours < 48; hours += 1) {
      world.forward(hour / 2)
      await beat()
    }
    expect(await run('clean-up')).toMatchObject({ sessions: 1 })
    expect(await run('abandoned')).toEqual({ removed: 0 })
  })

  test('and whose provider is out of reach for days deletes nothing until it answers, and says so', async () => {
    world.signIn(world.addOwner())
    const ctx = { ...world.ctx, settings: { ...world.ctx.settings, isSandbox: false } }
    const says = 'Stripe hasn’t answered since'
    const held = async () => (await listFindings(ctx)).find(({ check }) => check === 'deletions')
    await world.control('faults', { kind: 'lost', path: '/v1/account', times: 10_000 })
    await beat()
    world.forward(730 * day)
    await beat()
    expect(await run('clean-up', ctx)).toEqual(waiting(says))
    // It still runs when the machine sleeps for many nights in a row.
    for (let days = 0; days < 12; days += 1) {
      world.forward(day - hour)
      await beat()
    }
    expect(await run('clean-up', ctx)).toEqual(waiting(says))
    expect(await held()).toMatchObject({ state: 'warning', message: expect.stringContaining(says) })
    expect(countOf('sessions')).toBe(1)

    await agreeAgain()
    expect(await run('clean-up', ctx)).toMatchObject({ sessions: 1 })
    await world.control('faults', { kind: 'lost', path: '/v1/account', times: 10_000 })
    world.forward(hour / 2)
    expect(await run('clean-up', ctx)).toMatchObject({ sessions: 0 })
    expect(await held()).toBeUndefined()
  })

  test('for a night deletes as ever', async () => {
    await beat()
    world.forward(12 * hour)
    await beat()
    expect(await run('clean-up')).toMatchObject({ sessions: 0 })
  })
})
