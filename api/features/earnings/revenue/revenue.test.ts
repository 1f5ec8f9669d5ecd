import { expect, test } from 'vitest'
import { ensureOwners } from '#api/features/accounts/owners/service.ts'
import { startWorld } from '#api/testing/world.ts'
import type { Mrr } from '#shared/contract/revenue.ts'
import { mrrRule } from '#shared/rules/mrr.ts'

async function mrr(world: ReturnType<typeof startWorld>): Promise<Mrr> {
  return (await world.signIn(world.addOwner())('/api/admin/mrr')).json()
}

test('CALLS-12 ENT-19 what is active or past due counts, at its own price; every row names its rule; ended ones are left out', async () => {
  const world = startWorld({ env: { SALES_PARTNER: 'Pat' } })
  world.addMember({ tier: 'lite', firstName: 'Danny', lastName: 'Marsh' })
  world.addMember({ tier: 'xl', subscription: { status: 'past_due', yearlyNet: 480_000 } })
  for (const status of ['incomplete', 'unpaid', 'paused', 'canceled', 'incomplete_expired', 'trialing'] as const) {
    world.addMember({ subscription: { status } })
  }
  world.addMember({ lastName: 'Unsettled', subscription: { status: 'trialing', isSettled: false } })
  const report = await mrr(world)
  expect(report).toMatchObject({
    totalMRR: 52_500,
    activeSubscriptions: 2,
    lastUpdated: '2026-06-12T07:40:00.000Z',
    commission: { partner: 'Pat', isForecast: true, total: 5_250 },
  })
  expect(report.commission.breakdown).toEqual([
    { name: 'Alliance Lite', count: 1, rate: 10, total: 1_250 },
    { name: 'Alliance', count: 0, rate: 10, total: 0 },
    { name: 'Alliance XL', count: 1, rate: 10, total: 4_000 },
  ])
  const rows = report.subscriptionDetails.map(({ status, monthlyAmount }) => [status, monthlyAmount])
  expect(rows.sort()).toEqual([
    ...[
      ['active', 12_500],
      ['incomplete', 0],
      ['incomplete', 0],
      ['past_due', 40_000],
      ['paused', 0],
    ],
    ...[
      ['trialing', 0],
      ['unpaid', 0],
    ],
  ])
  for (const { status, rule } of report.subscriptionDetails) expect(rule).toBe(mrrRule(status).rule)
  const unsettled = report.subscriptionDetails.find(({ customerName }) => customerName.endsWith('Unsettled'))
  expect(unsettled?.status).toBe('incomplete')
  // Created at the same moment, they sort by id, which is random here.
  expect(report.subscriptionDetails.map(({ customerName }) => customerName)).toContain('Danny Marsh')
})

test('ENT-19 a complimentary member is no revenue, and a revoked one who still pays is', async () => {
  const world = startWorld()
  world.addUser({ accessOverride: 'granted' })
  world.addMember({ tier: 'lite', accessOverride: 'revoked' })
  expect(await mrr(world)).toMatchObject({ totalMRR: 12_500, activeSubscriptions: 1 })
})

test('ENT-19 the newest rate that has begun is the forecast’s, and a removed member’s row has no name', async () => {
  const world = startWorld()
  const member = world.addMember({ tier: 'lite' })
  const add = world.ctx.sqlite.prepare(`insert into commission_rates (tierSlug, rate, validFrom) values ('lite', ?, ?)`)
  add.run(12, '2026-01-01')
  add.run(20, '2026-06-12')
  add.run(50, '2026-06-13')
  world.ctx.sqlite.prepare('delete from users where id = ?').run(member.id)
  const { commission, subscriptionDetails } = await mrr(world)
  expect(commission.breakdown[0]).toMatchObject({ rate: 20, total: 2_500 })
  expect(subscriptionDetails[0]?.customerName).toBe('Removed member')
})

test('ENT-19 a month that’s been given free brings no commission next month, and stays in MRR', async () => {
  const world = startWorld()
  world.addMember({ tier: 'lite' })
  world.addMember({ tier: 'lite', subscription: { isNextFree: true } })
  expect(await mrr(world)).toMatchObject({
    totalMRR: 25_000,
    commission: { total: 1_250, breakdown: [{ count: 2, total: 1_250 }, { total: 0 }, { total: 0 }] },
  })
})

test('ENT-19 with nobody the figures are nought', async () => {
  expect(await mrr(startWorld())).toMatchObject({ totalMRR: 0, activeSubscriptions: 0, subscriptionDetails: [] })
})

test('CONST-09 ADMN-4 the target counts who brings something in, the owners of the house left out', async () => {
  const world = startWorld({ env: { OWNER_EMAILS: 'olive@alliance.test' } })
  ensureOwners(world.ctx)
  world.addMember({ tier: 'lite' })
  world.addMember({ subscription: { status: 'past_due' } })
  world.addMember({ subscription: { yearlyNet: 0 } })
  world.addMember({ subscription: { status: 'unpaid' } })
  const paying = world.addMember({ tier: 'xl' })
  expect((await mrr(world)).target).toEqual({ customers: 3, goal: 100 })
  world.ctx.sqlite.prepare('update owner_addresses set userId = ?').run(paying.id)
  expect(await mrr(world)).toMatchObject({ target: { customers: 2 }, totalMRR: 82_500, activeSubscriptions: 4 })
})

test('CALLS-12 the totals cover everyone, the subscriptions come in pages', async () => {
  const world = startWorld()
  const owner = world.signIn(world.addOwner())
  for (let made = 0; made < 5; made += 1) {
    world.forward(made < 2 ? 0 : 1000)
    world.addMember({ tier: 'lite' })
  }
  const seen: string[] = []
  let path: string | null = '/api/admin/mrr?limit=2'
  while (path !== null) {
    const response: Response = await owner(path)
    const page: Mrr = await response.json()
    expect([page.totalMRR, page.activeSubscriptions]).toEqual([62_500, 5])
    seen.push(...page.subscriptionDetails.map(({ subscriptionId }) => subscriptionId))
    path = /^<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1] ?? null
  }
  const all = await mrr(world)
  expect(seen).toEqual(all.subscriptionDetails.map(({ subscriptionId }) => subscriptionId))
  expect(new Set(seen).size).toBe(5)
  expect((await owner('/api/admin/mrr?limit=5')).headers.get('link')).toBeNull()
})
