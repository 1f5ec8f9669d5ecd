import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockDataDir } from '#api/db/server-lock.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { acted, becomeMember, providerInvoices } from '#api/testing/billing.ts'
import { billingOf, countRows } from '#api/testing/joining.ts'
import { startPaymentWorld } from '#api/testing/payments.ts'

/** A world that holds its data folder like a server does, so that the clock moves in its own sandbox. */
async function startHeldWorld() {
  const dataDir = mkdtempSync(join(tmpdir(), 'alliance-clock-'))
  const world = await startPaymentWorld({
    startsAt: new Date('2026-06-12T07:40:00.000Z'),
    env: { DATA_DIR: dataDir },
  })
  Object.assign(world.ctx.settings, { sandboxPort: world.sandbox.port })
  const lock = lockDataDir(dataDir)
  onTestFinished(async () => {
    await world.stop()
    lock?.release()
    rmSync(dataDir, { recursive: true })
  })
  const owner = world.signIn(world.addOwner())
  return { world, owner, advance: (by: string) => acted(owner, '/api/admin/sandbox/advance', { by }) }
}

test('moving the clock by months books a new price, ends months and free access on the way, each at its own time', {
  tags: ['full'],
}, async () => {
  const { world, owner, advance } = await startHeldWorld()
  const call = await becomeMember(world)
  world.addUser({ accessOverride: 'granted', accessUntil: '2026-07-10T23:00:00.000Z' })
  const path = '/api/admin/tiers/standard/price'
  const { confirmation } = await acted(owner, `${path}?price=27500`, undefined, 'GET')
  await acted(owner, path, { price: 27_500, movesMembers: true, confirmation })
  await runJob(world.ctx, 'mail')
  await advance('65d')
  expect(await billingOf(call)).toMatchObject({ plan: { net: 27_500 }, nextPlan: null })
  expect(await providerInvoices(world)).toEqual(['paid 33000', 'paid 30000', 'paid 30000'])
  expect(countRows(world, 'mail_outbox', `cause like 'price-move:%'`)).toBe(1)
  const closed = world.ctx.sqlite.prepare(`select month, frozenAt from revenue_months order by month`).all()
  expect(closed).toEqual([
    { month: '2026-06', frozenAt: '2026-06-30T23:00:00.000Z' },
    { month: '2026-07', frozenAt: '2026-07-31T23:00:00.000Z' },
  ])
  expect(countRows(world, 'users', `accessOverride = 'granted'`)).toBe(0)
})
